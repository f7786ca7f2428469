import type { TerraformModule } from "./module.js";

type Module = Pick<
  TerraformModule,
  "name" | "variables" | "outputs" | "imports" | "hasClientProvider"
>;

/** How a root module calls the module in the folder. */
export function moduleUsage(folder: string, module: Module): string {
  const { name, variables, imports, hasClientProvider } = module;
  const source = folder.startsWith("/") || folder.startsWith(".") ? folder : `./${folder}`;
  const label = name.replaceAll("-", "_");
  const names = [...variables, ...(hasClientProvider ? ["providers"] : [])];
  const width = Math.max(6, ...names.map((variable) => variable.length));
  const lines = [
    `module "${label}" {`,
    `  ${"source".padEnd(width)} = ${JSON.stringify(source)}`,
    ...(hasClientProvider
      ? [`  ${"providers".padEnd(width)} = { azurerm = azurerm, azurerm.client = azurerm.client }`]
      : []),
    ...variables.map((variable) => `  ${variable.padEnd(width)} = var.${variable}`),
    "}",
    ...imports.flatMap(({ to, id }) => [
      "",
      "import {",
      `  to = module.${label}.${to}`,
      `  id = ${JSON.stringify(id)}`,
      "}",
    ]),
  ];
  return `${lines.join("\n")}\n`;
}

/** The README of the module. */
export function moduleReadme(module: Module, subscribes: boolean): string {
  const outputs = module.outputs.map((name) => `\`${name}\``).join(", ");
  return `# ${module.name}

Written by \`cloud-eventgrid synth\`. The variables in \`variables.tf\` default to the values of the component document; set others for each environment.

\`\`\`hcl
${module.hasClientProvider ? CLIENT_PROVIDER : ""}${moduleUsage(`./modules/${module.name}`, module)}\`\`\`

Outputs: ${outputs}.
${subscribes ? `\n${PROVIDERS} ${module.hasClientProvider ? CLIENT_WRITES : DEPLOYER_WRITES}\n${SUBSCRIBES}` : ""}`;
}

const PROVIDERS =
  "The calling module configures azurerm and azuread, and has `Microsoft.EventGrid` in `resource_providers_to_register` of azurerm.";

const DEPLOYER_WRITES =
  "The identity that applies writes the event subscription: it needs the right to write event subscriptions at the scope, or is named in `writer_principals` by somebody who may assign roles.";

const CLIENT_WRITES =
  "The provider `azurerm.client` writes the event subscription. It signs in as the application, which gets its roles at the scopes from the module. azurerm 4 also lists the resource providers of the Azure subscription: give the application *Reader* there, or set `ARM_PROVIDER_ENHANCED_VALIDATION=false` where Terraform runs.";

const CLIENT_PROVIDER = `provider "azurerm" {
  alias                           = "client"
  client_id                       = var.client_id
  client_secret                   = var.client_secret
  resource_provider_registrations = "none"
  features {}
}

`;

const SUBSCRIBES = `
## Put the service first

Event Grid calls the webhook as soon as the event subscription is created. Name what serves the webhook in \`wait_for\`:

\`\`\`hcl
  wait_for = [azurerm_container_app.orders.id]
\`\`\`

Do not set \`depends_on\` on the module. It would make Terraform read the module's data sources during the apply, and a plan would fail with \`Invalid count argument\`.

## Topic

\`topic = { name = "orders", resource_group_name = "shop", location = "westeurope" }\` creates the topic whose events are delivered; \`scope\` is then not used.

## Further scopes

\`\`\`hcl
  additional_scopes = {
    returns = {
      scope          = azurerm_eventgrid_topic.returns.id
      subject_filter = { ends_with = ".json" }
    }
  }
\`\`\`

The filters and event types of the module apply to \`scope\` only. The other settings apply to each further scope as well, and the client and the writers get their role there.
`;
