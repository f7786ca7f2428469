import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type BlockSchema, readProviderSchema, type Type } from "../stand-ins/src/schema/schema.js";
import { cdktnProject } from "./project.js";

/** The attributes and blocks that a configuration can set in a block, at any depth. */
function settable({ attributes = {}, block_types: blocks = {} }: BlockSchema): string[] {
  return [
    ...Object.entries(attributes)
      .filter(([, { required, optional }]) => required || optional)
      .flatMap(([name, { type }]) => [name, ...fields(type)]),
    ...Object.entries(blocks).flatMap(([name, { block }]) => [name, ...settable(block)]),
  ];
}

function fields(type: Type): string[] {
  if (typeof type === "string") return [];
  if (type[0] !== "object") return fields(type[1]);
  return Object.entries(type[1]).flatMap(([name, field]) => [name, ...fields(field)]);
}

/** The names in the links of a binding's declarations, one for each property of a configuration. */
function declared(text: string): string[] {
  const names = text.matchAll(/\/4\.73\.0\/docs(?:\/[\w-]+\/\w+)?#(\w+) /g);
  const ofCdktn = ["alias", "import"];
  return [...names].map(([, name = ""]) => name).filter((name) => !ofCdktn.includes(name));
}

it("the recorded schema of azurerm 4.73 has what @cdktn/provider-azurerm declares", async () => {
  const { folder } = await cdktnProject();
  const { provider, resource_schemas, data_source_schemas } = readProviderSchema(
    "azurerm",
    "4.73.0",
  );
  const schemas = {
    provider,
    ...named(resource_schemas, (type) => type.replace("azurerm_", "")),
    ...named(data_source_schemas, (type) => `data_${type}`),
  };
  for (const [name, { block }] of Object.entries(schemas)) {
    const file = `${name.replaceAll("_", "-")}/index.d.ts`;
    const path = join(folder, "node_modules/@cdktn/provider-azurerm/lib", file);
    const names = new Set(declared(readFileSync(path, "utf8")));
    expect([...names].sort(), name).toEqual([...new Set(settable(block))].sort());
  }
});

function named<T>(schemas: Readonly<Record<string, T>>, name: (type: string) => string) {
  return Object.fromEntries(Object.entries(schemas).map(([type, schema]) => [name(type), schema]));
}
