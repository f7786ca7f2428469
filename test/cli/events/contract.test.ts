import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Parser } from "@asyncapi/parser";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { Ajv } from "ajv";
import { type as ark } from "arktype";
import { defineEvents, systemEvents, type } from "cloud-eventgrid-binding-runtime";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { normalized } from "../../../cli/src/events/definitions.js";
import { asyncApiDocument, modelSchemas } from "../../../cli/src/events/index.js";
import { type JsonSchema, spelled } from "../../../cli/src/events/spelling.js";
import { directoryWith } from "../temporary.js";
import { anyObject, anyShape, arkOf, valibotOf, zodOf } from "./shapes.js";
import { valuesAllowedBy } from "./values.js";

const TYPE = "shop.order.placed";

function schemaOf(definition: Parameters<typeof defineEvents>[0][string], name: string = TYPE) {
  const { components } = asyncApiDocument(defineEvents({ [name]: definition }), "orders");
  const [message] = Object.values(components.messages);
  return (message?.payload.schema.properties as { data?: unknown } | undefined)?.data;
}

/** What no file system or object takes as it is. */
const AWKWARD = [
  "AUX.b",
  "nul",
  "com1.x",
  "A.b",
  "a.b",
  "a/b",
  "a_b",
  "constructor",
  "hasOwnProperty",
  "__proto__",
  "x".repeat(300),
];

/** A union with anything, and one with nothing. */
const UNIONS = ark({ "a?": "never", b: "unknown | null" });

const Category = z.object({
  name: z.string(),
  get children() {
    return z.array(Category);
  },
});
const Moved = z.object({ to: Category, from: Category });

describe("a contract", () => {
  it("is the same for the same shape in zod, Valibot and ArkType", () => {
    fc.assert(
      fc.property(anyShape, (shape) => {
        const contract = schemaOf(zodOf(shape));
        expect(schemaOf(valibotOf(shape))).toEqual(contract);
        expect(schemaOf(arkOf(shape))).toEqual(contract);
      }),
    );
  });

  it("allows nothing that the publisher's validation refuses, and with zod the same", async () => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    await fc.assert(
      fc.asyncProperty(
        anyShape.chain((shape) => {
          const schema = schemaOf(zodOf(shape));
          const values = fc.oneof(valuesAllowedBy(schema), fc.jsonValue({ maxDepth: 2 }));
          return fc.record({
            shape: fc.constant(shape),
            schema: fc.constant(schema),
            value: values,
          });
        }),
        async ({ shape, schema, value }) => {
          const json: unknown = JSON.parse(JSON.stringify(value));
          const isAllowed = ajv.validate(schema as object, json);
          const accepts = async (library: StandardSchemaV1) =>
            (await library["~standard"].validate(json)).issues === undefined;
          expect(await accepts(zodOf(shape))).toBe(isAllowed);
          // Valibot and ArkType take an array for an object whose members are all optional.
          if (isAllowed) {
            expect(await accepts(valibotOf(shape))).toBe(true);
            expect(await accepts(arkOf(shape))).toBe(true);
          }
        },
      ),
    );
  });

  it("is valid for AsyncAPI's own parser", async () => {
    const shapes = fc.sample(anyObject, 15);
    const definitions = [
      ...shapes.map((shape, index) => [`shop/order ${index}.ä`, zodOf(shape)]),
      ...AWKWARD.map((name) => [name, z.object({ x: z.string() })]),
      ["shop.unions", UNIONS],
      ["shop/category.moved", Moved],
    ];
    const document = asyncApiDocument(defineEvents(Object.fromEntries(definitions)), "a/b");
    // The parser takes seconds for a document.
    const diagnostics = await new Parser().validate(JSON.stringify(document));
    expect(diagnostics.filter(({ severity }) => severity === 0)).toEqual([]);
  });

  it("expresses in ArkType what is undefined as a property that is missing", () => {
    expect(schemaOf(ark({ "a?": "string | undefined" }))).toEqual(
      schemaOf(z.object({ a: z.string().optional() })),
    );
  });

  it("expresses unions with anything or nothing as zod does", () => {
    const same = z.object({ a: z.never().optional(), b: z.unknown().nullable() });
    expect(schemaOf(UNIONS)).toEqual(schemaOf(same));
  });

  it("names the types of values, and leaves out those that a declared type excludes", () => {
    expect(spelled({ enum: [null, "a", [1], 1.5, 1] })).toEqual({
      enum: ["a", 1, 1.5, [1], null],
      type: ["array", "integer", "null", "number", "string"],
    });
    expect(spelled({ type: "integer", enum: [1, 2.5] })).toEqual({ const: 1, type: "integer" });
    expect(spelled({ type: "number", const: 1 })).toEqual({ const: 1, type: "integer" });
    expect(spelled({ type: "string", const: 1 })).toEqual({ not: {} });
  });

  it("has a key of its own for each event type, whatever the file system or object does", () => {
    const definitions = AWKWARD.map((each) => [each, z.object({ x: z.string() })]);
    const catalogue = defineEvents(Object.fromEntries(definitions));
    const document = asyncApiDocument(catalogue, "orders");
    expect(Object.values(document.components.messages).map(({ name }) => name)).toEqual(
      AWKWARD.toSorted(),
    );
    const files = Object.keys(modelSchemas(catalogue).files);
    expect(new Set(files.map((each) => each.toLowerCase())).size).toBe(AWKWARD.length);
    expect(files).toEqual(
      expect.arrayContaining(["AUX_.b.json", "nul_.json", "com1_.x.json", "__proto___2.json"]),
    );
    for (const file of files) expect(file.length).toBeLessThan(255);
  });

  it("has the same text whatever the order of event types and properties", () => {
    const one = defineEvents({ "a.b": z.object({ x: z.string(), y: z.number() }), "a.c": type() });
    const other = defineEvents({
      "a.c": type(),
      "a.b": z.object({ y: z.number(), x: z.string() }),
    });
    expect(JSON.stringify(asyncApiDocument(one, "orders"))).toBe(
      JSON.stringify(asyncApiDocument(other, "orders")),
    );
  });

  it("keeps the references of a recursive payload valid in the document", () => {
    const document = asyncApiDocument(defineEvents({ "shop/category.moved": Moved }), "a/b");
    const validate = new Ajv({ strict: false, validateFormats: false })
      .addSchema(document, "contract")
      .compile({
        $ref: "contract#/components/messages/shop_category.moved/payload/schema",
      });
    const event = (to: unknown) => ({
      id: "1",
      source: "/shop",
      specversion: "1.0",
      type: "shop/category.moved",
      data: { to, from: { name: "tea", children: [] } },
    });
    expect(validate(event({ name: "tea", children: [{ name: "green", children: [] }] }))).toBe(
      true,
    );
    expect(validate(event({ name: "tea", children: [{ name: 1, children: [] }] }))).toBe(false);
  });

  it("does not depend on what else a process has loaded", async () => {
    const arktype = pathToFileURL(createRequire(import.meta.url).resolve("arktype")).href;
    const directory = directoryWith({
      "other.mjs": `import { scope, type } from "${arktype}";
        scope({ x: { "n?": "x" } }).export(); type("null | 'b' | 'a'"); type("'dog' | number[]");`,
      "person.mjs": `import { scope } from "${arktype}";
        export const { person } = scope({
          person: { "friend?": "person", "pet?": "animal | 'none' | null", code: "'a' | 'b' | null" },
          animal: { kind: "number[] | 'dog'", "owner?": "person", "young?": "animal[]" },
        }).export();
        export const print = () => console.log(JSON.stringify(person["~standard"].jsonSchema.input({ target: "draft-07" })));`,
      "alone.mjs": 'import { print } from "./person.mjs"; print();',
      "last.mjs": 'import "./other.mjs"; import { print } from "./person.mjs"; print();',
    });
    const [alone, last] = ["alone.mjs", "last.mjs"].map(
      (file): JsonSchema =>
        JSON.parse(execFileSync(process.execPath, [join(directory, file)], { encoding: "utf8" })),
    );
    expect(Object.keys(Object(alone?.definitions))).not.toEqual(
      Object.keys(Object(last?.definitions)),
    );
    const text = JSON.stringify(normalized(alone ?? {}, "draft-07"));
    expect(JSON.stringify(normalized(last ?? {}, "draft-07"))).toBe(text);
    expect(text).toContain('"$ref":"#/definitions/schema1"');
  });

  it("lists the events that have no schema, with the reason", () => {
    const catalogue = defineEvents({
      "shop.order.placed": type<{ orderId: string }>(),
      "shop.order.sent": z.object({ at: z.coerce.date() }),
      "shop.order.seen": ark({ at: "Date" }),
      ...systemEvents("Microsoft.Storage.BlobCreated"),
    });
    const { components } = asyncApiDocument(catalogue, "orders");
    expect(
      Object.values(components.messages).map(({ description, externalDocs }) => [
        description,
        externalDocs,
      ]),
    ).toEqual([
      [
        "No schema: Microsoft documents the payload.",
        {
          url: expect.stringMatching(
            /^https:\/\/learn\.microsoft\.com\/azure\/event-grid\/system-topics#/,
          ),
        },
      ],
      [expect.stringContaining("define the payload with zod, ArkType or Valibot"), undefined],
      ["No schema: not expressed: ArkType cannot represent this in JSON Schema: date.", undefined],
      ["No schema: not expressed: Date cannot be represented in JSON Schema.", undefined],
    ]);
    expect(modelSchemas(catalogue).missing).toHaveLength(4);
  });

  it.each(["i", "m", "s"])("does not express a pattern with the flag %s", (flag) => {
    const pattern = new RegExp("^a.", flag);
    for (const schema of [z.object({ a: z.string().regex(pattern) }), ark(pattern)])
      expect(modelSchemas(defineEvents({ [TYPE]: schema })).missing).toEqual([
        `${TYPE}: not expressed: the flags ${flag} of a pattern cannot be represented in JSON Schema`,
      ]);
    expect(schemaOf(z.string().regex(/^a/u))).toEqual({ type: "string", pattern: "^a" });
  });

  it("tells users of Valibot which adapter has JSON Schemas", () => {
    const plain = {
      "~standard": {
        version: 1 as const,
        vendor: "valibot",
        validate: (value: unknown) => ({ value }),
      },
    };
    expect(modelSchemas(defineEvents({ [TYPE]: plain })).missing).toEqual([
      "shop.order.placed: valibot offers no JSON Schema here: wrap the schema in toStandardJsonSchema of @valibot/to-json-schema",
    ]);
  });
});
