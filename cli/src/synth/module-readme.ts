import type { ModuleImport, TerraformModule } from "./terraform-module.js";

/** How a root module calls the module in the folder. */
export function moduleUsage(
  folder: string,
  { variables, imports }: Pick<TerraformModule, "variables" | "imports">,
): string {
  const source = folder.startsWith("/") || folder.startsWith(".") ? folder : `./${folder}`;
  const lines = [
    `module "event_grid" {`,
    `  source = ${JSON.stringify(source)}`,
    ...variables.map((name) => `  ${name} = var.${name}`),
    "}",
    ...imports.flatMap(importBlock),
  ];
  return `${lines.join("\n")}\n`;
}

function importBlock({ to, id }: ModuleImport): string[] {
  return ["", "import {", `  to = module.event_grid.${to}`, `  id = ${JSON.stringify(id)}`, "}"];
}

/** The README of the module: how to call it, and how to put the compute first. */
export function moduleReadme(folder: string, module: TerraformModule): string {
  return `# Event Grid

\`cloud-eventgrid synth\` writes this folder; change the component documents instead of the files.

\`\`\`hcl
${moduleUsage(folder, module)}\`\`\`

The calling module configures the providers azurerm and azuread, and has \`Microsoft.EventGrid\` in \`resource_providers_to_register\` of azurerm.
${module.waits ? WAIT_FOR : ""}
Outputs: ${module.outputs.map((name) => `\`${name}\``).join(", ")}.
`;
}

const WAIT_FOR = `
## Put the service first

Event Grid calls the webhook as soon as the event subscription is created. Name what serves the webhook in \`wait_for\`:

\`\`\`hcl
  wait_for = [azurerm_container_app.orders.id]
\`\`\`

Do not set \`depends_on\` on the module. It would make Terraform read the module's data sources during the apply, and a plan would fail with \`Invalid count argument\`.
`;
