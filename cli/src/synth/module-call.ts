export interface TerraformModule {
  /** The name of the component as a folder. */
  readonly name: string;
  /** The files, by their names. */
  readonly files: Readonly<Record<string, string>>;
  /** The variables that the caller has to set: secrets, and what is not known here. */
  readonly variables: readonly string[];
  readonly outputs: readonly string[];
  /** The event subscription that the caller imports, if it exists. */
  readonly imports: readonly ModuleImport[];
  /** Whether the caller passes a provider that signs in as the client, `azurerm.client`. */
  readonly hasClientProvider: boolean;
}

/** An existing resource: its address in the module, and its ID in Azure. */
export interface ModuleImport {
  readonly to: string;
  readonly id: string;
}

type Called = Pick<TerraformModule, "name" | "variables" | "imports" | "hasClientProvider">;

/**
 * How a root module calls the module in the folder.
 *
 * @param settings further arguments, formatted
 */
export function moduleUsage(folder: string, module: Called, settings = ""): string {
  const { variables, imports, hasClientProvider } = module;
  const source = folder.startsWith("/") || folder.startsWith(".") ? folder : `./${folder}`;
  const label = labelOf(module);
  const names = [...variables, ...(hasClientProvider ? ["providers"] : [])];
  const width = Math.max(6, ...names.map((variable) => variable.length));
  const lines = [
    `module "${label}" {`,
    `  ${"source".padEnd(width)} = ${JSON.stringify(source)}`,
    ...(hasClientProvider
      ? [`  ${"providers".padEnd(width)} = { azurerm = azurerm, azurerm.client = azurerm.client }`]
      : []),
    ...variables.map((variable) => `  ${variable.padEnd(width)} = var.${variable}`),
    `${settings}}`,
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

/** Complete configurations that use the module, by the paths of their files in it. */
export function moduleExamples(
  module: Called,
  subscribes: boolean,
): Readonly<Record<string, string>> {
  const root = subscribes ? providersFor(module) : "";
  const inputs = [...module.variables, ...(module.hasClientProvider ? CLIENT_VARIABLES : [])];
  const variables = inputs
    .map((name) => `variable "${name}" {\n  type      = string\n  sensitive = true\n}\n\n`)
    .join("");
  const call = moduleUsage("../..", module);
  const environment = `\noutput "environment" {\n  value     = module.${labelOf(module)}.environment\n  sensitive = true\n}\n`;
  return {
    "examples/basic/main.tf": `${root}${variables}${call}${environment}`,
    ...(subscribes && {
      "examples/new-topic/main.tf": `${root}${variables}${GROUP}${moduleUsage("../..", { ...module, imports: [] }, newTopic(module))}${environment}`,
    }),
  };
}

function labelOf({ name }: Called): string {
  return name.replaceAll("-", "_");
}

const CLIENT_VARIABLES = ["client_id", "client_secret"];

function providersFor({ hasClientProvider }: Called): string {
  return `provider "azurerm" {
  features {}
  resource_providers_to_register = ["Microsoft.EventGrid"]
}

provider "azuread" {}

${hasClientProvider ? CLIENT_PROVIDER : ""}`;
}

const CLIENT_PROVIDER = `provider "azurerm" {
  alias                           = "client"
  client_id                       = var.client_id
  client_secret                   = var.client_secret
  resource_provider_registrations = "none"
  features {}
}

`;

const GROUP = `variable "storage_account_id" {
  description = "Account with the container for events that could not be delivered."
  type        = string
}

resource "azurerm_resource_group" "events" {
  name     = "events"
  location = "westeurope"
}

`;

/**
 * A topic of the module's own, whose identity dead-letters; and its own application, unless that has to
 * sign in before the module is applied.
 */
function newTopic({ name, hasClientProvider }: Called): string {
  const application = `  application = { display_name = "${name} webhook" }\n\n`;
  return `
${hasClientProvider ? "" : application}  topic = {
    name                = "${name}"
    resource_group_name = azurerm_resource_group.events.name
    location            = azurerm_resource_group.events.location
    identity            = { type = "SystemAssigned" }
  }

  dead_letter = {
    storage_account_id = var.storage_account_id
    container          = "dead-letters"
    identity           = { type = "SystemAssigned" }
  }

  subject_filter = { begins_with = "orders/" }
  advanced_filters = [
    { operator = "number_greater_than", key = "data.total", number = 100 },
    { operator = "string_in", key = "data.region", strings = ["north", "south"] },
  ]
`;
}
