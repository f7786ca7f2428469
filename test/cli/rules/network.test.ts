import { describe, expect, it } from "vitest";
import { UNKNOWN } from "../../../cli/src/rules/index.js";
import { accountRules, admission, brokerRules } from "../../../cli/src/rules/network.js";

const GROUP = "/subscriptions/s/resourceGroups/g/providers";
const TOPIC = `${GROUP}/Microsoft.EventGrid/topics/t`;

describe("the network rules", () => {
  it("trust Azure's services in a storage account unless it says otherwise", () => {
    const rules = (networkAcls: unknown) =>
      accountRules({ properties: { publicNetworkAccess: "Enabled", networkAcls } });
    const given = { defaultAction: "Deny", resourceAccessRules: [1] };
    const read = { access: "Enabled", defaultAction: "Deny", resourceRules: [1] };
    expect(rules(given)).toEqual({ ...read, trustsServices: true });
    for (const [bypass, trustsServices] of [
      ["None", false],
      ["Logging, azureservices", true],
      ["NoAzureServicesAtAll", false],
      [UNKNOWN, UNKNOWN],
    ]) {
      expect(rules({ ...given, bypass })).toEqual({ ...read, trustsServices });
    }
  });

  it("stand in two places of a broker, of which the one that closes decides", () => {
    const access = (one: unknown, other: unknown) =>
      brokerRules(
        { properties: { publicNetworkAccess: one } },
        { properties: { publicNetworkAccess: other } },
      ).access;
    expect(access("Enabled", "disabled")).toBe("disabled");
    expect(access("Enabled", "SecuredByPerimeter")).toBe("SecuredByPerimeter");
    expect(access(UNKNOWN, "Disabled")).toBe("Disabled");
    expect(access("Enabled", UNKNOWN)).toBe(UNKNOWN);
    expect(access("Enabled", "NotDisabled")).toBe("Enabled");
    expect(access("DisabledNot", undefined)).toBe("DisabledNot");
    expect(access(undefined, "Enabled")).toBe("Enabled");
    const set = { properties: { defaultAction: "Deny", trustedServiceAccessEnabled: true } };
    expect(brokerRules({}, set)).toEqual({
      ...{ access: undefined, defaultAction: "Deny" },
      ...{ trustsServices: true, resourceRules: undefined },
    });
    expect(brokerRules({}, undefined).trustsServices).toBe(false);
  });
});

type Rules = Partial<Parameters<typeof admission>[0]>;
type Identity = Parameters<typeof admission>[1]["identity"];

const admitted = (rules: Rules, identity: Identity, isAccount = true, owner: unknown = TOPIC) =>
  admission(
    {
      ...{ access: "Enabled", defaultAction: "Deny", trustsServices: false },
      ...{ resourceRules: undefined, ...rules },
    },
    { owner, identity },
    isAccount,
  );
/** What is said with the system-assigned identity, with one of users, and with keys. */
const all = (rules: Rules, isAccount = true) =>
  (["SystemAssigned", "UserAssigned", undefined] as const).map((identity) =>
    admitted(rules, identity, isAccount),
  );
const same = (text: string) => [text, text, text];

describe("Event Grid", () => {
  it("comes in where nothing is closed, and knows nothing of perimeters and of what comes later", () => {
    for (const isAccount of [true, false]) {
      expect(all({ defaultAction: "Allow" }, isAccount)).toEqual(same("open"));
      expect(all({ defaultAction: undefined }, isAccount)).toEqual(same("open"));
      expect(all({ defaultAction: "NoDenyAtAll" }, isAccount)).toEqual(same("open"));
      expect(all({ access: "NotDisabled", defaultAction: "Allow" })).toEqual(same("open"));
      expect(all({ access: "securedbyperimeter" }, isAccount)).toEqual(same("perimeter"));
      expect(all({ access: "NotSecuredByPerimeterX" }, isAccount)).toEqual(all({}, isAccount));
      expect(all({ access: UNKNOWN }, isAccount)).toEqual(same("later"));
      expect(admitted({ defaultAction: "Allow" }, UNKNOWN, isAccount)).toBe("open");
      expect(all({ defaultAction: UNKNOWN }, isAccount)).toEqual(same("later"));
    }
  });

  it("passes a closed network as a trusted service, with the topic's own identity only", () => {
    const closed = ["closed", "closed-to-user-assigned", "closed"];
    const user = "closed-to-user-assigned";
    for (const shut of [{}, { access: "disabled", defaultAction: "Allow" }]) {
      expect(all(shut)).toEqual(closed);
      expect(all(shut, false)).toEqual(closed);
      const trusts = { ...shut, trustsServices: true };
      expect(all(trusts)).toEqual(["trusted", user, "closed-without-identity"]);
      const broker = "access" in shut ? "trusted-without-public-access" : "trusted";
      expect(all(trusts, false)).toEqual([broker, user, "closed"]);
      expect(admitted(shut, UNKNOWN)).toBe("closed");
      expect(admitted(trusts, UNKNOWN)).toBe("later");
      expect(admitted(trusts, UNKNOWN, false)).toBe("later");
      const later = { ...shut, trustsServices: UNKNOWN };
      expect(all(later)).toEqual(["later", user, "later"]);
      expect(all(later, false)).toEqual(["later", user, "closed"]);
    }
  });

  it("passes an account that has a rule for the topic, for its group or for its subscription", () => {
    const rule = (resourceId: unknown) => ({
      resourceRules: [{ resourceId: "/x" }, { resourceId }],
    });
    const group = "/subscriptions/s/resourceGroups/*/providers/Microsoft.EventGrid/topics/*";
    for (const id of [TOPIC, TOPIC.toUpperCase(), group]) {
      expect(all(rule(id))).toEqual(["trusted", "closed-to-user-assigned", "closed"]);
      expect(admitted(rule(id), "SystemAssigned", false)).toBe("closed");
    }
    for (const id of [`${TOPIC}t`, `${TOPIC}/t`, TOPIC.replace("/g/", "/h/"), "*", undefined]) {
      expect(admitted(rule(id), "SystemAssigned")).toBe("closed");
    }
    expect(admitted(rule(UNKNOWN), "SystemAssigned")).toBe("later");
    expect(admitted({ resourceRules: UNKNOWN }, "SystemAssigned")).toBe("later");
    expect(admitted(rule(TOPIC), "SystemAssigned", true, UNKNOWN)).toBe("later");
    expect(admitted({ resourceRules: [] }, "SystemAssigned", true, UNKNOWN)).toBe("closed");
  });
});
