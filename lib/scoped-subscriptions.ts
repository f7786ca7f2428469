import { Fn, Token } from "cdktf";
import { formatScope, parseScope } from "cloud-eventgrid-binding-runtime/binding";
import type { CloudEventGridBindingProps, ExistingSubscriptionOptions } from "./binding-props.js";
import { functionArgument } from "./function-argument.js";
import type { InputBinding } from "./input-half.js";
import { OWN_SCOPE } from "./own-scope.js";
import { additionalScopes } from "./scope-checks.js";
import type { SubscriptionSettings } from "./subscription-settings.js";

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

/** The event subscription of the binding's scope, and those of its additional scopes. */
export function scopedSubscriptions(
  binding: InputBinding & { readonly eventSubscriptionName?: string },
  props: CloudEventGridBindingProps,
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
function sharedSettings(props: CloudEventGridBindingProps): ScopedSubscription["settings"] {
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
