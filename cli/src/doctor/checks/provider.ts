import { type Answer, type Azure, textAt } from "../../azure/index.js";
import { sameId, subscriptionIdOf } from "../../resource-id.js";
import { Doubt, isOneOf } from "../../rules/index.js";
import { type Finding, type Findings, findings } from "../finding.js";

const PROVIDERS_API = "2022-09-01";

/**
 * Says that Resource Manager does not show the Azure subscription of a resource at all; undefined if
 * that is not what it answered. Every check that comes across it returns this same finding.
 */
export function missingSubscription(
  answer: Pick<Answer, "code"> | Doubt,
  resourceId: string | undefined,
): Finding | undefined {
  const code = answer instanceof Doubt ? answer.words.cause?.split(" ")[1] : answer.code;
  const subscriptionId = String(subscriptionIdOf(resourceId));
  if (code === "InvalidAuthenticationTokenTenant") {
    return findings("provider").failed(
      `the Azure subscription ${subscriptionId} belongs to another tenant than your sign-in`,
      { text: "sign in to the tenant of the subscription", command: "az login --tenant <id>" },
    );
  }
  const isUnknown = code === "SubscriptionNotFound" || code === "InvalidSubscriptionId";
  return isUnknown ? unknown(subscriptionId) : undefined;
}

function unknown(subscriptionId: string): Finding {
  return findings("provider").failed(
    `the Azure subscription ${subscriptionId} does not exist, or you have no access to it`,
    {
      text: "check cloudSubscriptionId and the scope, and your sign-in",
      command: "az account show",
    },
  );
}

/**
 * Whether Event Grid may be used in the Azure subscription at all.
 *
 * @param tenantId of the webhook's application. That of the Azure subscription may be another one only if an
 * application of both writes the event subscription, see
 * https://learn.microsoft.com/azure/event-grid/secure-webhook-delivery
 * @returns nothing when the registration cannot be read, because it takes a role at the Azure
 * subscription; an event subscription that exists implies it
 */
export async function checkProvider(
  azure: Azure,
  subscriptionId: string,
  subscriptionExists: boolean,
  tenantId?: string,
): Promise<Findings> {
  const finding = findings("provider");
  const path = `/subscriptions/${subscriptionId}/providers/Microsoft.EventGrid`;
  const answer = await azure.arm(path, PROVIDERS_API);
  const { status, body } = answer;
  const missing = missingSubscription(answer, path) ?? (status === 404 && unknown(subscriptionId));
  if (missing) return missing;
  const subscription = await azure.arm(`/subscriptions/${subscriptionId}`, "2022-12-01");
  const subscriptionState = textAt(subscription.body, "state");
  if (isOneOf(subscriptionState, "Disabled", "Deleted", "Expired")) {
    return finding.failed(
      `the Azure subscription ${subscriptionId} is ${subscriptionState}: its resources deliver nothing`,
      "reactivate it in the Azure portal under Subscriptions",
    );
  }
  if (subscriptionState === undefined) {
    return subscription.status === 200
      ? finding.notShown(`the state of the Azure subscription ${subscriptionId}`)
      : finding.unreadable("the Azure subscription", subscription);
  }
  const tenant = textAt(subscription.body, "tenantId") ?? tenantId;
  if (tenantId !== undefined && !sameId(tenant, tenantId)) {
    return finding.unknown(
      `the Azure subscription ${subscriptionId} belongs to the tenant ${tenant}, but the definition names ${tenantId}`,
      "check cloudTenantId; between tenants, only a multitenant application can write the event subscription",
    );
  }
  if (status !== 200) {
    return subscriptionExists ? [] : [finding.unreadable("the provider's registration", answer)];
  }
  const state = textAt(body, "registrationState");
  if (state === "Registered") return finding.ok("Microsoft.EventGrid is registered");
  return finding.failed(
    `Microsoft.EventGrid is ${state ?? "in an unknown state"}, not Registered`,
    {
      command: `az provider register --namespace Microsoft.EventGrid --subscription ${subscriptionId} --wait`,
    },
  );
}
