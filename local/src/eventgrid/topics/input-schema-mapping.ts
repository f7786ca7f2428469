import { field, isObject, objectAt } from "../../base/index.js";
import { bodySchemas, optionLike } from "../body-schemas.js";

/** Where an attribute of the Event Grid schema is in a custom event. */
export interface MappedField {
  /** Path in the event, for example `order.id`. */
  readonly sourceField?: string | undefined;
  /** Value for events without the field. */
  readonly defaultValue?: string | undefined;
}

/**
 * How a topic with a custom schema reads its events. An attribute without a mapping has a generated
 * ID, the time of publishing, or is empty.
 *
 * @see https://learn.microsoft.com/azure/event-grid/input-mappings
 */
export interface InputSchemaMapping {
  readonly id?: Pick<MappedField, "sourceField"> | undefined;
  readonly topic?: Pick<MappedField, "sourceField"> | undefined;
  readonly eventTime?: Pick<MappedField, "sourceField"> | undefined;
  readonly eventType?: MappedField | undefined;
  readonly subject?: MappedField | undefined;
  readonly dataVersion?: MappedField | undefined;
}

const OBJECT = "JsonInputSchemaMappingProperties";

/** Schema of a mapping in options and configuration files. */
export const inputSchemaMapping = optionLike<InputSchemaMapping>(OBJECT);

/** Reads Resource Manager's `inputSchemaMapping`, which may have null fields. */
export function mappingIn(value: unknown): InputSchemaMapping | undefined {
  const properties = field(value, "properties");
  if (!isObject(properties)) return undefined;
  return Object.fromEntries(
    Object.keys(bodySchemas[OBJECT].fields).flatMap((name) => {
      const { sourceField, defaultValue } = objectAt(properties, name);
      const mapped = Object.entries({ sourceField, defaultValue }).filter(
        ([, each]) => typeof each === "string",
      );
      return mapped.length > 0 ? [[name, Object.fromEntries(mapped)]] : [];
    }),
  );
}
