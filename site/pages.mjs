/** The pages of the guide in reading order. A page of `docs` that is missing here fails the build. */
export const sections = [
  {
    text: "Getting started",
    pages: [
      ["quick-start", "Quick start"],
      ["binding", "The binding"],
      ["events", "Typed events"],
    ],
  },
  {
    text: "Infrastructure",
    pages: [
      ["construct", "Constructs"],
      ["sources", "Sources"],
      ["permissions", "Permissions"],
      ["adoption", "Adoption and recovery"],
      ["terraform", "Terraform"],
      ["component-documents", "Component documents"],
      ["cdktn", "With cdktn"],
    ],
  },
  {
    text: "Runtime",
    pages: [
      ["listener", "Receive events"],
      ["fastify", "Your own Fastify app"],
      ["responses", "Responses"],
      ["observability", "Logs, traces and metrics"],
      ["security", "Security"],
      ["publisher", "Publisher"],
      ["testing", "Test"],
      ["replicas", "Several replicas"],
      ["errors", "Errors"],
      ["performance", "Performance"],
    ],
  },
  {
    text: "Local Azure",
    pages: [
      ["local-azure", "Use from code"],
      ["local-azure-commands", "Commands"],
      ["dashboard", "Dashboard"],
      ["local-azure-terraform", "Terraform, Resource Manager, Graph"],
      ["local-azure-container", "Container"],
      ["local-azure-operations", "Supported operations"],
    ],
  },
  {
    text: "Project",
    pages: [
      ["command-line", "Command line"],
      ["architecture", "Architecture"],
      ["changelog", "Changes"],
    ],
  },
];
