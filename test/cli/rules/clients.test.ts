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
  expect(admitsAll("10.0.0.0/8, 1.2.3.4", "1.2.3.4")).toBe(true);
  expect(admitsAll("10.0.0.0/8", "10.0.0.0/8, 1.2.3.4")).toBe(false);
});
