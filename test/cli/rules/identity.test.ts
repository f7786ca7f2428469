import { expect, it } from "vitest";
import { judgeIdentity, senderOf } from "../../../cli/src/rules/identity.js";
import { Doubt, ruling, UNKNOWN } from "../../../cli/src/rules/index.js";
import { worldOf } from "./world-of.js";

const GROUP = "/subscriptions/s/resourceGroups/g/providers";
const TOPIC = `${GROUP}/Microsoft.EventGrid/topics/t`;
const DOMAIN = `${GROUP}/Microsoft.EventGrid/domains/d`;
const ACCOUNT = `${GROUP}/Microsoft.Storage/storageAccounts/a`;
const USER = `${GROUP}/Microsoft.ManagedIdentity/userAssignedIdentities/u`;

it.each([
  [TOPIC, { type: "userassigned" }, { owner: TOPIC, identity: "UserAssigned" }],
  [TOPIC, { userAssignedIdentity: USER }, { owner: TOPIC, identity: "UserAssigned" }],
  [
    `${DOMAIN}/topics/x`,
    { type: "SystemAssigned, UserAssigned" },
    { owner: DOMAIN, identity: "SystemAssigned" },
  ],
  [TOPIC, UNKNOWN, { owner: TOPIC, identity: UNKNOWN }],
  [TOPIC, { type: UNKNOWN }, { owner: TOPIC, identity: UNKNOWN }],
  [TOPIC, { userAssignedIdentity: UNKNOWN }, { owner: TOPIC, identity: UNKNOWN }],
  [
    TOPIC,
    { type: UNKNOWN, userAssignedIdentity: USER },
    { owner: TOPIC, identity: "UserAssigned" },
  ],
  [ACCOUNT, undefined, { owner: ACCOUNT, identity: undefined }],
])("sends from %s with the identity %o", (scope, identity, sender) => {
  expect(senderOf(scope, identity)).toEqual(sender);
});

const own = (identity?: object) => ({ [DOMAIN]: { identity } });
const system = { type: "SystemAssigned" };
const used = { type: "UserAssigned", userAssignedIdentity: USER };
const attached = own({ userAssignedIdentities: { [USER.toUpperCase()]: {} } });
const user = (properties: object) => ({ [USER]: { properties } });

const judged = (bodies: Readonly<Record<string, object>>, scope: string, identity: object) =>
  judgeIdentity(worldOf(bodies), scope, identity, (subject) =>
    ruling("dead-letters", "identity", subject, {}),
  );

it.each([
  ["none of its own", own({ type: "UserAssigned" }), system, "no-system-identity"],
  ["its own, whose principal comes later", own(system), system, "later"],
  ["one whose principal is hidden", { ...attached, ...user({}) }, used, "hidden"],
  ["one that is missing", attached, used, "identity-missing"],
  [
    "one that it does not have",
    { ...own(), ...user({ principalId: "u" }) },
    used,
    "identity-not-attached",
  ],
])("a domain writes with %s", async (_, bodies, identity, expected) => {
  const { verdict, principal, subject } = await judged(bodies, `${DOMAIN}/topics/x`, identity);
  expect(subject).toBe(`${DOMAIN} ${identity === used ? USER : "system"}`);
  const found = principal instanceof Doubt ? principal.why : principal;
  expect(found ?? verdict.code).toBe(expected);
  expect(verdict.status).toBe(found === undefined ? "failed" : "ok");
});

it("does not know the identities of a source that has no topic", async () => {
  const { verdict, subject } = await judged({}, ACCOUNT, system);
  expect(subject).toBe(`${ACCOUNT} system`);
  expect(verdict.doubt).toEqual(new Doubt("hidden", `the identities of ${ACCOUNT}`));
});

it.each([
  ["source", UNKNOWN, system],
  ["identity of users", DOMAIN, { type: "UserAssigned", userAssignedIdentity: UNKNOWN }],
])("does not know an identity whose %s comes later", async (_, scope, identity) => {
  const { verdict } = await judgeIdentity(worldOf(own(system)), scope, identity, (subject) =>
    ruling("dead-letters", "identity", subject, {}),
  );
  expect(verdict.doubt).toEqual(new Doubt("later", "its identity"));
});
