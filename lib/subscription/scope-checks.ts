import { Token } from "cdktf";
import { type BindingProps, validateBinding } from "cloud-eventgrid-binding-runtime/binding";
import { trimmedId } from "../terraform/index.js";
import { received } from "../validation/index.js";
import { additionalScopes, type NamedScope, OWN_SCOPE } from "./scoped-subscriptions.js";
import type { SubscriptionOptions } from "./settings.js";
import { subscriptionProblems } from "./subscription-checks.js";

/** What is wrong with a binding's additional scopes, as far as it is known by now. */
export function additionalScopeProblems(
  props: SubscriptionOptions,
  definition: BindingProps,
): string[] {
  return [
    ...additionalScopes(props).flatMap((scope) => scopeProblems(scope, definition)),
    ...sameSubscription(props, definition),
  ];
}

function scopeProblems({ key, settings }: NamedScope, definition: BindingProps): string[] {
  const field = `additionalScopes.${key}`;
  const { scope, eventSubscriptionName, existingSubscription } = settings;
  const problems = validateBinding(
    { ...definition, scope, ...(eventSubscriptionName !== undefined && { eventSubscriptionName }) },
    {
      isUnresolved: Token.isUnresolved,
      existingSubscription: existingSubscription !== undefined,
    },
  )
    .filter((problem) =>
      problem.field === "scope"
        ? true
        : problem.field === "eventSubscriptionName" && eventSubscriptionName !== undefined,
    )
    .map(({ message }) => `${field}.${message}`);
  if (!/^[a-zA-Z0-9-]{1,40}$/.test(key)) {
    problems.push(
      `additionalScopes must have keys of 1 to 40 letters, digits and hyphens, but has ${received(key)}`,
    );
  }
  if (key === OWN_SCOPE) {
    problems.push(`additionalScopes must not have the key "${OWN_SCOPE}": it is the binding's own`);
  }
  return [...problems, ...subscriptionProblems(settings, `${field}.`)];
}

/** Two subscriptions of the same name at the same scope would be one. */
function sameSubscription(props: SubscriptionOptions, definition: BindingProps): string[] {
  const seen = new Set<string>();
  const own = {
    scope: definition.scope ?? "",
    eventSubscriptionName: definition.eventSubscriptionName,
  };
  seen.add(identity(own.scope, own.eventSubscriptionName));
  return additionalScopes(props).flatMap(({ key, settings }) => {
    const name = settings.eventSubscriptionName ?? own.eventSubscriptionName;
    const id = identity(settings.scope, name);
    if (seen.has(id)) {
      return [
        `additionalScopes.${key} repeats a scope of this binding: give it an eventSubscriptionName of its own`,
      ];
    }
    seen.add(id);
    return [];
  });
}

function identity(scope: string, name: string | undefined): string {
  return `${trimmedId(scope)} ${name ?? ""}`.toLowerCase();
}
