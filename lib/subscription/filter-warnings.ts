import { Token } from "cdktf";
import { OWN_SCOPE, type ScopedSubscription } from "./scoped-subscriptions.js";
import type { SubscriptionSettings } from "./settings.js";

type Settings = ScopedSubscription["settings"];

/** What of the events that are asked for is likely to be a mistake. */
export function filterWarnings(
  props: SubscriptionSettings,
  scopes: readonly ScopedSubscription[],
): string[] {
  return [...unfilteredScopes(scopes), ...catalogueWarnings(props, scopes)];
}

/** Whether a subscription delivers everything that its scope raises. */
export function isUnfiltered(settings: Settings): boolean {
  const { includedEventTypes = [], advancedFilters = [], subjectFilter } = settings;
  return (
    includedEventTypes.length === 0 &&
    advancedFilters.length === 0 &&
    subjectFilter?.beginsWith === undefined &&
    subjectFilter?.endsWith === undefined
  );
}

/** Who filters one scope may believe that the filter holds for the others. */
function unfilteredScopes(scopes: readonly ScopedSubscription[]): string[] {
  const own = scopes.find(({ key }) => key === OWN_SCOPE);
  if (own === undefined || isUnfiltered(own.settings)) return [];
  return scopes
    .filter(({ key, settings }) => key !== OWN_SCOPE && saysNothing(settings))
    .map(
      ({ key }) =>
        `additionalScopes.${key} gets every event of its resource: the event types and filters of ` +
        "the binding are those of its own scope. Give it includedEventTypes, an empty list for all",
    );
}

function saysNothing(settings: Settings): boolean {
  return settings.includedEventTypes === undefined && isUnfiltered(settings);
}

function catalogueWarnings(
  { events, includedEventTypes }: SubscriptionSettings,
  scopes: readonly ScopedSubscription[],
): string[] {
  if (events === undefined || includedEventTypes === undefined) return [];
  if (Token.isUnresolved(includedEventTypes) || Token.isUnresolved(events.types)) return [];
  const delivered = scopes.map(({ settings }) => settings.includedEventTypes ?? []);
  const warnings: string[] = [];
  const strange = includedEventTypes.filter((type) => !events.types.includes(type));
  if (strange.length > 0) {
    warnings.push(
      `includedEventTypes has ${list(strange)}, which events has not: the service has no handler for it`,
    );
  }
  const everything = delivered.some((types) => types.length === 0 || Token.isUnresolved(types));
  const missing = events.types.filter((type) => !delivered.flat().includes(type));
  if (!everything && missing.length > 0) {
    warnings.push(
      `events has ${list(missing)}, which is never delivered: includedEventTypes goes before ` +
        "events. Leave includedEventTypes out, or add it there",
    );
  }
  return warnings;
}

function list(types: readonly string[]): string {
  return types.map((type) => `"${type}"`).join(", ");
}
