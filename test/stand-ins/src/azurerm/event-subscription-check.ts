import { blockOneOf, conflicting, https, matches, oneOf, within } from "../provider/checks.js";
import type { Problem } from "../provider/problem.js";
import { onlyBlock } from "../provider/provider.js";
import type { Attributes, Value } from "../values/value.js";

/** The attributes and blocks that configure a destination. */
export const destinations = [
  "azure_function_endpoint",
  "eventhub_endpoint_id",
  "hybrid_connection_endpoint_id",
  "service_bus_queue_endpoint_id",
  "service_bus_topic_endpoint_id",
  "storage_queue_endpoint",
  "webhook_endpoint",
];

/** The provider's checks beyond its schema, which need no request to the cloud. */
export function check(config: Attributes): Problem[] {
  return [
    ...matches(
      config,
      "name",
      /^[-a-zA-Z0-9]{3,64}$/,
      "EventGrid subscription name must be 3 - 64 characters long, contain only letters, numbers and hyphens.",
    ),
    ...oneOf(config, "event_delivery_schema", [
      "CloudEventSchemaV1_0",
      "CustomInputSchema",
      "EventGridSchema",
    ]),
    ...conflicting(config, destinations),
    ...https(config, "webhook_endpoint", "url"),
    ...within(config, "webhook_endpoint", "max_events_per_batch", [1, 5000]),
    ...within(config, "webhook_endpoint", "preferred_batch_size_in_kilobytes", [1, 1024]),
    ...within(config, "retry_policy", "max_delivery_attempts", [1, 30]),
    ...within(config, "retry_policy", "event_time_to_live", [1, 1440]),
    ...blockOneOf(config, "delivery_property", "type", ["Static", "Dynamic"]),
    ...tooManyInList(config),
    ...tooManyFilterValues(config),
  ];
}

/** An event subscription filters by at most this many values in all, and so in each list. */
const MOST_FILTER_VALUES = 25;

function tooManyInList(config: Attributes): Problem[] {
  return Object.entries(onlyBlock(config, "advanced_filter") ?? {}).flatMap(([operator, filters]) =>
    (Array.isArray(filters) ? (filters as Attributes[]) : []).flatMap(({ values }, index) => {
      const count = Array.isArray(values) ? values.length : 0;
      if (count <= MOST_FILTER_VALUES) return [];
      const attribute = `advanced_filter.0.${operator}.${index}.values`;
      return [
        {
          summary: "Too many list items",
          detail: `Attribute ${attribute} supports ${MOST_FILTER_VALUES} item maximum, but config has ${count} declared.`,
          path: ["advanced_filter", 0, operator, index, "values"],
        },
      ];
    }),
  );
}

function tooManyFilterValues(config: Attributes): Problem[] {
  const advanced = onlyBlock(config, "advanced_filter") ?? {};
  const count = Object.values(advanced).flatMap(valuesOf).length;
  if (count <= MOST_FILTER_VALUES) return [];
  return [
    {
      summary: `the total number of \`advanced_filter\` values allowed on a single event subscription is ${MOST_FILTER_VALUES}, but ${count} are configured`,
      path: ["advanced_filter"],
    },
  ];
}

function valuesOf(filters: Value): Value[] {
  const list = Array.isArray(filters) ? (filters as Attributes[]) : [];
  return list.flatMap(({ value, values }) =>
    Array.isArray(values) ? values : value === undefined ? [] : [value],
  );
}
