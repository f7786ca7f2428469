import { describe, expect, it } from "vitest";
import {
  type AppRole,
  applicationVerdicts,
  Doubt,
  isOwner,
  type Known,
  type List,
  type Principal,
} from "../../../cli/src/rules/index.js";
import { worldOf } from "./world-of.js";

const later = new Doubt("later", "it");
const unread = new Doubt("unread", "it");

const role = (changes: Partial<AppRole> = {}): AppRole => ({
  ...{ id: "r", value: "AzureEventGridSecureWebhookSubscriber", isEnabled: true },
  ...{ memberTypes: ["User", "Application"], witnesses: ["role"], ...changes },
});
const principal = (id: Known<string>, changes: Partial<Principal> = {}): Principal => ({
  ...{ id, name: "orders", witnesses: [`${id}`], isEnabled: true, appRoles: { items: [] } },
  ...changes,
});
const own = (appRoles: List<AppRole> | AppRole, changes: Partial<Principal> = {}) =>
  principal("own", {
    appRoles: "items" in appRoles ? appRoles : { items: [appRoles] },
    ...changes,
  });

interface Given {
  readonly own?: Known<Principal | undefined>;
  readonly eventGrid?: Known<Principal | undefined>;
  readonly assigned?: readonly [principal: Known<string>, role: Known<string>][];
  readonly rest?: Doubt;
  readonly application?: Doubt | "found";
}

/** What is said of the application, with what decides it. */
async function judged(given: Given, eventGridId: string | undefined = "eg") {
  const { assigned = [["eg", "r"]], rest, application } = given;
  const all = { own: own(role()), eventGrid: principal("eg"), ...given };
  const found = {
    clientId: "own",
    ...{ identifierUris: { items: [] }, tokenVersion: 2, witnesses: ["application"] },
  };
  const world = worldOf(
    {},
    {
      principal: async (name) => (name === "own" ? all.own : all.eventGrid),
      application: async () => (application === "found" ? found : application),
      appRoleAssignments: async () => ({
        items: assigned.map(([principalId, appRoleId]) => ({
          ...{ principalId, appRoleId, witness: "assignment" },
        })),
        rest,
      }),
    },
  );
  const { verdicts } = await applicationVerdicts(world, "own", eventGridId);
  expect(new Set(verdicts.map(({ part, subject }) => `${part} ${subject}`))).toEqual(
    new Set(["application own"]),
  );
  return verdicts.map(({ rule, status, code, doubt, witnesses }) =>
    [rule, status, doubt?.why ?? code, ...witnesses].join(" "),
  );
}

const fine = {
  own: ["application ok application own", "service-principal ok service-principal own"],
  role: "app-role ok app-role role",
  eventGrid: "event-grid-principal ok event-grid-principal eg",
  assignment: "app-role-assignment ok app-role-assignment assignment role",
};

describe("Event Grid", () => {
  it("gets tokens of an application with a principal and the app role, which is assigned to it", async () => {
    expect(await judged({})).toEqual([...fine.own, fine.role, fine.eventGrid, fine.assignment]);
    const world = worldOf({}, { principal: async () => own(role()) });
    const { verdicts, ...found } = await applicationVerdicts(world, "own", "eg");
    expect(found).toEqual({ principal: own(role()), role: role() });
    expect(verdicts.map(({ facts }) => facts)).toEqual([
      { application: "own" },
      ...[1, 2].map(() => ({ application: "own", name: "orders" })),
      { application: "eg" },
      { application: "own", principalId: "own", resourceId: "own", appRoleId: "r" },
    ]);
  });

  it("gets tokens unless its principal is missing", async () => {
    const missing = "service-principal failed missing";
    const none = { own: undefined };
    expect(await judged(none)).toEqual(["application failed missing"]);
    const found = await judged({ ...none, application: "found" });
    expect(found).toEqual(["application ok application application", missing]);
    const open = new Doubt("open", "it");
    expect(await judged({ ...none, application: open })).toEqual([missing]);
    expect(await judged({ ...none, application: unread })).toEqual(["application unknown unread"]);
  });

  it("gets tokens unless the app role is missing, disabled, for users only or not known", async () => {
    const says = async (appRoles: List<AppRole> | AppRole) => {
      const found = await judged({ own: own(appRoles) });
      expect([found.slice(0, 2), found[3]]).toEqual([fine.own, fine.eventGrid]);
      return [found[2], ...found.slice(4)].join("; ").replaceAll(/app-role /g, "");
    };
    const assigned = fine.assignment;
    expect(await says({ items: [] })).toBe("failed missing own");
    expect(await says(role({ value: "Other" }))).toBe("failed missing own");
    expect(await says({ items: [role({ value: later }), role()] })).toBe(`ok role; ${assigned}`);
    expect(await says(role({ value: later }))).toBe("unknown later own");
    expect(await says({ items: [], rest: unread })).toBe("unknown unread");
    expect(await says(role({ isEnabled: false }))).toBe(`failed disabled role; ${assigned}`);
    expect(await says(role({ isEnabled: unread }))).toBe(`unknown unread role; ${assigned}`);
    expect(await says(role({ memberTypes: ["User"] }))).toBe("failed users-only role");
    expect(await says(role({ memberTypes: unread }))).toBe(`unknown unread role; ${assigned}`);
  });

  it("gets tokens unless Event Grid's own principal is missing, disabled or not known", async () => {
    const before = [...fine.own, fine.role];
    const says = async (given: Given) => (await judged(given)).slice(before.length);
    expect(await says({ eventGrid: undefined })).toEqual(["event-grid-principal failed missing"]);
    expect(await says({ eventGrid: principal("eg", { isEnabled: false }) })).toEqual([
      ...["event-grid-principal failed disabled eg", fine.assignment],
    ]);
    expect(await says({ eventGrid: unread })).toEqual([
      "event-grid-principal unknown unread",
      "app-role-assignment unknown unread assignment",
    ]);
    const world = worldOf({}, { principal: async () => own(role()) });
    const unnamed = await applicationVerdicts(world, "own", undefined);
    expect(unnamed.verdicts.at(-1)).toMatchObject({
      ...{ rule: "app-role-assignment", status: "unknown", doubt: { why: "hidden" } },
    });
    expect(unnamed).toMatchObject({ principal: { id: "own" } });
  });
});

it("tells the owners of a principal", async () => {
  const world = (list: List<string>) => worldOf({}, { owners: async () => list });
  const asked = async (list: List<string>) => (await isOwner(world(list), principal("p"), "me")).is;
  expect(await asked({ items: ["other", "ME"] })).toBe("yes");
  expect(await asked({ items: ["other"] })).toBe("no");
  expect(await asked({ items: ["other"], rest: unread })).toBe("unknown");
});
