import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A type constraint, in the notation of Terraform's JSON: `"string"`, `["list", "string"]` … */
export type Type =
  | "string"
  | "number"
  | "bool"
  | "dynamic"
  | readonly ["list" | "set" | "map", Type]
  | readonly ["object", Readonly<Record<string, Type>>];

export interface AttributeSchema {
  readonly type: Type;
  readonly required?: boolean;
  readonly optional?: boolean;
  readonly computed?: boolean;
  readonly sensitive?: boolean;
  readonly deprecated?: boolean;
  readonly write_only?: boolean;
}

export interface NestedBlockSchema {
  readonly nesting_mode: "single" | "list" | "set";
  readonly block: BlockSchema;
  readonly min_items?: number;
  readonly max_items?: number;
}

export interface BlockSchema {
  readonly attributes?: Readonly<Record<string, AttributeSchema>>;
  readonly block_types?: Readonly<Record<string, NestedBlockSchema>>;
  readonly deprecated?: boolean;
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

const recorded = new URL("../../../provider-schemas/", import.meta.url);

const read = new Map<string, ProviderSchema>();

/** Reads the recorded schema of a release of a provider, once in a process. */
export function readProviderSchema(provider: string, version: string): ProviderSchema {
  const name = `${provider}-${version}.json`;
  const schema = read.get(name) ?? parseProviderSchema(name);
  read.set(name, schema);
  return schema;
}

function parseProviderSchema(name: string): ProviderSchema {
  const path = fileURLToPath(new URL(name, recorded));
  const document = JSON.parse(readFileSync(path, "utf8")) as {
    provider_schemas: Record<string, ProviderSchema>;
  };
  const [schema] = Object.values(document.provider_schemas);
  if (schema === undefined) throw new Error(`${path} holds no provider's schema`);
  return withPlainTypes(schema);
}

/** Writes the type of an attribute that has attributes itself as version 5 of the protocol does. */
function withPlainTypes(schema: ProviderSchema): ProviderSchema {
  return JSON.parse(JSON.stringify(schema), (_, value) => {
    const nested = value?.nested_type as NestedType | undefined;
    return nested === undefined ? value : { ...value, type: plainType(nested) };
  });
}

interface NestedType {
  readonly nesting_mode: "single" | "list" | "set" | "map";
  readonly attributes: Readonly<Record<string, AttributeSchema>>;
}

function plainType({ nesting_mode: nesting, attributes }: NestedType): Type {
  const types = Object.entries(attributes).map(([name, { type }]) => [name, type] as const);
  const object: Type = ["object", Object.fromEntries(types)];
  return nesting === "single" ? object : [nesting, object];
}
