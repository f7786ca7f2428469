import { isObject } from "cloud-eventgrid-binding-runtime/internal";
import { UNKNOWN } from "../../rules/index.js";

type Attributes = Readonly<Record<string, unknown>>;

/** Whether a resource of Terraform is an event subscription, by its type and, for azapi, the `type` in it. */
export function isEventSubscription(resource: string, azapiType: unknown): boolean {
  return resource === "azapi_resource"
    ? /Microsoft\.EventGrid\/(.*\/)?eventSubscriptions@/i.test(String(azapiType))
    : /_eventgrid_(system_topic_)?event_subscription/.test(resource);
}

/**
 * The attributes of a resource of azapi, and what its body has, property by property. `body` remains only
 * if its properties are not shown: as {@link UNKNOWN}.
 */
export function withBody({ body, ...attributes }: Attributes): Attributes {
  const [content = UNKNOWN] = blocksOf(parsed(body));
  const { properties = {}, ...outer } = content === UNKNOWN ? { properties: UNKNOWN } : content;
  const inner = isObject(properties) ? properties : { body: UNKNOWN };
  const isEmpty = (value: unknown) => value == null || (Array.isArray(value) && !value.length);
  const own = Object.entries(attributes).filter(
    ([name, value]) => !(name in outer && isEmpty(value)),
  );
  const written = Object.entries(inner).map(([name, value]) => [
    isEmpty(attributes[name]) ? name : `properties.${name}`,
    value,
  ]);
  return { ...outer, ...Object.fromEntries([...own, ...written]) };
}

/** Until version 2, azapi's body was JSON in a string. */
export function parsed(body: unknown): unknown {
  if (typeof body !== "string") return body;
  try {
    return JSON.parse(body);
  } catch {
    return UNKNOWN;
  }
}

/** The filter in the properties of an event subscription, of a topic or of a namespace. */
export function filterIn(properties: unknown): Attributes {
  const isKnown = isObject(properties) && properties.body !== UNKNOWN;
  const { filter, filtersConfiguration } = isKnown ? properties : { filter: UNKNOWN };
  if (isObject(filtersConfiguration)) {
    const { includedEventTypes, filters } = filtersConfiguration;
    return { includedEventTypes, advancedFilters: filters };
  }
  const own = filtersConfiguration ?? filter ?? {};
  return isObject(own) ? own : { advancedFilters: UNKNOWN };
}

/** The filter of an event subscription of azurerm, as Resource Manager has it. */
export function azurermFilter(attributes: Attributes): Attributes {
  const [subject = {}] = blocksOf(attributes.subject_filter);
  const [advanced = {}] = blocksOf(attributes.advanced_filter);
  const of = (name: string) => (subject === UNKNOWN ? UNKNOWN : subject[name]);
  return {
    includedEventTypes: attributes.included_event_types ?? [],
    subjectBeginsWith: of("subject_begins_with"),
    subjectEndsWith: of("subject_ends_with"),
    isSubjectCaseSensitive: of("case_sensitive"),
    enableAdvancedFilteringOnArrays: attributes.advanced_filtering_on_arrays_enabled,
    advancedFilters: advanced === UNKNOWN ? UNKNOWN : advancedFilters(advanced),
  };
}

/** The blocks of one kind, which JSON may have as a list or as a single object. */
export function blocksOf(value: unknown): (Attributes | typeof UNKNOWN)[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter(
    (block): block is Attributes | typeof UNKNOWN =>
      block === UNKNOWN || (typeof block === "object" && block !== null),
  );
}

/** `number_in` is `NumberIn`. */
function advancedFilters(advanced: Attributes): unknown[] {
  return Object.entries(advanced).flatMap(([name, conditions]) => {
    const operatorType = name.replace(/(?:^|_)([a-z])/g, (_, letter: string) =>
      letter.toUpperCase(),
    );
    return blocksOf(conditions).map((condition) =>
      condition === UNKNOWN ? UNKNOWN : { ...condition, operatorType },
    );
  });
}
