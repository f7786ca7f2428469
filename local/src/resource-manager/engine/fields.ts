import { isObject, withDefaults } from "../../base/index.js";

type Fields = Readonly<Record<string, unknown>>;

/**
 * The fields of a type's responses, and Azure's spelling of their values. Fields that are in none of
 * the tables are as they were written, and absent if nobody wrote them.
 */
export interface FieldRules {
  /** Values of unwritten fields in every response. */
  readonly always?: Fields;
  /** Values of unwritten fields in the first response to a change, while it goes on. */
  readonly changing?: Fields;
  /** Values of unwritten fields once a change has ended. */
  readonly ended?: Fields;
  /** Unwritten fields of a written identity. Without it, an identity of the type `None` is absent. */
  readonly identity?: Fields;
  /**
   * The values of fields at any depth, by the name of the field or by those of its object and its
   * own, such as `identity.type`. They are accepted in any case.
   */
  readonly enumerations?: Enumerations;
}

export type Enumerations = Readonly<Record<string, readonly string[]>>;

/** The written fields with the values of the others. */
export function filled(
  written: Fields,
  { always, changing, ended }: FieldRules,
  isChanging: boolean,
): unknown {
  return withDefaults(withDefaults(written, isChanging ? changing : ended), always);
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
