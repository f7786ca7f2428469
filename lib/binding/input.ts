import type { EventgridEventSubscription } from "@cdktf/provider-azurerm/lib/eventgrid-event-subscription/index.js";
import { AzurermProvider } from "@cdktf/provider-azurerm/lib/provider/index.js";
import type { RoleAssignment } from "@cdktf/provider-azurerm/lib/role-assignment/index.js";
import type { TerraformProvider } from "cdktf";
import { problem, type ResolvedBinding } from "cloud-eventgrid-binding-runtime/internal";
import type { Construct } from "constructs";
import { type IWebhookApplication, SubscriberRole } from "../application/index.js";
import { assignAppRoleToWriters, callerOf, grantWriting, waitForRoles } from "../roles/index.js";
import {
  eventSubscription,
  grantDeadLettering,
  probeWebhook,
  refuseSecond,
  registeredUrl,
  type ScopedSubscription,
  warn,
} from "../subscription/index.js";
import {
  Dependencies,
  identityOf,
  OncePerStack,
  registerEventGrid,
  shortHash,
} from "../terraform/index.js";
import { report } from "../validation/index.js";
import type { CloudEventGridBindingProps } from "./props.js";

type InputBinding = Extract<ResolvedBinding, { readonly cloudTenantId: string }>;

/**
 * Provisions the input direction: registration, roles, and then the event subscriptions.
 *
 * @param before gets everything that must exist before Event Grid performs the handshake
 * @returns the event subscriptions by `scope`, and the keys of `additionalScopes`
 */
export function provisionInput(
  construct: Construct,
  binding: InputBinding,
  props: CloudEventGridBindingProps,
  scopes: readonly ScopedSubscription[],
  application: IWebhookApplication,
  before: Dependencies,
): ReadonlyMap<string, EventgridEventSubscription> {
  const subscriberRole = SubscriberRole.of(application);
  registerEventGrid(construct, props.providerRegistration, props.azurerm);
  const writing = grantWriting(
    construct,
    binding.cloudSubscriptionId,
    scopes.map(({ scope }) => scope),
    application,
    props,
  );
  const deadLettering = grantDeadLettering(construct, scopes, props);
  before.add(...writing, ...deadLettering, ...subscriberRole.baseAssignments);

  const provider = writerOf(construct, binding, props, application, before);
  before.add(
    ...waitForRoles(construct, props.roleEffectSeconds ?? 60, [
      ...rolesOfWriter(writing, application, props),
      ...deadLettering,
    ]),
  );
  warn(construct, binding, props, scopes);
  const url = registeredUrl(binding.subscriberEndpoint);
  const afterProbe = probe(construct, binding, url, props, before);
  const byScope = new Map<string, EventgridEventSubscription>();
  for (const scoped of props.subscribed === false ? [] : scopes) {
    refuseSecond(construct, scoped.scope, scoped.name, `${construct.node.path}/${scoped.id}`);
    const subscription = eventSubscription(construct, binding, scoped, url, provider);
    afterProbe.attachTo(subscription);
    if (props.protect) {
      subscription.lifecycle = { ...subscription.lifecycle, preventDestroy: true };
    }
    byScope.set(scoped.key, subscription);
  }
  return byScope;
}

/** The client has no other rights; named writers may get theirs here, if the props say so. */
function rolesOfWriter(
  atScope: readonly RoleAssignment[],
  application: IWebhookApplication,
  { writer, writerPrincipals, roleEffectSeconds }: CloudEventGridBindingProps,
) {
  if (writer === "client") return [...atScope, ...SubscriberRole.of(application).baseAssignments];
  return writerPrincipals === undefined || roleEffectSeconds === undefined ? [] : atScope;
}

/** Reports whether the client is given nothing through the provider that registers Event Grid. */
function registersByProvider(props: CloudEventGridBindingProps): boolean {
  const { providerRegistration = "provider", existingAssignments = [] } = props;
  return providerRegistration === "provider" && existingAssignments.includes("clientAtScope");
}

/** The provider that writes the subscriptions. Adds the app role of its identity to `before`. */
function writerOf(
  construct: Construct,
  binding: InputBinding,
  props: CloudEventGridBindingProps,
  application: IWebhookApplication,
  before: Dependencies,
): TerraformProvider | undefined {
  if (binding.writer === "client") {
    // A provider that nothing uses is not configured, and registers nothing.
    if (registersByProvider(props)) before.add(callerOf(construct, props.azurerm));
    return clientProvider(construct, binding);
  }
  before.add(...assignAppRoleToWriters(construct, application, props));
  return props.azurerm;
}

function probe(
  construct: Construct,
  { cloudEnvironment }: InputBinding,
  url: string,
  { webhookProbe, subscribed }: CloudEventGridBindingProps,
  before: Dependencies,
): Dependencies {
  if (!webhookProbe || subscribed === false) return before;
  const probe = probeWebhook(construct, url, cloudEnvironment);
  before.attachTo(probe);
  const after = new Dependencies();
  after.add(probe);
  return after;
}

/** A binding whose event subscriptions its application writes. */
type ClientBinding = Extract<ResolvedBinding, { readonly writer: "client" }>;

interface ClientProvider {
  readonly provider: AzurermProvider;
  readonly secret: string;
}

const clientProviders = new OncePerStack<ClientProvider>("client-provider");

/**
 * The azurerm provider that signs in as the webhook's application: one for all bindings of the stack
 * with the same application. It registers no resource providers, because the application may not.
 */
function clientProvider(construct: Construct, client: ClientBinding): TerraformProvider {
  const key = shortHash(
    identityOf(construct, client.cloudSubscriptionId),
    identityOf(construct, client.cloudClientId),
  );
  const secret = identityOf(construct, client.cloudClientSecret);
  const made = clientProviders.get(construct, key, (home) => {
    const provider = new AzurermProvider(home, `client-provider-${key}`, {
      alias: `eventgrid_client_${key}`,
      features: [{}],
      tenantId: client.cloudTenantId,
      subscriptionId: client.cloudSubscriptionId,
      clientId: client.cloudClientId,
      clientSecret: client.cloudClientSecret,
      environment: client.cloudEnvironment,
      resourceProviderRegistrations: "none",
      // Other credentials in the deployer's environment are not meant for the client.
      useCli: false,
      useMsi: false,
      useOidc: false,
    });
    return { provider, secret };
  });
  if (made.secret !== secret) {
    report(construct, () => [problem("cloudClientSecret", { "same-client": OTHER_SECRET })]);
  }
  return made.provider;
}

const OTHER_SECRET =
  "differs from that of another binding with the same cloudClientId, but all event subscriptions of a " +
  "client are written through one provider: use the same secret for both";
