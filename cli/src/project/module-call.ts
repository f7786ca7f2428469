import { defaultSubscriptionName } from "cloud-eventgrid-binding-runtime/internal";
import type { ReadComponent } from "../bindings/index.js";
import { trimmedId } from "../resource-id.js";
import { namesOf } from "./names.js";

export interface ModuleCallOptions {
  readonly eventTypes: readonly string[];
  /** Whether the event subscription exists, and is imported. */
  readonly adopted: boolean;
}

/** The block in which Terraform calls the module of this project for a component. */
export interface ModuleCall {
  /** In HCL; empty for a component that only publishes. */
  readonly text: string;
  /** Settings that the call cannot express, each with the alternative. */
  readonly notes: readonly string[];
}

/** The assignments that an adopted event subscription has already, in the words of the module. */
const ADOPTED = ["event_grid", "client", "client_at_scope"];

/**
 * The call of the Terraform module for a component document, whose secrets are left out.
 *
 * @param called what the module is called, see {@link byProjectName}
 */
export function moduleCall(
  { name, props }: ReadComponent,
  called: string,
  { eventTypes, adopted }: ModuleCallOptions,
): ModuleCall {
  const { folder, output: label, prefix } = namesOf(called);
  const notes: string[] = [];
  if (props.topicEndpoint !== undefined) {
    notes.push(
      `The module does not publish: give the service ${prefix}_TOPIC_ENDPOINT (${props.topicEndpoint}), and ${prefix}_ACCESS_KEY, or ${prefix}_PUBLISH_WITH=entra with the role EventGrid Data Sender.`,
    );
  }
  if (props.subscriberEndpoint === undefined || props.scope === undefined) {
    return { text: "", notes };
  }
  const subscription = props.eventSubscriptionName ?? defaultSubscriptionName(name);
  const isSecret = new URL(props.subscriberEndpoint).search !== "";
  const { cloudEnvironment: cloud = "public" } = props;
  const scope = trimmedId(props.scope);
  notes.push(
    "source is the folder terraform of a clone of the repository: change it to yours.",
    `azurerm and azuread sign in to the tenant ${props.cloudTenantId}, azurerm to the Azure subscription ${props.cloudSubscriptionId}.`,
    "Whoever applies writes the event subscription: the client secret is not used. See the example client-writes for an application that writes it.",
  );
  if (isSecret) notes.push("webhook_url has a query, which is a secret: declare var.webhook_url.");
  if (cloud === "china") {
    notes.push("The module has no cloud china: use modules/webhook-application instead.");
  }
  if (eventTypes.length === 0 && !/\/providers\/Microsoft\.EventGrid\//i.test(scope)) {
    notes.push("The scope is no topic: name its types in included_event_types (--event-type).");
  }
  const call = {
    source: '"../cloud-eventgrid-binding/terraform"',
    name: quoted(folder),
    webhook_url: isSecret ? "var.webhook_url" : quoted(props.subscriberEndpoint),
    port: props.handshakePort,
    scope: quoted(scope),
    client_id: props.cloudClientId && quoted(props.cloudClientId),
    event_subscription_name: subscription === folder ? undefined : quoted(subscription),
    included_event_types: eventTypes.length === 0 ? undefined : list(eventTypes),
    cloud: cloud === "public" ? undefined : quoted(cloud),
    authority_host: props.cloudAuthorityHost && quoted(props.cloudAuthorityHost),
    labels: adopted ? list(["adopted"]) : undefined,
    existing_assignments: adopted ? list(ADOPTED) : undefined,
  };
  const imported = {
    to: `module.${label}.module.event_subscription[0].azurerm_eventgrid_event_subscription.this`,
    id: quoted(`${scope}/providers/Microsoft.EventGrid/eventSubscriptions/${subscription}`),
  };
  const blocks = [
    block(`module "${label}"`, call),
    ...(adopted ? [block("import", imported)] : []),
  ];
  return { text: blocks.join("\n"), notes };
}

/** A block, with the values aligned as `terraform fmt` does. */
function block(header: string, given: Readonly<Record<string, string | undefined>>): string {
  const settings = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const width = Math.max(...settings.map(([name]) => name.length));
  const lines = settings.map(([name, value]) => `  ${name.padEnd(width)} = ${value}\n`);
  return `${header} {\n${lines.join("")}}\n`;
}

function quoted(text: string): string {
  return JSON.stringify(text).replace(/[$%](?=\{)/g, "$&$&");
}

function list(texts: readonly string[]): string {
  return `[${texts.map(quoted).join(", ")}]`;
}
