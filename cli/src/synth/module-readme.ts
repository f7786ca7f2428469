import { moduleUsage, type TerraformModule } from "./module-call.js";

/** The README of the module: how to call it, and its inputs and outputs as its files declare them. */
export function moduleReadme(module: TerraformModule, subscribes: boolean): string {
  const { name, files } = module;
  const declared = (file: string, kind: string) => blocksOf(files[file] ?? "", kind);
  const inputs = declared("variables.tf", "variable").map(
    ({ label, body }) =>
      `| \`${label}\` | ${code(typeIn(body))} | ${code(defaultIn(body))} | ${descriptionIn(body)} |\n`,
  );
  const outputs = declared("outputs.tf", "output").map(
    ({ label, body }) => `| \`${label}\` | ${descriptionIn(body)} |\n`,
  );
  return `# ${name}

Written by \`cloud-eventgrid synth\`. The inputs default to the values of the component document; set others for each environment.

\`\`\`hcl
${moduleUsage(`./modules/${name}`, module)}\`\`\`

\`examples\` has complete configurations.
${subscribes ? `\n${PROVIDERS}\n\n${module.hasClientProvider ? CLIENT_WRITES : DEPLOYER_WRITES}\n\n${ORDER}\n` : ""}
## Inputs

| Name | Type | Default | Description |
|---|---|---|---|
${inputs.join("")}
## Outputs

| Name | Description |
|---|---|
${outputs.join("")}`;
}

interface Block {
  readonly label: string;
  readonly body: string;
}

function blocksOf(file: string, kind: string): Block[] {
  const blocks = file.matchAll(new RegExp(`^${kind} "(\\w+)" \\{\\n([\\s\\S]*?)^\\}`, "gm"));
  return [...blocks].map(([, label = "", body = ""]) => ({ label, body }));
}

function descriptionIn(body: string): string {
  const [, description = ""] = /^ {2}description += "(.*)"$/m.exec(body) ?? [];
  return description.replaceAll('\\"', '"').replaceAll("|", "\\|");
}

/** The type; of objects only that they are some. */
function typeIn(body: string): string {
  const [, type = ""] = /^ {2}type += (.*)$/m.exec(body) ?? [];
  return type.replace(/\(\{$/, "").replace(/\((object)$/, "($1)");
}

/** The default; without one, the input is required. */
function defaultIn(body: string): string {
  const [, value = "required"] = /^ {2}default += (.*)$/m.exec(body) ?? [];
  return value;
}

function code(text: string): string {
  return text === "required" ? text : `\`${text.replaceAll("|", "\\|")}\``;
}

const PROVIDERS =
  "It is tested with Terraform 1.5 and later, and with the schemas of azurerm 4.55.0 and azuread 3.7.0. " +
  "azurerm 5.0 removed nothing that the module writes, but the module has not been applied with it. " +
  "The calling module configures both providers, and has `Microsoft.EventGrid` in `resource_providers_to_register` of azurerm.";

const DEPLOYER_WRITES =
  "The identity that applies writes the event subscription: it needs the right to write event subscriptions at the scope, or is named in `writer_principals` by somebody who may assign roles.";

const CLIENT_WRITES =
  "The provider `azurerm.client` writes the event subscription. It signs in as the application, which gets its roles at the scopes from the module. azurerm 4 also lists the resource providers of the Azure subscription: give the application *Reader* there, or set `ARM_PROVIDER_ENHANCED_VALIDATION=false` where Terraform runs. azurerm 5 lists them only if `enhanced_validation` asks for it.";

const ORDER =
  "Event Grid calls the webhook as soon as the event subscription is created: name what serves the webhook in `wait_for`. Do not set `depends_on` on the module: Terraform would read the module's data sources during the apply, and a plan would fail with `Invalid count argument`.";
