import fc from "fast-check";
import { expect, it } from "vitest";
import {
  builtInRole,
  Doubt,
  permission,
  RIGHTS,
  type Right,
  type RoleAssignment,
  unknown,
  type World,
  yes,
} from "../../../cli/src/rules/index.js";
import type { Permissions } from "../../../cli/src/rules/world.js";
import { worldOf } from "./world-of.js";

const SCOPE = "/subscriptions/s/resourceGroups/g/providers/Microsoft.EventGrid/topics/t";
const WRITE: Right = { kind: "actions", actions: ["Microsoft.EventGrid/eventSubscriptions/write"] };

function assigned(one: Partial<RoleAssignment> & { permissions?: readonly Permissions[] } = {}) {
  const permissions = one.permissions ?? [{ actions: ["*"] }];
  const role = { id: "r", permissions };
  return { isHeld: yes(), scope: SCOPE, role, hasCondition: false, ...one };
}

/** A world with the roles that a principal has itself, and through groups. */
const rolesOf = (own: readonly RoleAssignment[], groups: readonly RoleAssignment[] = []) =>
  worldOf(
    {},
    { roleAssignments: async (_, __, through) => ({ items: through === "itself" ? own : groups }) },
  );

const judged = async (own: readonly RoleAssignment[], scope = SCOPE, right = WRITE) =>
  (await permission(rolesOf(own), "p", scope, right)).is;

it("reaches what lies below the assignment, by whole segments in any case", async () => {
  const segment = fc.constantFrom("a", "A", "ab", "b");
  const path = fc.array(segment, { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(path, path, fc.constantFrom("", "/"), async (above, target, slash) => {
      const isAbove = above.every((each, i) => each.toLowerCase() === target[i]?.toLowerCase());
      const assignment = assigned({ scope: `/${above.join("/")}${slash}` });
      const answer = await judged([assignment], `/${target.join("/")}`);
      expect({ above, target, answer }).toMatchObject({ answer: isAbove ? "yes" : "no" });
    }),
  );
});

it("reaches everything from a management group, which worlds list only above the scope", async () => {
  const groups = "/providers/Microsoft.Management/managementGroups/m";
  expect(await judged([assigned({ scope: groups })])).toBe("yes");
});

it("allows what one set of permissions has and does not exclude itself", async () => {
  const ask = (...permissions: Permissions[]) => judged([assigned({ permissions })]);
  const all = { actions: ["*"], notActions: ["*/Write"] };
  expect(await ask(all)).toBe("no");
  expect(await ask(all, { actions: ["microsoft.eventgrid/*/WRITE"] })).toBe("yes");
  expect(await ask({ actions: ["Microsoft.EventGrid/*"], notDataActions: ["*"] })).toBe("yes");
  expect(await ask({ dataActions: ["*"] })).toBe("no");
  expect(await ask({ actions: ["Microsoft.EventGrid/eventSubscriptions"] })).toBe("no");
  expect(await ask({ actions: ["eventSubscriptions/write"] })).toBe("no");
  expect(await ask({ actions: ["MicrosoftXEventGrid/*", "Microsoft.EventGri./*"] })).toBe("no");
});

it.each([
  ["publish", "EventGrid Data Sender"],
  ["receive", "EventGrid Data Receiver"],
  ["subscribe", "EventGrid EventSubscription Contributor"],
])("lets a principal only %s with the role %s", async (own, name) => {
  const role = builtInRole(name);
  if (role === undefined) throw new Error(`no role ${name}`);
  for (const [right, each] of Object.entries(RIGHTS)) {
    const is = await judged([assigned({ role })], SCOPE, each);
    expect({ right, is }).toEqual({ right, is: right === own ? "yes" : "no" });
  }
});

it("is unknown with a condition, and without the scope, the role or the membership", async () => {
  const doubt = new Doubt("unread", "a part");
  for (const part of [
    { hasCondition: true },
    { scope: doubt },
    { role: doubt },
    { isHeld: unknown(doubt) },
  ]) {
    const answer = await permission(rolesOf([assigned(part)]), "p", SCOPE, WRITE);
    const why = "hasCondition" in part ? "condition" : "unread";
    expect({ part, ...answer }).toMatchObject({ part, is: "unknown", doubt: { why } });
    // What does not reach the scope says nothing in any case.
    const beside = part.scope ? { role: { id: "r", permissions: [] } } : { scope: `${SCOPE}x` };
    expect({ part, is: await judged([assigned({ ...part, ...beside })]) }).toMatchObject({
      is: "no",
    });
  }
});

it("may come from a group, which is asked only if the own roles do not suffice", async () => {
  const ask = async (own: readonly RoleAssignment[], groups: readonly RoleAssignment[]) =>
    (await permission(rolesOf(own, groups), "p", SCOPE, WRITE)).is;
  const lost = assigned({ scope: new Doubt("unread", "a scope") });
  expect(await ask([], [assigned()])).toBe("yes");
  expect(await ask([lost], [assigned()])).toBe("yes");
  expect(await ask([lost], [])).toBe("unknown");
  expect(await ask([], [lost])).toBe("unknown");
  expect(await ask([], [])).toBe("no");
  const world = rolesOf([assigned()]);
  const own: World["roleAssignments"] = async (principal, scope, through) => {
    if (through === "groups") throw new Error("asked for groups");
    return world.roleAssignments(principal, scope, through);
  };
  const alone = await permission({ ...world, roleAssignments: own }, "p", SCOPE, WRITE);
  expect(alone.is).toBe("yes");
});
