/**
 * The pages of the guide in reading order. A page of `docs` that is in no menu fails the build.
 * The sidebar shows the heading of each page.
 */
export const sections = [
  {
    text: "Start",
    pages: ["why", "quick-start", "concepts", "binding", "events", "packages"],
  },
  {
    text: "Deploy",
    pages: [
      "deploy",
      "deploy-container-apps",
      "deploy-kubernetes",
      "construct",
      "event-subscription",
      "namespaces",
      "environments",
      "identities",
      "permissions",
      "adoption",
      "migrate-from-dapr",
      "component-documents",
      "cdktn",
    ],
  },
  {
    text: "Receive",
    pages: [
      "push-or-pull",
      "listener",
      "listener-options",
      "responses",
      "ingress",
      "servers",
      "fastify",
      "receiver",
      "sources",
    ],
  },
  {
    text: "Publish",
    pages: ["publisher", "publisher-options"],
  },
  {
    text: "Test",
    pages: [
      "testing",
      "local-azure",
      "local-azure-events",
      "local-azure-storage",
      "local-azure-terraform",
      "local-azure-clients",
      "local-azure-reference",
    ],
  },
  {
    text: "Operate",
    pages: [
      "operate",
      "observability",
      "replicas",
      "redis",
      "exactly-once",
      "exactly-once-options",
      "troubleshooting",
      "security",
    ],
  },
  {
    text: "Recipes",
    pages: [
      "recipes/opentelemetry",
      "recipes/dockerfile",
      "recipes/pipelines",
      "recipes/dead-letters",
      "recipes/private-networks",
      "recipes/bundling",
      "recipes/jest",
    ],
  },
  {
    text: "Look up",
    pages: ["errors", "limits", "performance", "versions", "changelog"],
  },
  {
    text: "Command line",
    pages: [
      "command-line",
      "command-line/check",
      "command-line/completion",
      "command-line/convert",
      "command-line/dead-letters",
      "command-line/doctor",
      "command-line/init",
      "command-line/listen",
      "command-line/probe",
      "command-line/publish",
      "command-line/subscriptions",
      "command-line/synth",
      "command-line/tables",
    ],
  },
];

/** The pages for contributors, in a menu of their own. */
export const contributing = [
  "contributing",
  "contributing/architecture",
  "contributing/event-paths",
  "contributing/extending",
  "contributing/parity",
  "contributing/benchmarks",
];
