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

describe("values in MessagePack", () => {
  it("are unchanged by encoding and decoding, including unknown ones", () => {
    fc.assert(
      fc.property(value, (original) => {
        expect(fromMsgpack(toMsgpack(original))).toEqual(original);
      }),
    );
  });

  it("encode unknown as extension 0 with one zero byte", () => {
    expect(Buffer.from(toMsgpack(UNKNOWN)).toString("hex")).toBe("d40000");
  });

  it("decode a refined unknown as unknown", () => {
    const refined = Buffer.from("c7030c8101c2", "hex");
    expect(fromMsgpack(refined)).toBe(UNKNOWN);
  });
});

describe("the comparison of values", () => {
  it("finds equal values equal, and others not", () => {
    fc.assert(fc.property(value, (one) => same(one, structuredCopy(one))));
    fc.assert(fc.property(value, (one) => !same({ a: one }, { a: [one] })));
  });

  it("treats a missing attribute as null", () => {
    expect(same({ a: null, b: 1 }, { b: 1 })).toBe(true);
  });
});

const structuredCopy = (one: Value): Value => fromMsgpack(toMsgpack(one));
