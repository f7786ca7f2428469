import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { command } from "../command.js";
import { directoryWith } from "../temporary.js";

/** A module in JavaScript, which needs no runtime: the form makes a catalogue. */
const catalogue = (name: string, properties: object) => `
  const schema = { type: "object", properties: ${JSON.stringify(properties)} };
  const jsonSchema = { input: () => schema, output: () => schema };
  const definition = { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }), jsonSchema } };
  export const ${name} = { types: ["shop.order.placed"], schemas: new Map([["shop.order.placed", definition]]) };
`;

const TEXT = { type: "string" };

describe("cloud-eventgrid events", () => {
  it("prints the contract of the only catalogue, with the name of the export or the topic", async () => {
    const directory = directoryWith({ "orders.mjs": catalogue("orders", { orderId: TEXT }) });
    const { exitCode, out } = await command(["events", "orders.mjs"], { directory });
    expect(exitCode).toBe(0);
    expect(Object.keys(JSON.parse(out).channels)).toEqual(["orders"]);
    const named = await command(["events", "orders.mjs", "--topic", "shop"], { directory });
    expect(Object.keys(JSON.parse(named.out).channels)).toEqual(["shop"]);
  });

  it("loads TypeScript, with the tsx of the project", async () => {
    const { exitCode, out, error } = await command(["events", "examples/orders/events.ts"]);
    expect({ exitCode, error }).toMatchObject({
      exitCode: 0,
      error: expect.stringContaining("no schema: shop.order.placed: type<…>() has no schema"),
    });
    expect(Object.keys(JSON.parse(out).components.messages)).toEqual([
      "shop.order.placed",
      "shop.order.shipped",
    ]);
    const directory = directoryWith({ "orders.ts": "export const a: string = '1';" });
    expect(await command(["events", "orders.ts"], { directory })).toMatchObject({
      exitCode: 1,
      error: "error: a catalogue in TypeScript needs tsx: npm install --save-dev tsx\n",
    });
  });

  it("finds a catalogue that a CommonJS module exports, itself or under a computed name", async () => {
    const text = catalogue("orders", {}).replace("export const orders", "const orders");
    const directory = directoryWith({
      "itself.cjs": `${text} module.exports = orders;`,
      "computed.cjs": `${text} module.exports = Object.fromEntries([["orders", orders]]);`,
    });
    for (const [file, name] of [
      ["itself.cjs", "events"],
      ["computed.cjs", "orders"],
    ] as const) {
      const { out, error } = await command(["events", file], { directory });
      expect(error).toBe("");
      expect(Object.keys(JSON.parse(out).channels)).toEqual([name]);
    }
  });

  it("refuses to compare with a document that has no messages where this command writes them", async () => {
    const directory = directoryWith({
      "orders.mjs": catalogue("orders", {}),
      "other.json": JSON.stringify({ asyncapi: "3.0.0", channels: { orders: { messages: {} } } }),
    });
    expect(
      await command(["events", "orders.mjs", "--against", "other.json"], { directory }),
    ).toMatchObject({
      exitCode: 1,
      error: "error: other.json is no contract: write one with cloud-eventgrid events\n",
    });
  });

  it.each([
    ["export const a = 1;", "exports no event catalogue: export what defineEvents returns"],
    [
      "export const a = { types: [], schemas: new Map() }, b = { types: [], schemas: new Map() };",
      "exports several event catalogues (a, b): give a module that exports only one of them",
    ],
    ["throw new Error('no database');", "cannot load orders.mjs: no database"],
  ])("refuses %s", async (text, message) => {
    const directory = directoryWith({ "orders.mjs": text });
    const { exitCode, error } = await command(["events", "orders.mjs"], { directory });
    expect(exitCode).toBe(1);
    expect(error).toContain(message);
  });

  it("ends with 3 if a change breaks consumers, 4 if it may, and 0 if it is safe", async () => {
    const directory = directoryWith({
      "before.mjs": catalogue("orders", { orderId: TEXT, note: { ...TEXT, pattern: "^a" } }),
      "same.mjs": catalogue("orders", {
        note: { pattern: "^a", ...TEXT },
        orderId: TEXT,
        more: TEXT,
      }),
      "unknown.mjs": catalogue("orders", { orderId: TEXT, note: { ...TEXT, pattern: "^b" } }),
      "broken.mjs": catalogue("orders", { note: { ...TEXT, pattern: "^b" } }),
    });
    const { out: contract } = await command(["events", "before.mjs"], { directory });
    // As PowerShell writes it with `>`.
    writeFileSync(join(directory, "contract.json"), `\ufeff${contract}`, "utf16le");
    const against = async (file: string) => {
      const { exitCode, out } = await command(["events", file, "--against", "contract.json"], {
        directory,
      });
      return [exitCode, ...out.trimEnd().split("\n")];
    };
    expect(await against("same.mjs")).toEqual([
      0,
      "shop.order.placed",
      "  safe     data.more is new",
      "No change breaks consumers of contract.json.",
    ]);
    expect(await against("unknown.mjs")).toEqual([
      4,
      "shop.order.placed",
      "  unknown  data.note has another pattern",
      "1 change may break consumers of contract.json.",
    ]);
    expect(await against("broken.mjs")).toEqual([
      3,
      "shop.order.placed",
      "  breaks   data.orderId is gone",
      "  unknown  data.note has another pattern",
      "1 change breaks consumers of contract.json.",
    ]);
  });

  it("compares the event types, with the earlier contract from standard input", async () => {
    const directory = directoryWith({ "orders.mjs": catalogue("orders", { orderId: TEXT }) });
    const contract = (await command(["events", "orders.mjs"], { directory })).out;
    const input = contract.replaceAll("shop.order.placed", "shop.order.paid");
    const { exitCode, out } = await command(["events", "orders.mjs", "--against", "-", "--json"], {
      directory,
      input,
    });
    expect(exitCode).toBe(3);
    expect(JSON.parse(out)).toEqual({
      ok: false,
      changes: [
        {
          eventType: "shop.order.paid",
          effect: "breaks",
          path: "",
          message: "this event type is gone",
        },
        {
          eventType: "shop.order.placed",
          effect: "safe",
          path: "",
          message: "this event type is new",
        },
      ],
    });
  });

  it("does not call a payload safe that got or lost its whole schema", async () => {
    const directory = directoryWith({
      "with.mjs": catalogue("orders", { orderId: TEXT }),
      "without.mjs": 'export const orders = { types: ["shop.order.placed"], schemas: new Map() };',
    });
    for (const [before, after] of [
      ["with.mjs", "without.mjs"],
      ["without.mjs", "with.mjs"],
    ]) {
      const input = (await command(["events", `${before}`], { directory })).out;
      const { exitCode } = await command(["events", `${after}`, "--against", "-"], {
        directory,
        input,
      });
      expect(exitCode).toBe(4);
    }
  });

  it.each([
    ["{", "- is not JSON"],
    ["{}", "- is no contract: write one with cloud-eventgrid events"],
    ['{"asyncapi":"2.6.0"}', "- is no contract"],
  ])("refuses %s as a contract", async (input, message) => {
    const directory = directoryWith({ "orders.mjs": catalogue("orders", {}) });
    const { exitCode, error } = await command(["events", "orders.mjs", "--against", "-"], {
      directory,
      input,
    });
    expect(exitCode).toBe(1);
    expect(error).toContain(message);
  });

  it("writes a JSON Schema of each payload", async () => {
    const directory = directoryWith({ "orders.mjs": catalogue("orders", { orderId: TEXT }) });
    expect(
      (await command(["events", "orders.mjs", "--json-schema", "schemas"], { directory })).exitCode,
    ).toBe(0);
    expect(readdirSync(join(directory, "schemas"))).toEqual(["shop.order.placed.json"]);
    expect(
      JSON.parse(readFileSync(join(directory, "schemas/shop.order.placed.json"), "utf8")),
    ).toEqual({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      title: "shop.order.placed",
      type: "object",
      properties: { orderId: TEXT },
    });
  });
});
