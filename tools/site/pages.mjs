/**
 * The pages of the guide in reading order. A page of `docs` that is in no menu fails the build.
 * The sidebar shows the heading of each page.
 */
export const sections = [
  {
    text: "Start",
    pages: ["why", "quick-start", "quick-start-terraform", "concepts", "packages"],
  },
  {
    text: "Define and deploy",
    pages: [
      "binding",
      "events",
      "contracts",
      "construct",
      "cdktn",
      "event-subscription",
      "sources",
      "namespaces",
      "deploy",
      "hosts",
      "private-networks",
      "environments",
      "permissions",
      "adoption",
      "migrate",
    ],
  },
  {
    text: "Receive and publish",
    pages: [
      "push-or-pull",
      "listener",
      "servers",
      "receive-in-any-language",
      "receiver",
      "publisher",
      "replicas",
      "exactly-once",
    ],
  },
  {
    text: "Test",
    pages: [
      "testing",
      "local-azure",
      "local-azure-events",
      "local-azure-terraform",
      "local-azure-clients",
      "local-azure-reference",
    ],
  },
  {
    text: "Operate",
    pages: ["operate", "observability", "troubleshooting", "dead-letters", "security"],
  },
  {
    text: "Command line",
    pages: [
      "command-line",
      "command-line/doctor",
      "command-line/explain-plan",
      "command-line/listen",
    ],
  },
  {
    text: "Look up",
    pages: ["options", "performance", "governance", "changelog"],
  },
];

/** The pages for contributors, in a menu of their own. */
export const contributing = [
  "contributing",
  "contributing/architecture",
  "contributing/event-paths",
  "contributing/extending",
  "contributing/parity",
  "contributing/azure",
  "contributing/benchmarks",
  "contributing/threats",
];
