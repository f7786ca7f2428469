import { azurermReleases } from "../stand-ins/src/index.js";
import {
  type AttributeSchema,
  type BlockSchema,
  type NestedBlock,
  type ProviderSchema,
  readProviderSchema,
} from "../stand-ins/src/values/schema.js";
import { type Block, type Declared, declaredIn, isBlock, providersIn } from "./terraform-json.js";

/** Arguments that Terraform itself handles in every resource. */
const META_ARGUMENTS = new Set([
  "//",
  "depends_on",
  "count",
  "for_each",
  "provider",
  "lifecycle",
  "provisioner",
  "connection",
]);

/** Resources that are built into Terraform. */
const builtIn: Readonly<Record<string, BlockSchema>> = {
  terraform_data: {
    attributes: {
      id: { type: "string", computed: true },
      input: { type: "dynamic", optional: true },
      output: { type: "dynamic", computed: true },
      triggers_replace: { type: "dynamic", optional: true },
    },
  },
  terraform_remote_state: {
    attributes: {
      backend: { type: "string", required: true },
      config: { type: "dynamic", optional: true },
      defaults: { type: "dynamic", optional: true },
      outputs: { type: "dynamic", computed: true },
      workspace: { type: "string", optional: true },
    },
  },
};

type Schemas = ReadonlyMap<string, ProviderSchema>;

const releases: readonly Schemas[] = azurermReleases.map(
  (release) =>
    new Map([
      ["azurerm", readProviderSchema(`azurerm-${release}`)],
      ["azuread", readProviderSchema("azuread-3.7.0")],
      ["azapi", readProviderSchema("azapi-2.12.0")],
    ]),
);

/**
 * Checks every resource, data source, attribute, block and reference of a synthesized stack against
 * the schemas of the real providers, and with those of each release of azurerm. A type that only one
 * of the recorded schemas has is checked against that one.
 */
export function schemaProblems(json: Block): string[] {
  const declared = declaredIn(json);
  const addresses = new Map(declared.map((one) => [one.address, one]));
  const problems = releases.flatMap((schemas) => [
    ...declared.flatMap((one) => declarationProblems(one, schemas)),
    ...providersIn(json).flatMap(({ name, body }) => providerProblems(name, body, schemas)),
    ...referencesIn(json).flatMap((reference) => referenceProblems(reference, addresses, schemas)),
  ]);
  return [...new Set(problems)];
}

function schemaOf({ type, mode }: Declared, schemas: Schemas): BlockSchema | undefined {
  if (type in builtIn) return builtIn[type];
  const kind = mode === "data" ? "data_source_schemas" : "resource_schemas";
  const found = [schemas, ...releases].flatMap(
    (each) => each.get(type.split("_")[0] ?? "")?.[kind][type] ?? [],
  );
  return found[0]?.block;
}

function declarationProblems(declared: Declared, schemas: Schemas): string[] {
  const schema = schemaOf(declared, schemas);
  if (schema === undefined) return [`${declared.address}: no such type in the schemas`];
  const own = Object.entries(declared.body).filter(([name]) => !META_ARGUMENTS.has(name));
  return blockProblems(Object.fromEntries(own), schema, declared.address);
}

function providerProblems(name: string, body: Block, schemas: Schemas): string[] {
  const provider = schemas.get(name);
  if (provider === undefined) return [`provider ${name}: no such provider in the schemas`];
  const own = Object.entries(body).filter(([attribute]) => attribute !== "alias");
  return blockProblems(Object.fromEntries(own), provider.provider.block, `provider ${name}`);
}

function blockProblems(body: Block, schema: BlockSchema, at: string): string[] {
  const { attributes = {}, block_types: blocks = {} } = schema;
  const problems: string[] = [];
  for (const [name, value] of Object.entries(body)) {
    const attribute = attributes[name];
    const nested = blocks[name];
    if (attribute) problems.push(...attributeProblems(value, attribute, `${at}.${name}`));
    else if (nested) problems.push(...nestedProblems(value, nested, `${at}.${name}`));
    else problems.push(`${at}: no attribute or block ${name}`);
  }
  for (const [name, { required }] of Object.entries(attributes)) {
    if (required && body[name] === undefined) problems.push(`${at}: ${name} is required`);
  }
  for (const [name, { min_items = 0 }] of Object.entries(blocks)) {
    if (min_items > 0 && body[name] === undefined) problems.push(`${at}: ${name} is required`);
  }
  return problems;
}

function nestedProblems(value: unknown, nested: NestedBlock, at: string): string[] {
  if (isExpression(value)) return [];
  const items: unknown[] = Array.isArray(value) ? value : [value];
  const { min_items = 0, max_items = Number.POSITIVE_INFINITY } = nested;
  const problems = items.flatMap((item) =>
    isBlock(item) ? blockProblems(item, nested.block, at) : [`${at}: a block must be an object`],
  );
  if (items.length < min_items || items.length > max_items) {
    problems.push(`${at}: ${items.length} blocks, allowed are ${min_items} to ${max_items}`);
  }
  return problems;
}

function attributeProblems(
  value: unknown,
  { type, required, optional }: AttributeSchema,
  at: string,
) {
  if (!required && !optional) return [`${at}: only the provider can set it`];
  return fits(value, type)
    ? []
    : [`${at}: ${JSON.stringify(value)} is not a ${JSON.stringify(type)}`];
}

function fits(value: unknown, type: unknown): boolean {
  if (isExpression(value) || value === null || type === "dynamic") return true;
  if (type === "string") return typeof value === "string";
  if (type === "number") return typeof value === "number";
  if (type === "bool") return typeof value === "boolean";
  if (!Array.isArray(type)) return false;
  const [kind, of]: unknown[] = type;
  if (kind === "list" || kind === "set") {
    return Array.isArray(value) && value.every((item) => fits(item, of));
  }
  if (!isBlock(value)) return false;
  if (kind === "map") return Object.values(value).every((item) => fits(item, of));
  return (
    isBlock(of) && Object.entries(value).every(([key, item]) => key in of && fits(item, of[key]))
  );
}

/** A string that Terraform evaluates, completely or partly. */
function isExpression(value: unknown): boolean {
  return typeof value === "string" && /(^|[^$])\$\{/.test(value);
}

interface Reference {
  readonly address: string;
  readonly attribute: string | undefined;
}

function referencesIn(json: Block): Reference[] {
  const texts: string[] = [];
  collectTexts(json, texts);
  const found = texts
    .filter((text) => isExpression(text))
    .flatMap((text) => [
      ...text.matchAll(
        /((?:data\.)?(?:az(?:urerm|uread|api)_\w+|terraform_data)\.[\w-]+)(?:\.(\w+))?/g,
      ),
    ]);
  return found.map(([, address = "", attribute]) => ({ address, attribute }));
}

function collectTexts(value: unknown, into: string[]): void {
  if (typeof value === "string") into.push(value);
  else if (Array.isArray(value)) for (const item of value) collectTexts(item, into);
  else if (isBlock(value)) for (const item of Object.values(value)) collectTexts(item, into);
}

function referenceProblems(
  { address, attribute }: Reference,
  declared: ReadonlyMap<string, Declared>,
  schemas: Schemas,
): string[] {
  const target = declared.get(address);
  if (target === undefined) return [`a reference to ${address}, which is not declared`];
  const schema = schemaOf(target, schemas);
  if (attribute === undefined || schema === undefined) return [];
  const known = attribute in (schema.attributes ?? {}) || attribute in (schema.block_types ?? {});
  return known ? [] : [`a reference to ${address}.${attribute}, which the type does not have`];
}
