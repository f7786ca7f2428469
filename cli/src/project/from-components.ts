import { systemEventTypes } from "cloud-eventgrid-binding-runtime/events";
import { groupsOf, subscriptionNameRule } from "cloud-eventgrid-binding-runtime/internal";
import type { ReadComponent } from "../bindings/index.js";
import { namesIn } from "../resource-id.js";
import { byProjectName } from "./names.js";
import type { AppKind } from "./new-project.js";
import { compose, type Files } from "./templates.js";
import {
  type Cdk,
  cdkValues,
  directionValue,
  nameValues,
  TEMPLATE_TYPE,
  webhookValues,
} from "./values.js";

/** The options of the command line that complete the documents. */
export interface ConversionOptions {
  readonly cdk: Cdk;
  readonly app: AppKind;
  readonly eventTypes: readonly string[];
  readonly adopt: boolean;
  /** @default the component's name */
  readonly name: string | undefined;
}

/**
 * The projects that provision the bindings of component documents: one for each, by its folder. The
 * deployer writes the event subscriptions from now on, so the client secrets are left out.
 *
 * @throws {CommandError} when two components have the same name
 * @throws {UsageError} when several components are to have one name
 */
export function projectsOfComponents(
  components: readonly ReadComponent[],
  options: ConversionOptions,
): Readonly<Record<string, Files>> {
  return Object.fromEntries(
    [...byProjectName(components, options.name)].map(([name, component]) => [
      name,
      projectOf(component, name, options),
    ]),
  );
}

function projectOf(component: ReadComponent, name: string, options: ConversionOptions): Files {
  const { props } = component;
  const { cdk, app, eventTypes, adopt } = options;
  const endpoint = props.subscriberEndpoint;
  const receives = endpoint !== undefined;
  const publishes = props.topicEndpoint !== undefined;
  const hasSecretEndpoint = receives && new URL(endpoint).search !== "";
  const types = eventTypes.length > 0 ? eventTypes : [`com.example.${name}.created`];
  const system = types.filter((type) => knownTypes.has(type));
  const own = types.filter((type) => !knownTypes.has(type));
  const first = String(own[0] ?? system[0]);
  const isKnown = receives && eventTypes.length > 0;
  // The event subscription to take over, and the topic to publish to, exist in Azure only.
  const local = receives && !publishes && !adopt ? localAzure(component, name) : undefined;
  const hasSecrets = publishes || hasSecretEndpoint;

  const files = compose({
    folders: [
      "project",
      ...(receives ? ["receive", "webhook", app, ...(publishes ? ["both"] : [])] : ["publish"]),
      ...(receives ? ["known-tenant"] : []),
      "component",
      ...(local === undefined ? [] : ["local"]),
      ...(receives && !isKnown ? ["example-events"] : []),
      ...(hasSecrets ? ["secrets"] : []),
      "rights",
      ...(receives ? ["elsewhere"] : []),
      ...(receives && adopt ? ["adopt"] : []),
      ...(receives ? ["doctor"] : []),
      cdk,
    ],
    choices: {
      both: receives && publishes,
      component: true,
      receives,
      topic: true,
      webhook: receives,
      scope: receives,
      "no-resources": !receives,
      publishes,
      adopt: receives && adopt,
      secrets: hasSecrets,
      "secret-endpoint": hasSecretEndpoint,
      "known-events": isKnown,
      "example-events": receives && !isKnown,
      "system-events": system.length > 0,
      "own-events": own.length > 0,
    },
    values: {
      ...nameValues(name),
      '"binding"': JSON.stringify(bindingId(component)),
      ...cdkValues[cdk],
      ...(local && { TOPIC_NAME: local.topics[0].name }),
      ...(receives && webhookValues(withoutQuery(endpoint), props.handshakePort ?? "9000")),
      [JSON.stringify(TEMPLATE_TYPE)]: JSON.stringify(first),
      // In a shell.
      [TEMPLATE_TYPE]: /[^\w./-]/.test(first) ? `'${first.replaceAll("'", "'\\''")}'` : first,
      '"Microsoft.Storage.BlobCreated"': system.map((type) => JSON.stringify(type)).join(", "),
      ...directionValue([receives && "input", publishes && "output"].filter(Boolean).join(", ")),
    },
  });
  return {
    ...files,
    "component.ts": componentFile(component),
    ...(local && { "cloud-eventgrid-local.json": `${JSON.stringify(local, null, 2)}\n` }),
    "src/events.ts": repeated(files["src/events.ts"], first, own),
    ...(receives && { "src/handlers.ts": repeated(files["src/handlers.ts"], first, types) }),
  };
}

/**
 * The configuration of a local Azure with what the component expects: its topic, and its application
 * without the app role, which the stack adds. Undefined if the events come from something else.
 */
function localAzure({ props }: ReadComponent, displayName: string) {
  const scope = String(props.scope);
  const [name] = namesIn(scope, "Microsoft.EventGrid/topics");
  const [, , , , resourceGroupName] = scope.split("/");
  if (name === undefined) return undefined;
  return {
    tenantId: props.cloudTenantId,
    subscriptionId: props.cloudSubscriptionId,
    topics: [{ name, resourceGroupName }],
    applications: [{ displayName, clientId: props.cloudClientId, roles: [] }],
  } as const;
}

/**
 * The construct's id. An event subscription without `eventSubscriptionName` gets the component's name
 * by it, as that may have hyphens, which the field refuses.
 */
function bindingId({ name }: ReadComponent): string {
  return subscriptionNameRule.test(name) ? "binding" : name;
}

/** `component.ts`: the fields of the document that are not secret. */
function componentFile({ name, props }: ReadComponent): string {
  const {
    cloudTenantId,
    cloudSubscriptionId,
    cloudClientId,
    cloudEnvironment,
    subscriberEndpoint,
    handshakePort,
    scope,
    eventSubscriptionName,
    topicEndpoint,
  } = props;
  const isSecret = subscriberEndpoint !== undefined && new URL(subscriberEndpoint).search !== "";
  const fields = Object.entries({
    cloudTenantId,
    cloudSubscriptionId,
    cloudClientId,
    cloudEnvironment: cloudEnvironment === "public" ? undefined : cloudEnvironment,
    subscriberEndpoint: isSecret ? undefined : subscriberEndpoint,
    handshakePort,
    scope,
    eventSubscriptionName:
      eventSubscriptionName ??
      (scope !== undefined && subscriptionNameRule.test(name) ? name : undefined),
    topicEndpoint,
  }).flatMap(([field, value]) => (value === undefined ? [] : [entry(field, value)]));
  return `/** The fields of the component document, without its secrets. */
export const component = {
${fields.join("\n")}
} as const;
`;
}

function entry(field: string, value: string): string {
  const line = `  ${field}: ${JSON.stringify(value)},`;
  return line.length <= 100 ? line : `  ${field}:\n    ${JSON.stringify(value)},`;
}

/** Repeats the entry of a catalogue or of its handlers for each event type. */
function repeated(text = "", type: string, types: readonly string[]): string {
  const start = text.indexOf(`  ${JSON.stringify(type)}: `);
  if (start < 0) return text;
  const [entry] = groupsOf(/^(.*(?:\),|(?:\n {3}.*)*\n {2}\},)\n)/, text.slice(start));
  const entries = types.map((each) =>
    entry.replace(JSON.stringify(type), () => JSON.stringify(each)),
  );
  return text.slice(0, start) + entries.join("") + text.slice(start + entry.length);
}

const knownTypes: ReadonlySet<string> = new Set(Object.values(systemEventTypes).flat());

function withoutQuery(endpoint: string): string {
  const url = new URL(endpoint);
  url.search = "";
  return url.href;
}
