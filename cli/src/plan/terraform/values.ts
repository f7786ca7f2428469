import { isObject, withoutStart } from "cloud-eventgrid-binding-runtime/internal";
import { minutesIn } from "../../numbers.js";
import { trimmedId } from "../../resource-id.js";
import { UNKNOWN } from "../../rules/index.js";

/** One side of a change; undefined where the resource does not exist. */
export type Side = Readonly<Record<string, unknown>> | undefined;

/** The key of an instance that `count` or `for_each` made. */
export const keyOf = (address: string) => /\[([^\]]*)\]$/.exec(address)?.[1];

/** A resource ID as Azure compares it. */
export function idOf(value: unknown): unknown {
  return typeof value === "string" ? trimmedId(value).toLowerCase() : value;
}

export function isWithin(place: unknown, id: unknown): boolean {
  const [inner, outer] = [idOf(place), idOf(id)];
  return (
    typeof inner === "string" && typeof outer === "string" && `${inner}/`.startsWith(`${outer}/`)
  );
}

/** Compares values as Azure does, which has nothing where a provider has an empty text or list. */
export function same(a: unknown, b: unknown): boolean {
  return a === b || canonical(a) === canonical(b);
}

/** The JSON of a value, the same for values that are the same for Azure. */
export function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (inner === UNKNOWN) return { unknown: true };
    if (inner === "" || inner === null) return undefined;
    if (typeof inner === "object" && Object.keys(inner).length === 0) return undefined;
    if (!isObject(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([x], [y]) => (x < y ? -1 : 1)));
  });
}

/** A number, a number in a text such as a version of TLS, or the minutes of a duration. */
export function comparable(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return undefined;
  const text = withoutStart(value, "TLS").replace("_", ".");
  return minutesIn(text) ?? (/^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined);
}

/** Resource Manager's spelling of an attribute of azurerm, where it has no other name there. */
export const camelCase = (name: string) =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The first of these attributes that is there, in either spelling. */
export function value(side: Side, ...names: readonly string[]): unknown {
  const all = names.flatMap((name) => [name, camelCase(name)]);
  return all.map((name) => side?.[name]).find((each) => each != null);
}
