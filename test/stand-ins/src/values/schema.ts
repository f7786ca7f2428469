import { readFileSync } from "node:fs";
import { type Attributes, isAttributes, UNKNOWN, type Value } from "./value.js";

/** A type constraint, in the notation of Terraform's JSON: `"string"`, `["list", "string"]` … */
export type Type = string | readonly [kind: string, of: unknown];

export interface AttributeSchema {
  readonly type: Type;
  readonly required?: boolean;
  readonly optional?: boolean;
  readonly computed?: boolean;
  readonly sensitive?: boolean;
}

export interface NestedBlock {
  readonly nesting_mode: "single" | "list" | "set";
  readonly block: BlockSchema;
  readonly min_items?: number;
  readonly max_items?: number;
}

export interface BlockSchema {
  readonly attributes?: Readonly<Record<string, AttributeSchema>>;
  readonly block_types?: Readonly<Record<string, NestedBlock>>;
}

/** The schema of a provider's configuration, of a resource type or of a data source. */
export interface Schema {
  readonly version: number;
  readonly block: BlockSchema;
}

/** All schemas of one provider, as `terraform providers schema -json` shows them. */
export interface ProviderSchema {
  readonly provider: Schema;
  readonly resource_schemas: Readonly<Record<string, Schema>>;
  readonly data_source_schemas: Readonly<Record<string, Schema>>;
}

const read = new Map<string, ProviderSchema>();

/** Reads the recorded schema of a release of a provider, once in a process. */
export function readProviderSchema(release: string): ProviderSchema {
  const known = read.get(release);
  if (known !== undefined) return known;
  const path = new URL(`../../../provider-schemas/${release}.json`, import.meta.url);
  const { provider_schemas } = JSON.parse(readFileSync(path, "utf8"), withPlainType);
  const [schema] = Object.values<ProviderSchema>(provider_schemas);
  if (schema === undefined) throw new Error(`${path} holds no provider's schema`);
  read.set(release, schema);
  return schema;
}

/** Writes the type of an attribute that has attributes itself as version 5 of the protocol does. */
function withPlainType(_: string, value: unknown): unknown {
  const { nested_type: nested } = Object(value);
  if (nested === undefined) return value;
  const types = Object.entries<AttributeSchema>(nested.attributes).map(([name, { type }]) => [
    name,
    type,
  ]);
  const object = ["object", Object.fromEntries(types)];
  const type = nested.nesting_mode === "single" ? object : [nested.nesting_mode, object];
  return { ...Object(value), type };
}

/** A schema as the protocol has it. */
export function protocolSchema({ version, block }: Schema): object {
  return { version, block: protocolBlock(block) };
}

function protocolBlock({ attributes = {}, block_types = {}, ...rest }: BlockSchema): object {
  return {
    ...rest,
    attributes: Object.entries(attributes).map(([name, attribute]) => ({
      ...attribute,
      name,
      type: Buffer.from(JSON.stringify(attribute.type)),
      description_kind: 0,
    })),
    block_types: Object.entries(block_types).map(([type_name, nested]) => ({
      ...nested,
      type_name,
      block: protocolBlock(nested.block),
      nesting: nested.nesting_mode.toUpperCase(),
    })),
  };
}

/** A value with all attributes and blocks of the schema, as the protocol requires, and no others. */
export function conform(schema: BlockSchema, value: Attributes): Attributes {
  const { attributes = {}, block_types = {} } = schema;
  const conformNested = ({ nesting_mode, block }: NestedBlock, nested: Value): Value => {
    const one = (item: Value) => (isAttributes(item) ? conform(block, item) : item);
    if (nesting_mode === "single" || nested === UNKNOWN) return one(nested);
    return Array.isArray(nested) ? nested.map(one) : [];
  };
  return Object.fromEntries([
    ...Object.keys(attributes).map((name) => [name, value[name] ?? null]),
    ...Object.entries(block_types).map(([name, nested]) => [
      name,
      conformNested(nested, value[name] ?? null),
    ]),
  ]);
}
