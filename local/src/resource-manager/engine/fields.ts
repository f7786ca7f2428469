import { isObject, objectAt, withDefaults } from "../../base/index.js";

type Fields = Readonly<Record<string, unknown>>;

/**
 * The fields of a type's responses, and Azure's spelling of their values. Fields that are in none of
 * the tables are as they were written, and absent if nobody wrote them.
 */
export interface FieldRules {
  /** Values of unwritten fields in every response. */
  readonly always?: Fields;
  /** Values of unwritten fields in the response to a PUT, while the change goes on. */
  readonly changing?: Fields;
  /** Values of unwritten fields in every other response. */
  readonly ended?: Fields;
  /** The first version of the API that has a field, by the names that lead to the field. */
  readonly since?: Readonly<Record<string, string>>;
  /** Fields that only previews of the API have. */
  readonly previews?: readonly string[];
  /** Unwritten fields of a written identity. Without it, an identity of the type `None` is absent. */
  readonly identity?: Fields;
  /**
   * The values of fields at any depth, by the name of the field or by those of its object and its
   * own, such as `identity.type`. They are accepted in any case.
   */
  readonly enumerations?: Enumerations;
}

export type Enumerations = Readonly<Record<string, readonly string[]>>;

/** The written fields with the values of the others, without those that a version does not have. */
export function filled(
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

/** Writes the values of enumerations as Azure does. */
export function canonical(value: unknown, enumerations: Enumerations, parent = ""): unknown {
  if (Array.isArray(value)) return value.map((each) => canonical(each, enumerations, parent));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      // The names and values of tags are the user's.
      if (name === "tags") return [name, each];
      if (typeof each !== "string") return [name, canonical(each, enumerations, name)];
      const values = [`${parent}.${name}`, name].find((key) => Object.hasOwn(enumerations, key));
      const known = enumerations[values ?? ""] ?? [];
      return [name, known.find((one) => one.toLowerCase() === each.toLowerCase()) ?? each];
    }),
  );
}
