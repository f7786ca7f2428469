/** The pages of the guide in reading order. A page of `docs` that is missing here fails the build. */
export const sections = [
  {
    text: "Start",
    pages: [
      ["quick-start", "Quick start"],
      ["binding", "The binding"],
      ["events", "Typed events"],
      ["packages", "Unpublished packages"],
    ],
  },
  {
    text: "Deploy",
    pages: [
      ["deploy", "Deploy to Azure"],
      ["deploy-container-apps", "Container Apps"],
      ["deploy-kubernetes", "Kubernetes"],
      ["construct", "Provision a binding"],
      ["event-subscription", "Choose what is delivered"],
      ["identities", "Writers and identities"],
      ["permissions", "Permissions"],
      ["adoption", "Take over and recover"],
      ["migrate-from-dapr", "Migrate from Dapr"],
      ["component-documents", "Component documents"],
      ["cdktn", "With cdktn"],
    ],
  },
  {
    text: "Receive",
    pages: [
      ["listener", "Receive events"],
      ["sources", "Events of Azure services"],
      ["fastify", "Your own Fastify app"],
      ["responses", "Responses"],
    ],
  },
  {
    text: "Publish",
    pages: [["publisher", "Publish events"]],
  },
  {
    text: "Test",
    pages: [
      ["testing", "Test a service"],
      ["local-azure", "Local Azure from code"],
      ["local-azure-events", "Topics, subscriptions, faults"],
      ["local-azure-commands", "Commands"],
      ["local-azure-configuration", "Configuration file"],
      ["dashboard", "Dashboard"],
      ["local-azure-terraform", "Terraform"],
      ["local-azure-clients", "Azure's own clients"],
      ["local-azure-container", "Container and CI"],
      ["local-azure-differences", "Differences from Azure"],
      ["local-azure-operations", "Supported operations"],
    ],
  },
  {
    text: "Operate",
    pages: [
      ["operate", "Operate"],
      ["observability", "Logs, traces and metrics"],
      ["replicas", "Scale: several replicas"],
      ["troubleshooting", "Troubleshoot"],
      ["security", "Security"],
    ],
  },
  {
    text: "Recipes",
    pages: [
      ["recipes/opentelemetry", "OpenTelemetry"],
      ["recipes/dockerfile", "Dockerfile"],
      ["recipes/pipelines", "GitHub Actions, Azure Pipelines"],
      ["recipes/dead-letters", "Replay dead letters"],
      ["recipes/private-networks", "Private networks"],
      ["recipes/bundling", "Bundling"],
      ["recipes/jest", "Jest"],
    ],
  },
  {
    text: "Look up",
    pages: [
      ["command-line", "Command line"],
      ["errors", "Errors"],
      ["performance", "Performance"],
    ],
  },
  {
    text: "Project",
    pages: [
      ["contributing", "Contributing"],
      ["architecture", "Architecture"],
      ["changelog", "Changes"],
    ],
  },
];
