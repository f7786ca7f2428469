import { describe, expect, it } from "vitest";
import {
  Authorization,
  type Permission,
  RoleAssignments,
  RoleDefinitions,
} from "../../../../local/src/resource-manager/resources/index.js";

const SCOPE = "/subscriptions/s/resourceGroups/shop";
const START = Date.parse("2026-01-01T00:00:00Z");
const ROLE = "11111111-1111-4111-8111-111111111111";
const [ADA, TEAM] = ["aaaaaaaa-1111-4111-8111-111111111111", "team"];

function start(permissions: Partial<Permission>[] = [], delaySeconds?: number) {
  let now = START;
  const assignments = new RoleAssignments({ now: () => now, delaySeconds });
  const definitions = new RoleDefinitions();
  const nothing = { actions: [], notActions: [], dataActions: [], notDataActions: [] };
  definitions.put({
    ...{ id: ROLE, roleName: "own", description: "", assignableScopes: ["/"] },
    type: "CustomRole",
    ...{ createdOn: "", updatedOn: "", createdBy: null, updatedBy: null },
    permissions: permissions.map((each) => ({ ...nothing, ...each })),
  });
  const withGroups = (id: string) => [id, TEAM];
  const authorization = new Authorization(assignments, definitions, () => now, { withGroups });
  const put = (change: object = {}, delay?: number) =>
    assignments.put(
      { name: "one", scope: SCOPE, roleId: ROLE, principalId: ADA, ...change },
      delay,
    );
  const wait = (seconds: number) => {
    now += seconds * 1000;
  };
  return { assignments, authorization, put, wait };
}

describe("a role assignment", () => {
  it("has defaults for what nobody gives, and keeps who created it and when", () => {
    const { assignments, put, wait } = start();
    const at = "2026-01-01T00:00:00.000Z";
    const first = put();
    expect(first).toEqual({
      id: `${SCOPE}/providers/Microsoft.Authorization/roleAssignments/one`,
      ...{ name: "one", scope: SCOPE, roleId: ROLE, principalId: ADA },
      principalType: "ServicePrincipal",
      ...{ description: null, condition: null, conditionVersion: null },
      delegatedManagedIdentityResourceId: null,
      ...{ createdOn: at, updatedOn: at, createdBy: null, updatedBy: null, effectiveAt: START },
    });
    wait(60);
    const changed = put({
      principalId: ADA.toUpperCase(),
      ...{ scope: `${SCOPE}/`, description: "mine", updatedBy: "bob" },
    });
    const updated = {
      description: "mine",
      updatedBy: "bob",
      updatedOn: "2026-01-01T00:01:00.000Z",
    };
    expect(changed).toEqual({ ...first, ...updated, principalId: ADA.toUpperCase() });
    expect(assignments.list()).toEqual([changed]);
    expect(put({ name: "two", principalId: "b", updatedBy: "bob" })).toMatchObject({
      ...{ createdBy: "bob", updatedBy: "bob" },
    });
  });

  it("cannot change its principal or role, and exists once at a scope", () => {
    const { put } = start();
    put({ name: "0000-1111" });
    const refused = (status: number, serviceCode: string, message: RegExp) =>
      expect.objectContaining({ status, serviceCode, message: expect.stringMatching(message) });
    for (const change of [{ principalId: "b" }, { roleId: "b" }]) {
      expect(() => put({ name: "0000-1111", ...change })).toThrow(
        refused(400, "RoleAssignmentUpdateNotPermitted", /are not allowed to be updated/),
      );
    }
    for (const change of [{}, { scope: SCOPE.toUpperCase() }, { principalId: ADA.toUpperCase() }]) {
      expect(() => put(change)).toThrow(
        refused(409, "RoleAssignmentExists", /ID of the existing role assignment is 00001111\.$/),
      );
    }
    for (const change of [{ scope: `${SCOPE}2` }, { principalId: "b" }, { roleId: "b" }]) {
      expect(put({ name: Object.keys(change)[0], ...change })).toMatchObject(change);
    }
  });

  it("is deleted with its scope, and what is below that", () => {
    const { assignments, put } = start();
    for (const scope of [SCOPE, `${SCOPE}/providers/a/b/c`, `${SCOPE}2`]) put({ scope });
    assignments.deleteWithin(SCOPE.toUpperCase());
    expect(assignments.list().map(({ scope }) => scope)).toEqual([`${SCOPE}2`]);
    expect(assignments.delete(`${SCOPE}2`, "one")).toMatchObject({ scope: `${SCOPE}2` });
    expect(assignments.delete(SCOPE, "one")).toBeUndefined();
  });
});

describe("what a role allows", () => {
  it.each<[Partial<Permission>[], string, boolean]>([
    [[{ actions: ["*"] }], "Microsoft.A/b/write", true],
    [[{ actions: ["microsoft.a/*/READ"] }], "Microsoft.A/b/c/read", true],
    [[{ actions: ["Microsoft.A/*/read"] }], "Microsoft.A/b/c/read/action", false],
    [[{ actions: ["Microsoft.A/b/read"] }], "Microsoft.A/b/read", true],
    [[{ actions: ["Microsoft.A/b/read"] }], "MicrosoftxA/b/read", false],
    [[{ actions: ["Microsoft.A/b/read"] }], "x/Microsoft.A/b/read", false],
    [[{ actions: ["*"], notActions: ["Microsoft.A/*"] }], "Microsoft.A/b/read", false],
    [[{ actions: ["*"], notActions: ["Microsoft.A/*"] }], "Microsoft.B/b/read", true],
    [[{ actions: ["*"], notActions: ["*"] }, { actions: ["*/read"] }], "Microsoft.A/b/read", true],
    [[{ dataActions: ["*"] }], "Microsoft.A/b/read", false],
  ])("is, with %j and the action %s: %j", (permissions, action, isAllowed) => {
    const { authorization, put } = start(permissions);
    put();
    expect(authorization.allows(ADA, action, `${SCOPE}/providers/a/b/c`)).toBe(isAllowed);
    const data = start(
      permissions.map(({ actions, notActions, dataActions }) => ({
        ...{ actions: dataActions ?? [], dataActions: actions ?? [] },
        notDataActions: notActions ?? [],
      })),
    );
    data.put();
    expect(data.authorization.allowsData(ADA, action, SCOPE)).toBe(isAllowed);
  });

  it("is allowed to members of a group, at the scope and below, once it is in effect", () => {
    const { authorization, put, wait } = start([{ actions: ["*"] }], 30);
    put({ principalId: TEAM.toUpperCase() });
    const allowed = (scope: string) => authorization.allows(ADA, "a/read", scope);
    expect(allowed(SCOPE)).toBe(false);
    wait(29);
    expect(allowed(SCOPE)).toBe(false);
    wait(1);
    expect([SCOPE, `${SCOPE}/b`, `${SCOPE}b`, "/subscriptions/s"].map(allowed)).toEqual([
      ...[true, true],
      ...[false, false],
    ]);
    put({ scope: "/subscriptions/t" }, 0);
    expect(allowed("/subscriptions/t")).toBe(true);
  });

  it("may also be allowed without a role, once for the same call", () => {
    const { authorization } = start();
    const [action, data] = ["Microsoft.A/b/read", "Microsoft.A/b/send/action"];
    for (const _ of [1, 2]) authorization.allow(ADA, ["Microsoft.A/*"], SCOPE);
    expect(Object(authorization).snapshot()).toHaveLength(1);
    expect(authorization.allows(ADA.toUpperCase(), action, `${SCOPE}/b`)).toBe(true);
    expect(authorization.allows(ADA, "Microsoft.B/b/read", SCOPE)).toBe(false);
    expect(authorization.allows(TEAM, action, SCOPE)).toBe(false);
    expect(authorization.allowsData(ADA, data, SCOPE)).toBe(false);
    authorization.allow(ADA, ["Microsoft.B/*"], SCOPE);
    expect(Object(authorization).snapshot()).toHaveLength(2);
  });
});
