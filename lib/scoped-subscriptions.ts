import { Fn, Token } from "cdktf";
import { formatScope, parseScope } from "cloud-eventgrid-binding-runtime/binding";
import type { CloudEventGridBindingProps, ExistingSubscriptionOptions } from "./binding-props.js";
import { functionArgument } from "./function-argument.js";
import type { InputBinding } from "./input-half.js";
import { additionalScopes } from "./scope-checks.js";
import type { SubscriptionSettings } from "./subscription-settings.js";

/** One event subscription of a binding. */
export interface ScopedSubscription {
  /** Construct id within the binding. */
  readonly id: string;
  /** Resource ID with one leading slash and none at the end. */
  readonly scope: string;
  readonly name: string;
  readonly settings: SubscriptionSettings & ExistingSubscriptionOptions;
}

/** The event subscription of the binding's scope, and those of its additional scopes. */
export function scopedSubscriptions(
  binding: InputBinding & { readonly eventSubscriptionName?: string },
  props: CloudEventGridBindingProps,
): ScopedSubscription[] {
  const name = binding.eventSubscriptionName ?? "";
  const own = settingsOf(props);
  const { existingSubscription: _, adoptionLabel: __, ...inherited } = own;
  return [
    { id: "subscription", scope: normalisedScope(binding.scope), name, settings: own },
    ...additionalScopes(props).map(
      ({ key, settings: { scope, eventSubscriptionName, ...rest } }) => ({
        id: `subscription-${key}`,
        scope: normalisedScope(scope),
        name: eventSubscriptionName ?? name,
        settings: { ...inherited, ...rest },
      }),
    ),
  ];
}

function settingsOf(props: CloudEventGridBindingProps): ScopedSubscription["settings"] {
  const includedEventTypes = props.includedEventTypes ?? props.events?.types;
  return { ...props, ...(includedEventTypes && { includedEventTypes }) };
}

/** A trailing slash would have role assignments replaced at every plan, and a destroy hang. */
function normalisedScope(scope: string): string {
  if (Token.isUnresolved(scope)) return `/${Token.asString(Fn.trim(functionArgument(scope), "/"))}`;
  return formatScope(parseScope(scope));
}
