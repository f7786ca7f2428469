import { EventgridEventSubscription } from "@cdktf/provider-azurerm/lib/eventgrid-event-subscription/index.js";
import type { ITerraformDependable, TerraformProvider } from "cdktf";
import type { ResolvedBinding } from "cloud-eventgrid-binding-runtime/binding";
import type { Construct } from "constructs";
import type { IWebhookApplication } from "../application/index.js";
import {
  type AzureRoleAssignment,
  assignAppRoleToWriters,
  grantWriting,
  waitForRoles,
} from "../roles/index.js";
import {
  adopt,
  clientProvider,
  grantDeadLettering,
  probeWebhook,
  registeredUrl,
  type ScopedSubscription,
  scopedSubscriptions,
  subscriptionConfig,
  warn,
  withAdoptionLabel,
} from "../subscription/index.js";
import {
  Dependencies,
  identityInAnyCase,
  identityOf,
  OncePerStack,
  registerEventGrid,
} from "../terraform/index.js";
import type { CloudEventGridBindingProps } from "./props.js";

/** A resolved binding that receives events. */
export type InputBinding = Extract<ResolvedBinding, { readonly cloudTenantId: string }>;

/** What the input direction is made of. */
export interface InputHalf {
  readonly subscriptions: readonly EventgridEventSubscription[];
  /** The same, by what the props call their scopes. */
  readonly byScope: ReadonlyMap<string, EventgridEventSubscription>;
  /** What has to be there before Event Grid shakes hands. */
  readonly beforeHandshake: Dependencies;
}

/**
 * Provisions the input direction: registration, roles, and then the event subscriptions.
 *
 * @param checked what checks the values that are known only later
 */
export function provisionInput(
  construct: Construct,
  binding: InputBinding,
  props: CloudEventGridBindingProps,
  application: IWebhookApplication,
  checked: ITerraformDependable | undefined,
): InputHalf {
  const scopes = scopedSubscriptions(binding, props);
  const before = new Dependencies();
  before.add(...registerEventGrid(construct, props.providerRegistration, props.azurerm));
  const writing = grantWriting(
    construct,
    binding.cloudSubscriptionId,
    scopes.map(({ scope }) => scope),
    application,
    props,
  );
  const deadLettering = deadLetterGrants(construct, scopes, props);
  const grants = [...writing, ...deadLettering];
  if (checked) {
    before.add(checked);
    for (const { dependencies } of grants) dependencies.add(checked);
    application.subscriberRole.waitFor(checked);
  }
  before.add(...grants.map(({ resource }) => resource));
  before.add(...application.subscriberRole.baseAssignments);
  before.add(...deliveryIdentityRoles(scopes, application));

  const provider = writerOf(construct, binding, props, application, before);
  before.add(
    ...waitForRoles(construct, props.roleEffectSeconds ?? 60, [
      ...rolesOfWriter(writing, application, props),
      ...deadLettering.map(({ resource }) => resource),
    ]),
  );
  warn(construct, binding, props, scopes);
  const url = registeredUrl(binding.subscriberEndpoint);
  const afterProbe = probe(construct, binding, url, props, before);
  const byScope = new Map<string, EventgridEventSubscription>();
  for (const scoped of props.subscribed === false ? [] : scopes) {
    refuseSecond(construct, scoped);
    const settings = withAdoptionLabel(scoped.settings);
    const config = subscriptionConfig(binding, scoped, settings, url, provider);
    const subscription = new EventgridEventSubscription(construct, scoped.id, config);
    if (settings.existingSubscription === "adopt") adopt(subscription, scoped);
    afterProbe.attachTo(subscription);
    byScope.set(scoped.key, subscription);
  }
  return { subscriptions: [...byScope.values()], byScope, beforeHandshake: before };
}

/** The client has no other rights; a deployer may get its own here, if the props say so. */
function rolesOfWriter(
  grants: readonly AzureRoleAssignment[],
  { subscriberRole }: IWebhookApplication,
  { writer, writerPrincipals, roleEffectSeconds }: CloudEventGridBindingProps,
) {
  const atScope = grants.map(({ resource }) => resource);
  if (writer === "client") return [...atScope, ...subscriberRole.baseAssignments];
  return writerPrincipals === undefined || roleEffectSeconds === undefined ? [] : atScope;
}

/** Paths of the bindings that write event subscriptions, by the subscriptions' IDs. */
const subscribedBy = new OncePerStack<string>("subscribed by");

/** Azure takes the second of a name and scope for an update of the first. */
function refuseSecond(construct: Construct, { id: part, scope, name }: ScopedSubscription): void {
  const path = `${construct.node.path}/${part}`;
  const [at, called] = [identityOf(construct, scope), identityOf(construct, name)];
  const id = `${identityInAnyCase(construct, scope)} ${identityInAnyCase(construct, name)}`;
  const other = subscribedBy.get(construct, id, () => path);
  if (other === path) return;
  const message =
    `eventSubscriptionName ${JSON.stringify(called)} at the scope ${at} is that of ${other}, too: ` +
    "give one of the two another";
  construct.node.addValidation({ validate: () => [message] });
}

/** The provider that writes the subscriptions, once whoever it signs in as may do so. */
function writerOf(
  construct: Construct,
  binding: InputBinding,
  props: CloudEventGridBindingProps,
  application: IWebhookApplication,
  before: Dependencies,
): TerraformProvider | undefined {
  if (binding.writer === "client") return clientProvider(construct, binding);
  before.add(...assignAppRoleToWriters(construct, application, props));
  return props.azurerm;
}

function deadLetterGrants(
  construct: Construct,
  scopes: readonly ScopedSubscription[],
  { azurerm, existingAssignments }: CloudEventGridBindingProps,
): AzureRoleAssignment[] {
  if (existingAssignments?.includes("deadLetter")) return [];
  return scopes.flatMap(({ settings: { deadLetter } }) => {
    if (deadLetter === undefined) return [];
    return grantDeadLettering(construct, deadLetter, azurerm) ?? [];
  });
}

function deliveryIdentityRoles(
  scopes: readonly ScopedSubscription[],
  { subscriberRole }: IWebhookApplication,
): ITerraformDependable[] {
  return scopes.flatMap(({ settings: { deliveryIdentity } }) => {
    const principalId = deliveryIdentity?.principalId;
    return principalId === undefined ? [] : subscriberRole.assignToDeliveryIdentity(principalId);
  });
}

function probe(
  construct: Construct,
  { cloudEnvironment }: InputBinding,
  url: string,
  { webhookProbe, subscribed }: CloudEventGridBindingProps,
  before: Dependencies,
): Dependencies {
  if (!webhookProbe || subscribed === false) return before;
  const options = webhookProbe === true ? {} : webhookProbe;
  const probe = probeWebhook(construct, url, cloudEnvironment, options);
  before.attachTo(probe);
  const after = new Dependencies();
  after.add(probe);
  return after;
}
