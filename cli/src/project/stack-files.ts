import { quoted } from "./events-file.js";
import {
  type BindingSpec,
  directionOf,
  type InputSpec,
  namesOf,
  type ProjectSpec,
  pathOf,
  stackClass,
} from "./spec.js";

/** `stack.ts`: the cdktf stack with every binding of the project. */
export function stackFile(spec: ProjectSpec): string {
  const { bindings, name, host } = spec;
  const some = (test: (binding: BindingSpec) => boolean) => bindings.some(test);
  const needs = {
    group: some(
      ({ input, output }) =>
        provisionsTopic(input) ||
        provisionsStorage(input) ||
        (output !== undefined && output.topicEndpoint === undefined),
    ),
    topic: some(
      ({ input, output }) =>
        provisionsTopic(input) || (output !== undefined && output.topicEndpoint === undefined),
    ),
    storage: some(({ input }) => provisionsStorage(input)),
    application: some(({ input }) => input !== undefined && input.cloudClientId === undefined),
    variable: some((binding) => variablesOf(binding).length > 0),
    adopt: some(({ input }) => input?.adopt === true),
    containerApp: host === "container-apps" && some(({ input }) => input !== undefined),
  };
  const providers = [
    ["AzureadProvider", "azuread", "provider", true],
    ["ContainerApp", "azurerm", "container-app", needs.containerApp],
    ["ContainerAppEnvironment", "azurerm", "container-app-environment", needs.containerApp],
    ["AzurermProvider", "azurerm", "provider", true],
    ["ResourceGroup", "azurerm", "resource-group", needs.group || needs.containerApp],
    ["StorageAccount", "azurerm", "storage-account", needs.storage],
  ] as const;
  const imports = providers
    .filter(([, , , needed]) => needed)
    .map(
      ([type, provider, file]) =>
        `import { ${type} } from "@cdktf/provider-${provider}/lib/${file}/index.js";`,
    );
  const cdk = [
    "TerraformOutput",
    "TerraformStack",
    ...(needs.variable ? ["TerraformVariable"] : []),
  ];
  const ours = [
    "CloudEventGridBinding",
    ...(needs.topic ? ["CloudEventGridTopic"] : []),
    ...(needs.storage ? ["sources"] : []),
    ...(needs.application ? ["WebhookApplication"] : []),
  ];
  const catalogues = bindings.filter(usesCatalogue).map((binding) => {
    const { folder, variable } = namesOf(binding.name);
    return `import { events as ${variable}Events } from "./${folder}/events.js";`;
  });
  return `${imports.join("\n")}
import { ${cdk.join(", ")} } from "cdktf";
import { ${ours.join(", ")} } from "cloud-eventgrid-binding";
import type { Construct } from "constructs";
${catalogues.join("\n")}${catalogues.length > 0 ? "\n" : ""}
export interface ${stackClass(name)}Props {
  readonly cloudTenantId: string;
  readonly cloudSubscriptionId: string;
  /** Issuer of the tokens, if it is a local Azure. */
  readonly cloudAuthorityHost?: string | undefined;
${needs.adopt ? '  /** `"adopt"` for the first apply, `"adopted"` from then on. */\n  readonly existingSubscription: "adopt" | "adopted";\n' : ""}${needs.containerApp ? "  /** The container image of the service. */\n  readonly image: string;\n" : ""}}

/** Everything that ${bindings.length === 1 ? "the binding needs" : "the bindings need"} in Azure. */
export class ${stackClass(name)} extends TerraformStack {
  constructor(scope: Construct, id: string, props: ${stackClass(name)}Props) {
    super(scope, id);
    const { cloudTenantId, cloudSubscriptionId, cloudAuthorityHost } = props;
    new AzurermProvider(this, "azurerm", { features: [{}], subscriptionId: cloudSubscriptionId });
    new AzureadProvider(this, "azuread", { tenantId: cloudTenantId });
${needs.group || needs.containerApp ? groupOf(name) : ""}${needs.topic ? topicOf() : ""}${needs.storage ? storageOf(name) : ""}${needs.containerApp ? environmentOf(name) : ""}${bindings.map((binding) => bindingOf(binding, spec)).join("")}  }
}
`;
}

/** `main.ts`: synthesizes the stack. */
export function mainFile({ name, bindings, host }: ProjectSpec): string {
  const [first] = bindings.flatMap(({ input }) => (input ? [input] : []));
  const tenant = first?.cloudTenantId ?? "11111111-1111-4111-8111-111111111111";
  const subscription = first?.cloudSubscriptionId ?? "22222222-2222-4222-8222-222222222222";
  const adopts = bindings.some(({ input }) => input?.adopt === true);
  const receives = first !== undefined;
  return `import { App } from "cdktf";
import { ${stackClass(name)} } from "./stack.js";

const { env } = process;

const app = new App();
new ${stackClass(name)}(app, ${quoted(name)}, {
  cloudTenantId: env.ARM_TENANT_ID ?? ${quoted(tenant)},
  cloudSubscriptionId: env.ARM_SUBSCRIPTION_ID ?? ${quoted(subscription)},
  cloudAuthorityHost: env.CLOUD_AUTHORITY_HOST,
${adopts ? '  existingSubscription: env.ADOPTED === "yes" ? "adopted" : "adopt",\n' : ""}${host === "container-apps" && receives ? `  image: env.IMAGE ?? "example.azurecr.io/${name}:1",\n` : ""}});
app.synth();
`;
}

/** The Terraform variables of a binding: its secrets. */
export function variablesOf({ name, input, output }: BindingSpec): string[] {
  const { output: prefix } = namesOf(name);
  return [
    ...(input !== undefined && hasQuery(input) ? [`${prefix}_subscriber_endpoint`] : []),
    ...(output?.topicEndpoint !== undefined && output.publishWith === "accessKey"
      ? [`${prefix}_access_key`]
      : []),
  ];
}

function groupOf(name: string): string {
  return `
    const group = new ResourceGroup(this, "group", { name: ${quoted(name)}, location: "westeurope" });
    const where = { resourceGroupName: group.name, location: group.location };
`;
}

function topicOf(): string {
  return `    const topic = new CloudEventGridTopic(this, "topic", where);
`;
}

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

function bindingOf(binding: BindingSpec, spec: ProjectSpec): string {
  const { input, output, name } = binding;
  const { variable, prefix, output: outputs } = namesOf(name);
  const variables = variablesOf(binding);
  const declared = variables.map(
    (each) => `    const ${camel(each)} = new TerraformVariable(this, ${quoted(each)}, {
      type: "string",
      sensitive: true,
    });
`,
  );
  const application =
    input !== undefined && input.cloudClientId === undefined
      ? `    const ${variable}Application = new WebhookApplication(this, ${quoted(`${name}-webhook`)}, {
      displayName: ${quoted(`${name} webhook`)},
    });
`
      : "";
  const hosted = spec.host === "container-apps" && input !== undefined;
  const fields = [
    `direction: ${quoted(directionOf(binding))}`,
    ...(input ? inputFields(binding, input, hosted) : []),
    ...(output ? outputFields(binding) : []),
    ...(input && usesCatalogue(binding) && input.source !== "storage"
      ? [`events: ${variable}Events`]
      : []),
  ].map((field) => `      ${field},\n`);
  const path = input && (hasQuery(input) || hosted) ? `, { path: ${quoted(pathOf(input))} }` : "";
  const environment = `${variable}.runtimeEnvironment(${quoted(prefix)}${path})`;
  return `
${declared.join("")}${application}    const ${variable} = new CloudEventGridBinding(this, ${quoted(name)}, {
${fields.join("")}    });
    new TerraformOutput(this, ${quoted(`${outputs}_environment`)}, {
      value: ${environment}.forAppSettings(),
      sensitive: true,
      staticId: true,
    });
${input ? `    ${variable}.addOutputs(${quoted(outputs)});\n` : ""}${hosted ? containerAppOf(binding, input, environment) : ""}`;
}

function inputFields(binding: BindingSpec, input: InputSpec, hosted: boolean): string[] {
  const { variable, output: prefix } = namesOf(binding.name);
  const { source, adopt, cloudEnvironment, eventSubscriptionName, handshakePort } = input;
  const endpoint = hosted
    ? `\`https://${binding.name}.\${environment.defaultDomain}${pathOf(input)}\``
    : hasQuery(input)
      ? `${camel(`${prefix}_subscriber_endpoint`)}.stringValue`
      : quoted(input.subscriberEndpoint);
  const where =
    source === "topic"
      ? ["scope: topic.id"]
      : source === "storage"
        ? [`...sources.objectStorage(account, { events: ${variable}Events })`]
        : [`scope: ${quoted(source.scope)}`];
  return [
    "cloudTenantId",
    "cloudSubscriptionId",
    "cloudAuthorityHost",
    ...(cloudEnvironment !== undefined && cloudEnvironment !== "public"
      ? [`cloudEnvironment: ${quoted(cloudEnvironment)}`]
      : []),
    input.cloudClientId === undefined
      ? `application: ${variable}Application`
      : `cloudClientId: ${quoted(input.cloudClientId)}`,
    `subscriberEndpoint: ${endpoint}`,
    `handshakePort: ${quoted(handshakePort)}`,
    ...where,
    ...(eventSubscriptionName === undefined
      ? []
      : [`eventSubscriptionName: ${quoted(eventSubscriptionName)}`]),
    ...(adopt ? ["existingSubscription: props.existingSubscription"] : []),
  ];
}

function outputFields({ name, output }: BindingSpec): string[] {
  if (output === undefined) return [];
  const { output: prefix } = namesOf(name);
  const { topicEndpoint, publishWith } = output;
  const endpoint = topicEndpoint === undefined ? "topic.endpoint" : quoted(topicEndpoint);
  const key =
    topicEndpoint === undefined
      ? "topic.accessKey"
      : `${camel(`${prefix}_access_key`)}.stringValue`;
  return [
    `topicEndpoint: ${endpoint}`,
    publishWith === "entra" ? 'publishWith: "entra"' : `accessKey: ${key}`,
  ];
}

function containerAppOf({ name }: BindingSpec, input: InputSpec, environment: string): string {
  const { variable } = namesOf(name);
  const port = Number(input.handshakePort);
  return `    const ${variable}App = new ContainerApp(this, ${quoted(`${name}-app`)}, {
      name: ${quoted(name)},
      resourceGroupName: group.name,
      containerAppEnvironmentId: environment.id,
      revisionMode: "Single",
      secret: ${environment}.forContainerApp().secret,
      ingress: {
        externalEnabled: true,
        targetPort: ${port},
        trafficWeight: [{ latestRevision: true, percentage: 100 }],
      },
      template: {
        minReplicas: 1,
        terminationGracePeriodSeconds: 60, // time to finish deliveries in flight
        container: [
          {
            name: ${quoted(name)},
            image: props.image,
            cpu: 0.5,
            memory: "1Gi",
            env: ${environment}.forContainerApp().env,
            startupProbe: [{ transport: "HTTP", port: ${port}, path: "/readyz" }],
            readinessProbe: [{ transport: "HTTP", port: ${port}, path: "/readyz" }],
            livenessProbe: [{ transport: "HTTP", port: ${port}, path: "/healthz" }],
          },
        ],
      },
    });
    // Event Grid sends the handshake when the subscription is created, so the app must run by then.
    ${variable}.waitFor(${variable}App);
`;
}

function usesCatalogue({ input, typesAreKnown }: BindingSpec): boolean {
  return input !== undefined && (typesAreKnown || input.source === "storage");
}

function provisionsTopic(input: InputSpec | undefined): boolean {
  return input?.source === "topic";
}

function provisionsStorage(input: InputSpec | undefined): boolean {
  return input?.source === "storage";
}

/** A query counts as a secret and does not belong into the code. */
function hasQuery({ subscriberEndpoint }: InputSpec): boolean {
  return new URL(subscriberEndpoint).search !== "";
}

function camel(name: string): string {
  return namesOf(name.replaceAll("_", "-")).variable;
}
