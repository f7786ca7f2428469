import type { ApiRequest } from "../../api/index.js";
import { isChildType, isObject, objectAt, propertiesIn, withDefaults } from "../../base/index.js";
import type { Change, FieldRules, Resource, ResourceType } from "./resource-type.js";

/**
 * A resource as a response shows it.
 *
 * @param change what the operation does that the request has started. A PUT is answered with the
 * fields that it wrote, a PATCH with the whole resource
 */
export function answerOf(
  type: ResourceType,
  resource: Resource,
  { method, origin, query }: Pick<ApiRequest, "method" | "origin" | "query">,
  change?: Change,
): Readonly<Record<string, unknown>> {
  const isChanging = change !== undefined && method !== "PATCH";
  const moment = { isChanging, version: String(query.get("api-version")) };
  if (type.show) return filled(type.show(resource, change), type.fields ?? {}, moment);
  const { id, name, location, body } = resource;
  const isChild = isChildType(resource.type);
  const fields = {
    ...body,
    id,
    name,
    type: resource.type,
    ...(isChild ? {} : { location }),
    properties: {
      ...objectAt(withDefaults(propertiesIn(body), type.properties?.(resource))),
      ...(isChanging ? {} : type.computed?.(resource, origin)),
      provisioningState: change ?? "Succeeded",
    },
    ...type.metadata?.(resource),
  };
  return filled(fields, type.fields ?? (isChild ? {} : UNTAGGED), moment);
}

const UNTAGGED: FieldRules = { always: { tags: {} } };

type Fields = Readonly<Record<string, unknown>>;

/** The written fields with the values of the others, without those that a version does not have. */
function filled(
  written: Fields,
  rules: FieldRules,
  { isChanging, version }: { readonly isChanging: boolean; readonly version: string },
): Fields {
  const { always, changing, ended } = rules;
  const defaults = withDefaults(isChanging ? changing : ended, always);
  return objectAt(withDefaults(written, ofVersion(objectAt(defaults), rules, version)));
}

function ofVersion(fields: Fields, rules: FieldRules, version: string, parent = ""): Fields {
  const { since = {}, previews = [] } = rules;
  const isKnown = (name: string) =>
    version >= (since[name] ?? "") && (version.endsWith("-preview") || !previews.includes(name));
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => isKnown(parent + name))
      .map(([name, value]) => [
        name,
        isObject(value) ? ofVersion(value, rules, version, `${parent}${name}.`) : value,
      ]),
  );
}
