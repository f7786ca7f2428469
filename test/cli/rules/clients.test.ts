import { expect, it } from "vitest";
import { admitsAll, clientKeys, UNKNOWN } from "../../../cli/src/rules/index.js";

const topic = (properties: unknown) => ({ id: "/t", witnesses: ["topic"], body: { properties } });

it("takes keys unless they are switched off", () => {
  const verdict = (properties: object) => clientKeys(topic(properties));
  const common = { part: "publishers", rule: "keys", subject: "/t", witnesses: ["topic"] };
  expect(verdict({})).toMatchObject({ ...common, status: "ok" });
  expect(verdict({ disableLocalAuth: true })).toMatchObject({ ...common, code: "keys-refused" });
  const later = { ...common, status: "unknown", doubt: { why: "later" } };
  expect(verdict({ disableLocalAuth: UNKNOWN })).toMatchObject(later);
});

it("compares what IP rules admit", () => {
  const wider = "10.0.0.0/8, 20.1.0.0/16, 2001:db8::/32";
  for (const [others, expected] of [
    ["10.0.0.0/8", true],
    ["10.255.0.0/16, 20.1.2.3", true],
    ["10.0.0.0/7", false],
    ["20.1.0.0/15", false],
    ["10.1.1.1, 30.1.1.1", false],
    ["2001:db8:1::/48, 2001:db8::1", true],
    ["2001:db8::/31", false],
    ["::ffff:10.1.1.1", false],
    ["nonsense", false],
  ] as const) {
    expect({ others, is: admitsAll(wider, others) }).toEqual({ others, is: expected });
  }
  expect(admitsAll("1.2.3.4", "1.2.3.4/32")).toBe(true);
  expect(admitsAll("1.2.3.4", "1.2.3.4/31")).toBe(false);
  expect(admitsAll("::1", "::1/128")).toBe(true);
  expect(admitsAll("::1", "::1/127")).toBe(false);
  expect(admitsAll("0.0.0.0/0", "::1")).toBe(false);
});
