import { quoted } from "./events-file.js";
import {
  adoptedAssignments,
  type BindingSpec,
  directionOf,
  type InputSpec,
  namesOf,
  type ProjectSpec,
  pathOf,
} from "./spec.js";

/** The part of `stack.ts` that creates one binding, its outputs and its container app. */
export function bindingOf(binding: BindingSpec, spec: ProjectSpec): string {
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

/** Whether the stack restricts the subscription to the types of the catalogue. */
export function usesCatalogue({ input, typesAreKnown }: BindingSpec): boolean {
  return input !== undefined && (typesAreKnown || input.source === "storage");
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
    ...(hosted ? [] : ["subscribed: props.subscribed"]),
    ...(adopt
      ? [
          "existingSubscription: props.existingSubscription",
          `existingAssignments: [${adoptedAssignments.map(quoted).join(", ")}]`,
        ]
      : []),
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

/** A query counts as a secret and does not belong in the code. */
function hasQuery({ subscriberEndpoint }: InputSpec): boolean {
  return new URL(subscriberEndpoint).search !== "";
}

function camel(name: string): string {
  return namesOf(name.replaceAll("_", "-")).variable;
}
