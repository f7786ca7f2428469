import { Fn, Token } from "cdktf";
import { formatScope, parseScope } from "cloud-eventgrid-binding-runtime/binding";
import { functionArgument } from "../terraform/index.js";
import type {
  AdditionalScope,
  ExistingSubscriptionOptions,
  SubscriptionOptions,
  SubscriptionSettings,
} from "./settings.js";

/** What the binding's own scope is called where those of `additionalScopes` go by their keys. */
export const OWN_SCOPE = "scope";

/** One event subscription of a binding. */
export interface ScopedSubscription {
  /** Construct id within the binding. */
  readonly id: string;
  /** What the props call its scope: {@link OWN_SCOPE}, or a key of `additionalScopes`. */
  readonly key: string;
  /** Resource ID with one leading slash and none at the end. */
  readonly scope: string;
  /** Whether it is a whole subscription, as far as its text tells. */
  readonly ofSubscription: boolean;
  readonly name: string;
  readonly settings: SubscriptionSettings & ExistingSubscriptionOptions;
}

/** The settings of one event subscription of a binding, and what messages call it. */
export interface NamedScope {
  readonly key: string;
  readonly settings: AdditionalScope;
}

/** The additional scopes, each in its long form. */
export function additionalScopes({
  additionalScopes: scopes = {},
}: SubscriptionOptions): NamedScope[] {
  return Object.entries(scopes).map(([key, scope]) => ({
    key,
    settings: typeof scope === "string" ? { scope } : scope,
  }));
}

/** The event subscription of the binding's scope, and those of its additional scopes. */
export function scopedSubscriptions(
  binding: { readonly scope: string; readonly eventSubscriptionName?: string },
  props: SubscriptionOptions,
): ScopedSubscription[] {
  const name = binding.eventSubscriptionName ?? "";
  const shared = sharedSettings(props);
  return [
    {
      id: "subscription",
      key: OWN_SCOPE,
      scope: normalisedScope(binding.scope),
      ofSubscription: isSubscription(binding.scope),
      name,
      settings: withEventTypes(props),
    },
    ...additionalScopes(props).map(
      ({ key, settings: { scope, eventSubscriptionName, ...rest } }) => ({
        id: `subscription-${key}`,
        key,
        scope: normalisedScope(scope),
        ofSubscription: isSubscription(scope),
        name: eventSubscriptionName ?? name,
        settings: withEventTypes({ ...shared, ...rest }),
      }),
    ),
  ];
}

/**
 * What the subscriptions of all scopes have in common: how events are delivered, and the service's
 * catalogue. Which events are delivered is each scope's own matter, because one resource's types and
 * subjects are not another's: a filter that was inherited would let nothing through.
 */
function sharedSettings(props: SubscriptionOptions): ScopedSubscription["settings"] {
  const {
    existingSubscription: _existing,
    adoptionLabel: _label,
    includedEventTypes: _types,
    subjectFilter: _subjects,
    advancedFilters: _filters,
    filterArrays: _arrays,
    ...shared
  } = props;
  return shared;
}

function withEventTypes(settings: ScopedSubscription["settings"]): ScopedSubscription["settings"] {
  const includedEventTypes = settings.includedEventTypes ?? settings.events?.types;
  return { ...settings, ...(includedEventTypes && { includedEventTypes }) };
}

/** A trailing slash would have role assignments replaced at every plan, and a destroy hang. */
function normalisedScope(scope: string): string {
  if (Token.isUnresolved(scope)) return `/${Token.asString(Fn.trim(functionArgument(scope), "/"))}`;
  return formatScope(parseScope(scope));
}

/** In `/subscriptions/${id}` only the ID is unknown. */
function isSubscription(scope: string): boolean {
  return /^\/*subscriptions\/[^/]+\/*$/i.test(scope);
}
