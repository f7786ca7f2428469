import fc from "fast-check";

type Schema = Readonly<Record<string, unknown>>;

const object = (value: unknown) => value as Schema;
const number = (value: unknown, fallback: number) => (typeof value === "number" ? value : fallback);

/** Values that a JSON Schema allows, drawn from its keywords. */
export function valuesAllowedBy(schema: unknown): fc.Arbitrary<unknown> {
  if (schema === true || schema === undefined) return fc.jsonValue({ maxDepth: 1 });
  const { type, enum: values, anyOf, ...rest } = object(schema);
  if ("const" in rest) return fc.constant(rest.const);
  if (Array.isArray(values)) return fc.constantFrom(...values);
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map(valuesAllowedBy));
  if (Array.isArray(type))
    return fc.oneof(...type.map((each) => valuesAllowedBy({ ...rest, type: each })));
  const min = number(rest.minimum, -1e6);
  const max = number(rest.maximum, 1e6);
  switch (type) {
    case "string":
      if (typeof rest.pattern === "string") return fc.stringMatching(new RegExp(rest.pattern));
      return fc.string({
        unit: "grapheme-ascii",
        minLength: number(rest.minLength, 0),
        maxLength: number(rest.maxLength, 20),
      });
    case "number":
      return fc.oneof(
        fc.integer({ min: Math.ceil(min), max: Math.floor(max) }),
        fc.double({ min, max, noNaN: true }),
      );
    case "integer":
      return fc.integer({ min: Math.ceil(min), max: Math.floor(max) });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      if (Array.isArray(rest.prefixItems ?? rest.items))
        return fc.tuple(...[rest.prefixItems ?? rest.items].flat().map(valuesAllowedBy));
      return fc.array(valuesAllowedBy(rest.items), {
        minLength: number(rest.minItems, 0),
        maxLength: number(rest.maxItems, 3),
      });
    case "object": {
      const properties = Object.entries(object(rest.properties ?? {}));
      const required = Array.isArray(rest.required) ? rest.required : [];
      const members = fc.record(
        Object.fromEntries(properties.map(([name, each]) => [name, valuesAllowedBy(each)])),
        { requiredKeys: required },
      );
      if (rest.additionalProperties === false) return members;
      const further = fc.dictionary(
        fc.constantFrom("x", "y", "note"),
        valuesAllowedBy(rest.additionalProperties),
        { maxKeys: 1 },
      );
      return fc.tuple(further, members).map(([others, own]) => {
        const free = Object.entries(others).filter(
          ([name]) => !properties.some(([known]) => known === name),
        );
        return { ...Object.fromEntries(free), ...own };
      });
    }
    default:
      return fc.jsonValue({ maxDepth: 1 });
  }
}
