import { type EventCatalogue, systemEventTypes } from "cloud-eventgrid-binding-runtime/events";
import { type Dialect, normalized } from "./definitions.js";
import type { JsonSchema } from "./spelling.js";

/** The schema of an event's payload, or the reason why it has none. */
export type PayloadSchema =
  | { readonly schema: JsonSchema }
  | { readonly missing: string; readonly documentation?: string };

/**
 * The services of Azure, each with a link to the schemas of its events.
 *
 * @see https://learn.microsoft.com/azure/event-grid/system-topics#azure-services-that-support-system-topics
 */
const AZURE_SCHEMAS =
  "https://learn.microsoft.com/azure/event-grid/system-topics#azure-services-that-support-system-topics";

const azureTypes: ReadonlySet<string> = new Set(Object.values(systemEventTypes).flat());

/**
 * The JSON Schema of what publishers send for an event type, from the catalogue's own library.
 *
 * @see https://standardschema.dev/json-schema
 */
export function payloadSchema(
  { schemas }: EventCatalogue,
  eventType: string,
  dialect: Dialect,
): PayloadSchema {
  const definition = schemas.get(eventType);
  if (definition === undefined) {
    if (azureTypes.has(eventType)) {
      return { missing: "Microsoft documents the payload", documentation: AZURE_SCHEMAS };
    }
    return {
      missing:
        "type<…>() has no schema at run time: define the payload with zod, ArkType or Valibot instead",
    };
  }
  const standard = definition["~standard"];
  const input = inputConverter(standard);
  if (input === undefined) {
    const { vendor } = standard;
    const advice =
      vendor === "valibot"
        ? "wrap the schema in toStandardJsonSchema of @valibot/to-json-schema"
        : "use a version or an adapter that implements Standard JSON Schema";
    return { missing: `${vendor} offers no JSON Schema here: ${advice}` };
  }
  const libraryOptions = standard.vendor === "arktype" ? ARKTYPE_OPTIONS : ZOD_OPTIONS;
  try {
    // ArkType has no option for what its own conversion leaves out.
    if (standard.vendor === "arktype") refuseFlags(Object(definition).select?.("pattern") ?? []);
    return { schema: normalized(input({ target: dialect, libraryOptions }), dialect) };
  } catch (error) {
    return { missing: `not expressed: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/**
 * ArkType leaves out what JSON Schema cannot express, which would allow more than the publisher does.
 * What JSON itself cannot contain is refused as by the other libraries.
 *
 * @see https://arktype.io/docs/configuration#tojsonschema
 */
const ARKTYPE_OPTIONS = {
  fallback: Object.fromEntries(
    ["arrayPostfix", "date", "domain", "patternIntersection", "proto", "unit"].map((code) => [
      code,
      (context: { readonly unit?: unknown }) => {
        // A property that is undefined is missing in JSON.
        if (code === "unit" && context.unit === undefined) return { not: {} };
        throw new Error(`ArkType cannot represent this in JSON Schema: ${code}`);
      },
    ]),
  ),
};

/** zod calls the function for each schema in a schema. */
const ZOD_OPTIONS = {
  override: ({ zodSchema: { _zod } }: { readonly zodSchema: ZodNode }) => {
    const checks = [_zod, ...(_zod.def.checks ?? []).map((check) => check._zod)];
    // Releases before 4.6 collect the patterns in the bag.
    refuseFlags([...checks.map(({ def }) => def.pattern ?? {}), ...(_zod.bag?.patterns ?? [])]);
  },
};

/** A schema or a check, as far as it has patterns. */
interface ZodNode {
  readonly _zod: {
    readonly def: { readonly pattern?: RegExp; readonly checks?: readonly ZodNode[] };
    readonly bag?: { readonly patterns?: Iterable<RegExp> };
  };
}

/**
 * Refuses patterns with flags, which JSON Schema does not have and both libraries leave out: the contract
 * would refuse what publishers send. `u` is how JSON Schema itself reads patterns.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-core#name-regular-expressions
 */
function refuseFlags(patterns: Iterable<{ readonly flags?: string | undefined }>): void {
  for (const { flags = "" } of patterns) {
    if (!/[ims]/.test(flags)) continue;
    throw new Error(`the flags ${flags} of a pattern cannot be represented in JSON Schema`);
  }
}

interface ConverterOptions {
  readonly target: Dialect;
  readonly libraryOptions: object;
}

function inputConverter(standard: object): ((options: ConverterOptions) => JsonSchema) | undefined {
  if (!("jsonSchema" in standard)) return undefined;
  const converter: unknown = standard.jsonSchema;
  if (typeof converter !== "object" || converter === null || !("input" in converter))
    return undefined;
  const { input } = converter;
  return typeof input === "function" ? (options) => input.call(converter, options) : undefined;
}
