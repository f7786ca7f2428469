import type { BlockSchema, ProviderSchema, Schema } from "./schema.js";

/** The provider's schema as a response to `GetSchema`. */
export function toProtocol(schema: ProviderSchema): object {
  return {
    provider: protocolSchema(schema.provider),
    resource_schemas: mapped(schema.resource_schemas),
    data_source_schemas: mapped(schema.data_source_schemas),
    server_capabilities: { get_provider_schema_optional: true },
  };
}

function mapped(schemas: Readonly<Record<string, Schema>>): object {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, protocolSchema(schema)]),
  );
}

function protocolSchema({ version, block }: Schema): object {
  return { version, block: protocolBlock(block) };
}

function protocolBlock({
  attributes = {},
  block_types: blocks = {},
  deprecated,
}: BlockSchema): object {
  return {
    deprecated,
    attributes: Object.entries(attributes).map(([name, attribute]) => ({
      ...attribute,
      name,
      type: Buffer.from(JSON.stringify(attribute.type)),
      description_kind: 0,
    })),
    block_types: Object.entries(blocks).map(([type_name, nested]) => ({
      type_name,
      block: protocolBlock(nested.block),
      nesting: nested.nesting_mode.toUpperCase(),
      min_items: nested.min_items ?? 0,
      max_items: nested.max_items ?? 0,
    })),
  };
}
