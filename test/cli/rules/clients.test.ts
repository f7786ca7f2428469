import { expect, it } from "vitest";
import {
  admitsAll,
  clientKeys,
  clientNetwork,
  Doubt,
  UNKNOWN,
} from "../../../cli/src/rules/index.js";
import { worldOf } from "./world-of.js";

const topic = (properties: unknown) => ({ id: "/t", witnesses: ["topic"], body: { properties } });

/** The verdict on a network, in short. */
async function judged(properties: unknown, endpoints: readonly boolean[] = [], rest?: Doubt) {
  const world = worldOf(
    {},
    {
      privateEndpoints: async () => ({
        items: endpoints.map((isApproved, index) => ({ isApproved, witness: `${index}` })),
        rest,
      }),
    },
  );
  const { part, rule, subject, status, code, ...more } = await clientNetwork(
    world,
    topic(properties),
  );
  expect([part, rule, subject, more.facts.id]).toEqual(["publishers", "network", "/t", "/t"]);
  return [
    status,
    status === "unknown" ? more.doubt?.why : code,
    more.witnesses.join(),
    more.facts.masks,
  ];
}

it("knows who can connect to a topic whose public access is on", async () => {
  const rules = (...masks: unknown[]) => ({ inboundIpRules: masks.map((ipMask) => ({ ipMask })) });
  expect(await judged({})).toEqual(["ok", "network", "topic", undefined]);
  const disabled = { publicNetworkAccess: "NotDisabled", inboundIpRules: [] };
  expect(await judged(disabled)).toEqual(["ok", "network", "topic", undefined]);
  const inside = ["10.1.0.0/16", "192.168.7.7"];
  const closed = ["failed", "private-addresses", "topic", "10.1.0.0/16, 192.168.7.7"];
  expect(await judged(rules(...inside))).toEqual(closed);
  for (const mask of ["20.1.2.3/32", "10.0.0.0/0", undefined]) {
    const masks = [...inside, mask ?? ""].join(", ");
    expect(await judged(rules(...inside, mask))).toEqual([
      "warning",
      "only-addresses",
      "topic",
      masks,
    ]);
  }
  for (const properties of [{ publicNetworkAccess: UNKNOWN }, { inboundIpRules: UNKNOWN }]) {
    expect(await judged(properties)).toEqual(["unknown", "later", "topic", undefined]);
  }
});

it("lets private endpoints through if one is approved, and knows nothing of a perimeter", async () => {
  const off = { publicNetworkAccess: "disabled" };
  expect(await judged(off, [false, true])).toEqual([
    "warning",
    "private-only",
    "topic,1",
    undefined,
  ]);
  expect(await judged(off, [false])).toEqual(["failed", "no-way-in", "topic", undefined]);
  const unread = new Doubt("unread", "more");
  expect(await judged(off, [false], unread)).toEqual(["unknown", "unread", "topic", undefined]);
  const perimeter = { publicNetworkAccess: "SecuredByPerimeter" };
  expect(await judged(perimeter)).toEqual(["unknown", "perimeter", "topic", undefined]);
});

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
