import { Annotations, Token } from "cdktf";
import {
  type BindingProps,
  isLoopback,
  showName,
  showValue,
} from "cloud-eventgrid-binding-runtime/internal";
import type { Construct } from "constructs";
import type { AdvancedFilter } from "./advanced-filters.js";
import { warnOfClosedAccount } from "./dead-letter.js";
import { eventTypes, eventTypeWarnings, listed, mayRaise } from "./event-types.js";
import { namedScopes, OWN_SCOPE, type ScopedSubscription } from "./scopes.js";
import type { DeliveryProperty, SubscriptionOptions, SubscriptionSettings } from "./settings.js";
import { storageSubjectWarnings } from "./storage-subjects.js";

/** Warns of settings that are valid but probably a mistake. */
export function warn(
  construct: Construct,
  binding: {
    readonly subscriberEndpoint: string;
    readonly writer: string;
    readonly scope: string;
  },
  props: SubscriptionOptions,
  scopes: readonly ScopedSubscription[],
): void {
  const annotations = Annotations.of(construct);
  if (binding.subscriberEndpoint.includes("?")) {
    annotations.addWarning(
      "subscriberEndpoint has a query string, which is readable in Terraform's state and plan. " +
        "Deliveries are authenticated by their token, so leave the query out",
    );
  }
  const endpoint = binding.subscriberEndpoint;
  if (URL.canParse(endpoint) && isLoopback(new URL(endpoint))) {
    annotations.addWarning(
      `subscriberEndpoint is ${showValue(binding.subscriberEndpoint)}, which Azure cannot reach: use a ` +
        "public host name, which the local Azure's ingress forwards to this machine",
    );
  }
  if (binding.writer === "client") {
    annotations.addInfo(
      'With writer "client" and azurerm 4, the application must be allowed to list the resource providers ' +
        "of the subscription when Terraform plans: grant it Reader there, or set " +
        "ARM_PROVIDER_ENHANCED_VALIDATION=false in the environment of terraform plan and apply. " +
        "azurerm 5 does not list them by default, and refuses to start where the variable is set",
    );
  }
  for (const warning of [
    ...unfilteredScopes(scopes),
    ...catalogueWarnings(construct, props, scopes),
    ...filterWarnings(construct, props, binding.scope),
  ]) {
    annotations.addWarning(warning);
  }
  for (const { id, prefix, scope, ofSubscription, settings, isCatalogue } of scopes) {
    const { deadLetter } = settings;
    if (deadLetter) {
      warnOfClosedAccount(construct, `${prefix}deadLetter`, deadLetter, deadLetter.identity?.type);
    }
    if (ofSubscription && isUnfiltered(settings)) {
      annotations.addWarning(
        `${id}: the scope is a whole subscription without filters, so that every event of all its ` +
          "resources is delivered: set includedEventTypes or a subjectFilter",
      );
    }
    if (eventTypes(construct, scope, settings.includedEventTypes, isCatalogue) === undefined) {
      annotations.addWarning(
        `${id}: the event types of the scope are not known here. If includedEventTypes were set before, ` +
          "Azure keeps them, because the provider does not remove them: set includedEventTypes",
      );
    }
    if (settings.batching && settings.batching.maxEventsPerBatch !== 1 && !settings.deadLetter) {
      annotations.addWarning(
        `${id}: a batch that is rejected because of one event is rejected as a whole, and without ` +
          "deadLetter all its events are lost",
      );
    }
    if (settings.deadLetter?.identity && !isOfEventGrid(scope)) {
      annotations.addWarning(
        `${id}: deadLetter.identity must be an identity of a topic, but the scope is not a topic: Azure refuses the ` +
          `event subscription unless a system topic for the scope has that identity (${scope})`,
      );
    }
    for (const property of settings.deliveryProperties ?? []) {
      if (isLiteralSecret(property)) {
        annotations.addWarning(literalSecret(`deliveryProperties "${property.headerName}"`));
      }
    }
  }
}

/** Warnings about filters that probably let nothing through. */
export function filterWarnings(
  construct: Construct,
  props: SubscriptionOptions,
  ownScope: string,
): string[] {
  return [
    ...eventTypeWarnings(construct, props, ownScope),
    ...storageSubjectWarnings(construct, props, ownScope),
    ...namedScopes(props).flatMap(({ prefix, settings }) =>
      schemaKeyWarnings(settings.advancedFilters, `${prefix}advancedFilters`),
    ),
  ];
}

/** The names in CloudEvents of the attributes of the Event Grid schema. */
const cloudEventNames: Readonly<Record<string, string>> = {
  eventtype: "use type",
  eventid: "use id",
  eventtime: "use time",
  topic: "use source",
  dataversion: "they have no such attribute",
  metadataversion: "they have no such attribute",
};

/** Warnings about filter keys of the Event Grid schema: the constructs always write CloudEvents. */
export function schemaKeyWarnings(
  filters: readonly AdvancedFilter[] | undefined,
  field: string,
): string[] {
  if (!Array.isArray(filters) || Token.isUnresolved(filters)) return [];
  return filters.flatMap(({ key }, i) => {
    const advice = cloudEventNames[key.toLowerCase()];
    if (advice === undefined || Token.isUnresolved(key)) return [];
    return `${field}[${i}].key is ${showValue(key)}, a name of the Event Grid schema that CloudEvents do not have: ${advice}`;
  });
}

/** Warns of secrets that are literals in the code. */
export function warnOfLiteralSecrets(construct: Construct, contract: BindingProps): void {
  for (const field of ["cloudClientSecret", "accessKey"] as const) {
    const value = contract[field];
    if (value === undefined || Token.isUnresolved(value)) continue;
    Annotations.of(construct).addWarning(literalSecret(field));
  }
}

function literalSecret(field: string): string {
  return (
    `${field} is a literal, which is readable in the synthesized JSON: pass a sensitive ` +
    "TerraformVariable, or look it up in a key vault"
  );
}

function isLiteralSecret({ value, secret }: DeliveryProperty): boolean {
  return secret === true && value !== undefined && !Token.isUnresolved(value);
}

/** Topics and domains have identities themselves; a token may be the ID of one. */
function isOfEventGrid(scope: string): boolean {
  return Token.isUnresolved(scope) || /\/providers\/Microsoft\.EventGrid\//i.test(scope);
}

/** Reports whether a subscription delivers every event of its scope. */
function isUnfiltered(settings: SubscriptionSettings): boolean {
  const { includedEventTypes = [], advancedFilters = [], subjectFilter } = settings;
  return (
    includedEventTypes.length === 0 &&
    advancedFilters.length === 0 &&
    subjectFilter?.beginsWith === undefined &&
    subjectFilter?.endsWith === undefined
  );
}

/** A filter of the binding does not apply to additional scopes, which is easily overlooked. */
function unfilteredScopes(scopes: readonly ScopedSubscription[]): string[] {
  const own = scopes.find(({ key }) => key === OWN_SCOPE);
  if (own === undefined || isUnfiltered(own.settings)) return [];
  return scopes
    .filter(({ key }) => key !== OWN_SCOPE)
    .filter(({ settings }) => !settings.includedEventTypes && isUnfiltered(settings))
    .map(
      ({ key }) =>
        `additionalScopes.${showName(key)} gets every event of its resource, because the filters of the binding ` +
        "apply only to its own scope: set includedEventTypes, to an empty list for all types",
    );
}

function catalogueWarnings(
  construct: Construct,
  { events, includedEventTypes }: SubscriptionSettings,
  scopes: readonly ScopedSubscription[],
): string[] {
  if (events === undefined || includedEventTypes === undefined) return [];
  if (Token.isUnresolved(includedEventTypes) || Token.isUnresolved(events.types)) return [];
  const delivered = scopes.map(({ settings }) => settings.includedEventTypes ?? []);
  const warnings: string[] = [];
  const unhandled = includedEventTypes.filter((type) => !events.types.includes(type));
  if (unhandled.length > 0) {
    warnings.push(
      `${listed(unhandled)} is delivered, but events does not have it: the service does not handle it`,
    );
  }
  const deliversAll = delivered.some((types) => types.length === 0 || Token.isUnresolved(types));
  const missing = events.types
    .filter((type) => !delivered.flat().includes(type))
    .filter((type) => scopes.some(({ scope }) => mayRaise(construct, scope, type)));
  if (!deliversAll && missing.length > 0) {
    warnings.push(
      `events has ${listed(missing)}, which is not delivered: add it to the types that the binding or ` +
        "its source includes, or leave those out",
    );
  }
  return warnings;
}
