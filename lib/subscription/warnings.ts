import { Annotations, Token } from "cdktf";
import type { BindingProps } from "cloud-eventgrid-binding-runtime/binding";
import type { Construct } from "constructs";
import { filterWarnings, isUnfiltered } from "./filter-warnings.js";
import type { ScopedSubscription } from "./scoped-subscriptions.js";
import type { DeliveryProperty, SubscriptionSettings } from "./settings.js";

/** Warns of what is allowed and still likely to be regretted. */
export function warn(
  construct: Construct,
  binding: { readonly subscriberEndpoint: string; readonly writer: string },
  props: SubscriptionSettings,
  scopes: readonly ScopedSubscription[],
): void {
  const annotations = Annotations.of(construct);
  if (binding.subscriberEndpoint.includes("?")) {
    annotations.addWarning(
      "subscriberEndpoint has a query string, which counts as a secret: it lies readable in " +
        "Terraform's state and plan. Deliveries are authenticated by their token; leave the query out",
    );
  }
  if (binding.writer === "client") {
    annotations.addInfo(
      'With writer "client" the application must be allowed to list the resource providers of the ' +
        "subscription already when Terraform plans: give it Reader there, or set " +
        "ARM_PROVIDER_ENHANCED_VALIDATION=false in the environment of terraform plan and apply",
    );
  }
  for (const warning of filterWarnings(props, scopes)) annotations.addWarning(warning);
  for (const { id, scope, ofSubscription, settings } of scopes) {
    if (ofSubscription && isUnfiltered(settings)) {
      annotations.addWarning(
        `${id}: the scope is a whole subscription and nothing is filtered, so that every event of ` +
          "all its resources is delivered: name includedEventTypes or a subjectFilter",
      );
    }
    if (settings.batching && settings.batching.maxEventsPerBatch !== 1 && !settings.deadLetter) {
      annotations.addWarning(
        `${id}: a batch that is rejected for one of its events is rejected as a whole, and without ` +
          "deadLetter all of them are lost",
      );
    }
    for (const field of identitiesOf(settings)) {
      if (isOfEventGrid(scope)) continue;
      annotations.addWarning(
        `${id}: ${field} is that of a topic, and the scope is none: Azure refuses the event ` +
          `subscription unless a system topic for the scope has that identity (${scope})`,
      );
    }
    for (const property of settings.deliveryProperties ?? []) {
      if (isLiteralSecret(property)) {
        annotations.addWarning(literalSecret(`deliveryProperties "${property.headerName}"`));
      }
    }
  }
}

/** Warns of secrets that are written out in the code. */
export function warnOfLiteralSecrets(construct: Construct, contract: BindingProps): void {
  for (const field of ["cloudClientSecret", "accessKey"] as const) {
    const value = contract[field];
    if (value === undefined || Token.isUnresolved(value)) continue;
    Annotations.of(construct).addWarning(literalSecret(field));
  }
}

function literalSecret(what: string): string {
  return (
    `${what} is written out, so that it lies readable in the synthesized JSON: pass a sensitive ` +
    "TerraformVariable, or look it up in a key vault"
  );
}

function isLiteralSecret({ value, secret }: DeliveryProperty): boolean {
  return secret === true && value !== undefined && !Token.isUnresolved(value);
}

function identitiesOf({ deadLetter, deliveryIdentity }: SubscriptionSettings): string[] {
  return [
    ...(deadLetter?.identity ? ["deadLetter.identity"] : []),
    ...(deliveryIdentity ? ["deliveryIdentity"] : []),
  ];
}

/** Topics and domains of Event Grid have identities themselves; of a later value nobody knows. */
function isOfEventGrid(scope: string): boolean {
  return Token.isUnresolved(scope) || /\/providers\/Microsoft\.EventGrid\//i.test(scope);
}
