import { type BodySchemas, checkBody } from "../api/index.js";
import { isObject } from "../base/index.js";
import { badRequest } from "./graph-errors.js";
import types from "./property-types.json";

/**
 * The properties of Graph's objects in v1.0, with their types, from Microsoft's metadata of Graph, and
 * the values that its reference says a property may have.
 */
const schemas: BodySchemas = types;

/** The properties of the objects of a kind, for example `Application`; none of one that is not known. */
export function propertiesOf(kind: string): BodySchemas[string]["fields"] {
  return schemas[kind]?.fields ?? {};
}

/**
 * Checks the body of a POST or PATCH. The beta has properties that are not known here.
 *
 * @param kind of the object, for example `Application`
 * @returns the body, with literals in Graph's case
 * @throws ServiceError 400 with every problem
 */
export function checkProperties(
  kind: string,
  { path, body }: { readonly path: string; readonly body: unknown },
): Readonly<Record<string, unknown>> {
  if (!isObject(body)) throw badRequest(`The body must be a JSON object: a ${kind}.`);
  const unknown = (name: string, owner: string, place: string) => {
    // Annotations of OData, and properties that an extension of the tenant adds.
    if (/@|^extension_/.test(name) || path.startsWith("/beta/")) return undefined;
    if (place === "") return `Invalid property '${name}'`;
    return `The property '${name}' does not exist on type 'Microsoft.DirectoryServices.${owner}'. Make sure to only use property names that are defined by the type`;
  };
  // az documents app roles with `"isEnabled": "true"`.
  const checked = checkBody(schemas, kind, body, { unknown, convertsText: true, keepsNull: true });
  if (checked.problems.length > 0) throw badRequest(`${checked.problems.join(". ")}.`);
  return checked.body;
}
