import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromMsgpack, toMsgpack } from "../../stand-ins/src/values/msgpack.js";
import { same, UNKNOWN, type Value } from "../../stand-ins/src/values/value.js";

const { value } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Object.is(n, -0)),
    fc.string(),
    fc.constant(UNKNOWN),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), tie("value"), { maxKeys: 4 }),
  ),
}));

describe("values on the wire", () => {
  it("come back as they were, unknowns too", () => {
    fc.assert(
      fc.property(value, (original) => {
        expect(fromMsgpack(toMsgpack(original))).toEqual(original);
      }),
    );
  });

  it("an unknown is the extension 0 with one byte of zero", () => {
    expect(Buffer.from(toMsgpack(UNKNOWN)).toString("hex")).toBe("d40000");
  });

  it("an unknown of which something is known is an unknown all the same", () => {
    const refined = Buffer.from("c7030c8101c2", "hex");
    expect(fromMsgpack(refined)).toBe(UNKNOWN);
  });
});

describe("comparing values", () => {
  it("finds a value the same as itself, and another one not", () => {
    fc.assert(fc.property(value, (one) => same(one, structuredCopy(one))));
    fc.assert(fc.property(value, (one) => !same({ a: one }, { a: [one] })));
  });

  it("takes a missing attribute for null", () => {
    expect(same({ a: null, b: 1 }, { b: 1 })).toBe(true);
  });
});

const structuredCopy = (one: Value): Value => fromMsgpack(toMsgpack(one));
