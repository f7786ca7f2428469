/**
 * The pages of the guide in reading order. A page of `docs` that is missing here fails the build.
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
      "servers",
      "fastify",
      "sources",
      "responses",
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
      "local-azure-replay",
      "local-azure-namespaces",
      "local-azure-commands",
      "local-azure-http",
      "local-azure-configuration",
      "dashboard",
      "local-azure-terraform",
      "local-azure-clients",
      "languages/javascript",
      "languages/python",
      "languages/java",
      "languages/go",
      "languages/dotnet",
      "local-azure-container",
      "parity",
      "local-azure-differences",
      "local-azure-operations",
    ],
  },
  {
    text: "Operate",
    pages: ["operate", "observability", "replicas", "redis", "troubleshooting", "security"],
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
    pages: ["errors", "limits", "performance", "versions"],
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
    ],
  },
  {
    text: "Project",
    pages: ["contributing", "architecture", "benchmarks", "changelog"],
  },
];
