import { describe, expect, it } from "vitest";
import { type PlanRules, plan } from "../../stand-ins/src/provider/plan.js";
import { settle } from "../../stand-ins/src/provider/settle.js";
import type { BlockSchema } from "../../stand-ins/src/schema/schema.js";
import { type Attributes, UNKNOWN } from "../../stand-ins/src/values/value.js";

const schema: BlockSchema = {
  attributes: {
    name: { type: "string", required: true },
    location: { type: "string", required: true },
    id: { type: "string", optional: true, computed: true },
    key: { type: "string", computed: true },
    password: { type: "string", optional: true, write_only: true },
    tier: { type: "string", optional: true },
    role: { type: "string", optional: true, computed: true },
    tags: { type: ["map", "string"], optional: true },
  },
  block_types: {
    webhook: {
      nesting_mode: "list",
      block: {
        attributes: {
          url: { type: "string", required: true },
          base: { type: "string", computed: true },
        },
      },
    },
    rule: {
      nesting_mode: "set",
      block: {
        attributes: {
          mask: { type: "string", required: true },
          id: { type: "string", computed: true },
        },
      },
    },
    retry: {
      nesting_mode: "list",
      block: { attributes: { attempts: { type: "number", required: true } } },
    },
  },
};

const rules: PlanRules = {
  forceNew: ["name"],
  defaults: { tier: "Standard" },
  filledIn: ["retry"],
  normalize: { location: (text) => text.toLowerCase() },
  caseInsensitive: ["role"],
};

const config: Attributes = { name: "orders", location: "West", webhook: [{ url: "https://a" }] };
const prior: Attributes = {
  name: "orders",
  location: "west",
  id: "/orders",
  key: "k",
  tier: "Standard",
  role: "/Roles/Reader",
  webhook: [{ url: "https://a", base: "https://a" }],
  rule: [{ mask: "10.0.0.0/8", id: "r1" }],
  retry: [{ attempts: 30 }],
};

/** Terraform's proposed state: the configuration over the computed values of the state. */
const proposed = (changes: Attributes = {}): Attributes => ({
  ...prior,
  retry: [],
  ...config,
  webhook: [{ url: "https://a", base: "https://a" }],
  ...changes,
});

describe("the plan of a new resource", () => {
  const { planned, replace } = plan(schema, rules, null, config);

  it("leaves computed attributes unknown, also in blocks", () => {
    expect(planned.id).toBe(UNKNOWN);
    expect(planned.key).toBe(UNKNOWN);
    expect(planned.webhook).toEqual([{ url: "https://a", base: UNKNOWN }]);
    expect(replace).toEqual([]);
  });

  it("fills in defaults, and writes strings as the state has them", () => {
    expect(planned).toMatchObject({ tier: "Standard", location: "west" });
  });

  it("fills in defaults in every block", () => {
    const blocks = { ...rules, defaults: { rule: { mask: "0.0.0.0/0" } } };
    const wanted = { ...config, rule: [{}, { mask: "10.0.0.0/8" }] };
    expect(plan(schema, blocks, null, wanted).planned.rule).toEqual([
      { mask: "0.0.0.0/0", id: UNKNOWN },
      { mask: "10.0.0.0/8", id: UNKNOWN },
    ]);
  });

  it("never keeps a write-only value", () => {
    const secret = { ...config, password: "s3cret" };
    expect(plan(schema, rules, null, secret).planned.password).toBeNull();
  });
});

describe("the plan of an existing resource", () => {
  const change = (changes: Attributes) => plan(schema, rules, prior, proposed(changes));

  it("is empty without a change", () => {
    const { planned, replace } = change({});
    expect(planned).toMatchObject(prior);
    expect(replace).toEqual([]);
  });

  it("keeps computed values, and plans none for a new block, as azurerm does", () => {
    const webhook = [{ url: "https://a", base: "https://a" }, { url: "https://b" }];
    const { planned } = change({ webhook });
    expect(planned.id).toBe("/orders");
    expect(planned.webhook).toEqual([
      { url: "https://a", base: "https://a" },
      { url: "https://b" },
    ]);
  });

  it("is a replacement if the type requires it", () => {
    expect(change({ name: "invoices" }).replace).toEqual(["name"]);
    expect(change({ name: UNKNOWN }).replace).toEqual(["name"]);
    expect(change({ tags: { a: "b" } }).replace).toEqual([]);
  });

  it("ignores case where the provider does", () => {
    expect(change({ role: "/roles/reader" }).planned.role).toBe("/Roles/Reader");
    expect(change({ role: "/roles/writer" }).planned.role).toBe("/roles/writer");
  });

  it("keeps blocks that the cloud filled in until the configuration has them", () => {
    expect(change({}).planned.retry).toEqual([{ attempts: 30 }]);
    expect(change({ retry: [{ attempts: 5 }] }).planned.retry).toEqual([{ attempts: 5 }]);
  });
});

describe("values that mean nothing", () => {
  it.each([[null], [""], [0], [false], [[]], [{}]])(
    "%j is no change from null, nor back",
    (zero) => {
      expect(settle(null, zero)).toBeNull();
      expect(settle(zero, null)).toEqual(zero);
    },
  );

  it("differ from added and removed values", () => {
    expect(settle("a", null)).toBeNull();
    expect(settle(null, "a")).toBe("a");
    expect(settle({ a: 1 }, {})).toEqual({ a: null });
    expect(settle(UNKNOWN, "")).toBe("");
  });
});
