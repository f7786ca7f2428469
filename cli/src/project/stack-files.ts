import { bindingOf, usesCatalogue, variablesOf } from "./binding-code.js";
import { cdkPackages } from "./cdk-packages.js";
import { quoted } from "./events-file.js";
import { deploysApart, namesOf, type ProjectSpec, stackClass } from "./spec.js";

/** `stack.ts`: the stack with every binding of the project. */
export function stackFile(spec: ProjectSpec): string {
  const { bindings, name } = spec;
  const needs = needsOf(spec);
  const props = [
    "  readonly cloudTenantId: string;",
    "  readonly cloudSubscriptionId: string;",
    "  /** Issuer of the tokens, if it is a local Azure. */",
    "  readonly cloudAuthorityHost?: string | undefined;",
    ...(deploysApart(spec) ? SUBSCRIBED_PROP : []),
    ...(needs.adopt ? ADOPT_PROP : []),
    ...(needs.containerApp ? IMAGE_PROP : []),
  ];
  const resources = [
    ...(needs.group ? [groupOf(name)] : []),
    ...(needs.topic ? [TOPIC] : []),
    ...(needs.storage ? [storageOf(name)] : []),
    ...(needs.containerApp ? [environmentOf(name)] : []),
    ...bindings.map((binding) => bindingOf(binding, spec)),
  ];
  return `${importsOf(spec, needs).join("\n")}

export interface ${stackClass(name)}Props {
${props.join("\n")}
}

/** Everything that ${bindings.length === 1 ? "the binding needs" : "the bindings need"} in Azure. */
export class ${stackClass(name)} extends TerraformStack {
  constructor(scope: Construct, id: string, props: ${stackClass(name)}Props) {
    super(scope, id);
    const { cloudTenantId, cloudSubscriptionId, cloudAuthorityHost } = props;
    new AzurermProvider(this, "azurerm", { features: [{}], subscriptionId: cloudSubscriptionId });
    new AzureadProvider(this, "azuread", { tenantId: cloudTenantId });
${resources.join("")}  }
}
`;
}

/** The resources and variables that the bindings of a project need in its stack. */
type Needs = Readonly<
  Record<
    "group" | "topic" | "storage" | "application" | "variable" | "adopt" | "containerApp",
    boolean
  >
>;

function needsOf({ bindings, host }: ProjectSpec): Needs {
  const inputs = bindings.flatMap(({ input }) => (input === undefined ? [] : [input]));
  const outputs = bindings.flatMap(({ output }) => (output === undefined ? [] : [output]));
  const topic =
    inputs.some(({ source }) => source === "topic") ||
    outputs.some(({ topicEndpoint }) => topicEndpoint === undefined);
  const storage = inputs.some(({ source }) => source === "storage");
  const containerApp = host === "container-apps" && inputs.length > 0;
  return {
    topic,
    storage,
    containerApp,
    group: topic || storage || containerApp,
    application: inputs.some(({ cloudClientId }) => cloudClientId === undefined),
    variable: bindings.some((binding) => variablesOf(binding).length > 0),
    adopt: inputs.some(({ adopt }) => adopt),
  };
}

function importsOf({ bindings, cdk }: ProjectSpec, needs: Needs): string[] {
  const packages = cdkPackages[cdk];
  const resource = (provider: "azuread" | "azurerm", file: string, type: string) =>
    `import { ${type} } from "${packages.provider(provider)}/${file}/index.js";`;
  const from = (module: string, names: readonly (string | false)[]) =>
    `import { ${names.filter(Boolean).join(", ")} } from "${module}";`;
  return [
    resource("azuread", "provider", "AzureadProvider"),
    ...(needs.containerApp
      ? [
          resource("azurerm", "container-app", "ContainerApp"),
          resource("azurerm", "container-app-environment", "ContainerAppEnvironment"),
        ]
      : []),
    resource("azurerm", "provider", "AzurermProvider"),
    ...(needs.group ? [resource("azurerm", "resource-group", "ResourceGroup")] : []),
    ...(needs.storage ? [resource("azurerm", "storage-account", "StorageAccount")] : []),
    from(cdk, ["TerraformOutput", "TerraformStack", needs.variable && "TerraformVariable"]),
    from(packages.binding, [
      "CloudEventGridBinding",
      needs.topic && "CloudEventGridTopic",
      needs.storage && "sources",
      needs.application && "WebhookApplication",
    ]),
    'import type { Construct } from "constructs";',
    ...bindings.filter(usesCatalogue).map(({ name }) => {
      const { folder, variable } = namesOf(name);
      return `import { events as ${variable}Events } from "./${folder}/events.js";`;
    }),
  ];
}

const SUBSCRIBED_PROP = [
  "  /** Whether to create the event subscriptions: Event Grid then sends the services a handshake. */",
  "  readonly subscribed: boolean;",
];

const ADOPT_PROP = [
  '  /** `"adopt"` for the first apply, `"adopted"` from then on. */',
  '  readonly existingSubscription: "adopt" | "adopted";',
];

const IMAGE_PROP = ["  /** The container image of the service. */", "  readonly image: string;"];

/** `main.ts`: synthesizes the stack. */
export function mainFile(spec: ProjectSpec): string {
  const { name, cdk, bindings, host } = spec;
  const [first] = bindings.flatMap(({ input }) => (input ? [input] : []));
  const tenant = first?.cloudTenantId ?? "11111111-1111-4111-8111-111111111111";
  const subscription = first?.cloudSubscriptionId ?? "22222222-2222-4222-8222-222222222222";
  const adopts = bindings.some(({ input }) => input?.adopt === true);
  const receives = first !== undefined;
  return `import { App } from "${cdk}";
import { ${stackClass(name)} } from "./stack.js";

const { env } = process;

const app = new App();
new ${stackClass(name)}(app, ${quoted(name)}, {
  cloudTenantId: env.ARM_TENANT_ID ?? ${quoted(tenant)},
  cloudSubscriptionId: env.ARM_SUBSCRIPTION_ID ?? ${quoted(subscription)},
  cloudAuthorityHost: env.CLOUD_AUTHORITY_HOST,
${deploysApart(spec) ? '  subscribed: env.SUBSCRIBED !== "no",\n' : ""}${adopts ? '  existingSubscription: env.ADOPTED === "yes" ? "adopted" : "adopt",\n' : ""}${host === "container-apps" && receives ? `  image: env.IMAGE ?? "example.azurecr.io/${name}:1",\n` : ""}});
app.synth();
`;
}

function groupOf(name: string): string {
  return `
    const group = new ResourceGroup(this, "group", { name: ${quoted(name)}, location: "westeurope" });
    const where = { resourceGroupName: group.name, location: group.location };
`;
}

const TOPIC = `    const topic = new CloudEventGridTopic(this, "topic", where);
`;

function storageOf(name: string): string {
  return `    const account = new StorageAccount(this, "account", {
      ...where,
      name: ${quoted(name.replaceAll("-", "").slice(0, 24))}, // unique in all of Azure
      accountTier: "Standard",
      accountReplicationType: "LRS",
    });
`;
}

function environmentOf(name: string): string {
  return `    const environment = new ContainerAppEnvironment(this, "environment", { ...where, name: ${quoted(name)} });
`;
}
