import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

/*
 * Microsoft's description of Event Grid's resources, as Terraform's azapi provider ships it, turned
 * into the schemas that the local Azure checks bodies with. For another version of the API, replace
 * the JSON file, and run `npm run generate`.
 */

const VERSION = "2025-02-15";

interface Reference {
  readonly $ref: string;
}

interface Property {
  readonly type: Reference;
  readonly flags: number;
}

type Properties = Readonly<Record<string, Property>>;

interface ObjectType {
  readonly $type: "ObjectType";
  readonly name: string;
  readonly properties: Properties;
  readonly additionalProperties?: Reference;
}

interface DiscriminatedType {
  readonly $type: "DiscriminatedObjectType";
  readonly name: string;
  readonly discriminator: string;
  readonly baseProperties: Properties;
  readonly elements: Readonly<Record<string, Reference>>;
}

type Described =
  | ObjectType
  | DiscriminatedType
  | { readonly $type: "ResourceType"; readonly name: string; readonly body: Reference }
  | { readonly $type: "UnionType"; readonly elements: readonly Reference[] }
  | { readonly $type: "ArrayType"; readonly itemType: Reference }
  | { readonly $type: "StringLiteralType"; readonly value: string }
  | { readonly $type: "StringType" | "BooleanType" | "IntegerType" | "AnyType" };

/** The resources that the local Azure does not have. */
const NOT_SERVED =
  /partner(Namespaces|Configurations|Topics)|verified|topicTypes|extension|namespaces\/(?!topics\b|private)/;

/** The flags of a property. */
const REQUIRED = 1;
const READ_ONLY = 2;

/** What a resource has from its path, and its location, which the engine checks for all types. */
const OF_THE_PATH = ["id", "name", "type", "apiVersion", "location"];

type Schema = string | Readonly<Record<string, unknown>>;

/** The text of the file with the schemas. */
export function bodySchemas(): string {
  const file = new URL(`${VERSION}.json`, import.meta.url);
  const described: readonly Described[] = JSON.parse(readFileSync(file, "utf8"));
  const at = ({ $ref }: Reference): Described => {
    const found = described[Number($ref.slice(2))];
    if (found) return found;
    throw new Error(`There is no type ${$ref}.`);
  };
  const objects = new Map<string, Schema>();

  const schemaOf = (reference: Reference): Schema => {
    const type = at(reference);
    switch (type.$type) {
      case "StringType":
        return "string";
      case "BooleanType":
        return "boolean";
      case "IntegerType":
        // Numbers with a fraction, too, such as those of filters.
        return "number";
      case "AnyType":
        return "any";
      case "StringLiteralType":
        return { oneOf: [type.value] };
      case "ArrayType":
        return { list: schemaOf(type.itemType) };
      case "UnionType": {
        // An open union ends in any string. Its literals are all that the service takes.
        const literals = type.elements.map(at).filter((each) => each.$type === "StringLiteralType");
        return { oneOf: literals.map(({ value }) => value) };
      }
      case "ObjectType":
      case "DiscriminatedObjectType":
        return { object: named(type) };
      default:
        throw new Error(`A field cannot be of the type ${type.$type}.`);
    }
  };

  const named = (described: ObjectType | DiscriminatedType): string => {
    const { name } = described;
    const schema = objectSchema(described);
    if (!isDeepStrictEqual(objects.get(name) ?? schema, schema)) {
      throw new Error(`There are two types ${name}.`);
    }
    objects.set(name, schema);
    return name;
  };

  const objectSchema = (described: ObjectType | DiscriminatedType): Schema => {
    if (described.$type === "ObjectType") {
      const { properties, additionalProperties } = described;
      const values = additionalProperties && { values: schemaOf(additionalProperties) };
      return { ...fieldsOf(properties), ...values };
    }
    const { discriminator, baseProperties, elements } = described;
    const cases = Object.entries(elements).map(([value, each]) => [value, schemaOf(each)]);
    return { ...fieldsOf(baseProperties), by: discriminator, cases: Object.fromEntries(cases) };
  };

  const fieldsOf = (properties: Properties) => {
    const isResource = properties.apiVersion !== undefined;
    const own = Object.entries(properties).filter(
      ([name]) => !isResource || !OF_THE_PATH.includes(name),
    );
    const having = (flag: number) => own.filter(([, { flags }]) => (flags & flag) !== 0);
    const readOnly = having(READ_ONLY).map(([name]) => name);
    const writable = own.filter(([name]) => !readOnly.includes(name));
    const required = having(REQUIRED).map(([name]) => name);
    return {
      fields: Object.fromEntries(writable.map(([name, { type }]) => [name, schemaOf(type)])),
      ...(required.length > 0 && { required }),
      ...(readOnly.length > 0 && { readOnly }),
    };
  };

  for (const each of described) {
    const name = each.$type === "ResourceType" && each.name.replace(/@.*/, "");
    if (name && !NOT_SERVED.test(name)) schemaOf(each.body);
  }
  const lines = [...objects].map(([name, schema]) => `"${name}": ${JSON.stringify(schema)}`);
  return `{\n${lines.join(",\n")}\n}\n`;
}
