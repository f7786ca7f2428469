import { Fn, Token } from "cdktf";
import {
  formatScope,
  hyphenatedName,
  isObject,
  type Problem,
  parseScope,
  problem,
  showName,
  showValue,
  uuidRule,
  withoutSlashes,
  wrongType,
} from "cloud-eventgrid-binding-runtime/internal";
import type { IConstruct } from "constructs";
import { functionArgument, identityOf, scopeNamedBy } from "../terraform/index.js";
import { problemsOf, recordOf } from "../validation/index.js";
import type { AdditionalScope, ScopeSettings, SubscriptionOptions } from "./settings.js";
import { additionalScopeCheck } from "./settings-checks.js";

/** Key of the binding's own scope, next to the keys of `additionalScopes`. */
export const OWN_SCOPE = "scope";

/** One event subscription of a binding. */
export interface ScopedSubscription {
  /** Construct id within the binding. */
  readonly id: string;
  /** {@link OWN_SCOPE}, or a key of `additionalScopes`. */
  readonly key: string;
  /** See {@link NamedScope}. */
  readonly prefix: string;
  /** Resource ID with one leading slash and no slash at the end. */
  readonly scope: string;
  /** Whether the scope is a whole subscription, as far as its text shows. */
  readonly ofSubscription: boolean;
  readonly name: string;
  readonly settings: ScopeSettings;
  /** Whether the event types are those of the catalogue. */
  readonly isCatalogue: boolean;
}

/** A scope as the props have it. */
interface NamedScope<Scope extends string | undefined = string | undefined> {
  /** {@link OWN_SCOPE}, or a key of `additionalScopes`. */
  readonly key: string;
  /** Begins the names of its settings in messages: nothing, or `additionalScopes.{key}.`. */
  readonly prefix: string;
  /** Undefined if the props have none. */
  readonly scope: Scope;
  readonly settings: Partial<AdditionalScope>;
}

/** The binding's own scope, and the additional ones in their long form. */
export function namedScopes(props: SubscriptionOptions, scope: string): NamedScope<string>[];
export function namedScopes(props: SubscriptionOptions, scope?: string): NamedScope[];
export function namedScopes(props: SubscriptionOptions, scope?: string): NamedScope[] {
  const further = Object.entries(props.additionalScopes ?? {}).map(([key, value]) => {
    const settings = typeof value === "string" ? { scope: value } : value;
    return { key, prefix: `additionalScopes.${showName(key)}.`, scope: settings.scope, settings };
  });
  return [{ key: OWN_SCOPE, prefix: "", scope, settings: props }, ...further];
}

const keyRule = hyphenatedName("scope-key", { min: 1, max: 40 });

export const additionalScopesCheck = recordOf(
  {
    problems(field, value) {
      const settings = typeof value === "string" ? { scope: value } : value;
      if (!isObject(settings)) {
        return [wrongType(field, "must be a resource ID, or settings with a scope", value)];
      }
      const exists = settings.existingSubscription !== undefined;
      return problemsOf(additionalScopeCheck(exists), field, settings);
    },
  },
  (scopes, field) =>
    Object.keys(scopes).flatMap((key) => {
      if (key === OWN_SCOPE) {
        const message = `must not have the key "${OWN_SCOPE}", which is reserved for the binding's own scope`;
        return [problem(field, { "scope-key": message })];
      }
      if (keyRule.test(key)) return [];
      const message = `has the key ${showValue(key)}, which ${keyRule.requirement}`;
      return [problem(field, { "scope-key": message })];
    }),
);

/** The problems of additional scopes in another subscription; the contract tests the binding's own. */
export function subscriptionProblems(
  props: SubscriptionOptions,
  { cloudSubscriptionId: own }: Readonly<Record<string, string>>,
): Problem[] {
  // The contract reports one that is no UUID.
  if (!uuidRule.test(own) || Token.isUnresolved(own) || own === undefined) return [];
  return namedScopes(props).flatMap(({ prefix, scope }) => {
    if (typeof scope !== "string" || Token.isUnresolved(scope)) return [];
    const named = scopeNamedBy(scope)?.subscriptionId;
    if (named === undefined || named.toLowerCase() === own.toLowerCase()) return [];
    const message = `must lie in the subscription of cloudSubscriptionId (${own}), but names the subscription ${named}`;
    return [problem(`${prefix}scope`, { "scope-subscription": message })];
  });
}

const SYSTEM_TOPIC =
  /\/providers\/Microsoft\.EventGrid\/systemTopics\/|\bazurerm_eventgrid_system_topic\.[\w-]*\.id\b/i;

/**
 * The problems of scopes that are system topics. Azure refuses an `azurerm_eventgrid_event_subscription`
 * there without naming the reason.
 */
export function systemTopicProblems(
  construct: IConstruct,
  props: SubscriptionOptions,
  ownScope: string | undefined,
): Problem[] {
  return namedScopes(props, ownScope)
    .filter(({ scope }) => SYSTEM_TOPIC.test(identityOf(construct, String(scope))))
    .map(({ prefix }) => {
      const message = "is a system topic: use the ID of the resource whose events it publishes";
      return problem(`${prefix}scope`, { "system-topic": message });
    });
}

export function scopedSubscriptions(
  binding: { readonly scope: string; readonly eventSubscriptionName?: string },
  props: SubscriptionOptions,
): ScopedSubscription[] {
  const shared = sharedSettings(props);
  return namedScopes(props, binding.scope).map(({ key, prefix, scope, settings }) => {
    const isOwn = key === OWN_SCOPE;
    const { eventSubscriptionName = binding.eventSubscriptionName ?? "" } = settings;
    return {
      id: isOwn ? "subscription" : `subscription-${key}`,
      key,
      prefix,
      scope: normalisedScope(scope),
      ofSubscription: isSubscription(scope),
      name: eventSubscriptionName,
      settings: withEventTypes({ ...shared, ...settings }),
      isCatalogue: settings.includedEventTypes === undefined,
    };
  });
}

/**
 * The settings that all scopes share: how events are delivered, and the service's event types.
 * Filters are not shared, because one resource's types and subjects are not those of another: an
 * inherited filter would let nothing through.
 */
function sharedSettings(props: SubscriptionOptions): ScopeSettings {
  const {
    existingSubscription: _existing,
    includedEventTypes: _types,
    subjectFilter: _subjects,
    advancedFilters: _filters,
    ...shared
  } = props;
  return shared;
}

function withEventTypes(settings: ScopeSettings): ScopeSettings {
  const includedEventTypes = settings.includedEventTypes ?? settings.events?.types;
  return { ...settings, ...(includedEventTypes && { includedEventTypes }) };
}

/**
 * A scope with one leading slash and no slash at the end. With a trailing slash, role assignments are
 * replaced at every plan, and a destroy hangs.
 */
export function normalisedScope(scope: string): string {
  if (Token.isUnresolved(scope)) return `/${Token.asString(Fn.trim(functionArgument(scope), "/"))}`;
  return formatScope(parseScope(scope));
}

/** The ID may be a token, as in `/subscriptions/${id}`. */
function isSubscription(scope: string): boolean {
  const [collection, ...ids] = withoutSlashes(scope).split("/");
  return collection?.toLowerCase() === "subscriptions" && ids.length === 1;
}
