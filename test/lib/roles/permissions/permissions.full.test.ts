import { afterEach, describe, expect, it } from "vitest";
import type { Scenario } from "../../../terraform/scenario.js";
import { describeWithTerraform } from "../../../terraform/with-terraform.js";
import { applyingWith, nameOf, type Rights } from "./applying.js";
import { type Row, rowsByGraph, rowsByStack } from "./rows.js";

let shop: Scenario | undefined;
afterEach(async () => {
  await shop?.stop();
  shop = undefined;
});

type Kind = keyof Rights;
const kinds: readonly Kind[] = ["azure", "graph", "client"];

/** Each needed permission, with the remaining rights and the error that its absence causes. */
function withEachNeedRemoved({ needs }: Row): [need: string, rest: Rights, refusal: string][] {
  return kinds.flatMap((kind) => {
    const all = needs[kind] ?? [];
    return all.map((need): [string, Rights, string] => [
      nameOf(need),
      { ...needs, [kind]: [...all].filter((other) => other !== need) },
      kind === "graph" ? "Authorization_RequestDenied" : nameOf(need).replaceAll("*", ""),
    ]);
  });
}

const together = (one: Rights, other: Rights = {}): Rights => ({
  azure: [...(one.azure ?? []), ...(other.azure ?? [])],
  graph: [...(one.graph ?? []), ...(other.graph ?? [])],
  client: [...(one.client ?? []), ...(other.client ?? [])],
});

async function start(row: Row, rights: Rights) {
  const applying = await applyingWith(together(rights, row.otherNeeds), row.control);
  shop = applying.shop;
  await applying.shop.write(row.build(applying));
  return applying.shop;
}

/** Applies and destroys. Returns the error of the first that fails, or an empty string. */
async function refusalOf(row: Row, rights: Rights): Promise<string> {
  const scenario = await start(row, rights);
  try {
    await scenario.apply();
    await scenario.terraform.destroy();
    return "";
  } catch (error) {
    return String(error);
  }
}

async function expectApplyAndDestroy(row: Row): Promise<void> {
  const scenario = await start(row, row.needs);
  await scenario.apply();
  expect(await scenario.plan()).toEqual([]);
  if (row.keepsPrincipal) return;
  await scenario.terraform.destroy();
  expect(await scenario.terraform.state()).toEqual([]);
}

describe("the table “By what is in the stack”", () => {
  for (const row of rowsByStack) {
    describeWithTerraform([row.name, row.variant].filter(Boolean).join(", "), () => {
      it("needs only the permissions of the table to apply and to destroy", () =>
        expectApplyAndDestroy(row));

      it.each(withEachNeedRemoved(row))("needs %s", async (_need, rest, refusal) => {
        expect(await refusalOf(row, rest)).toContain(refusal);
      });
    });
  }
});

describeWithTerraform("the table “By use case”", () => {
  it.each(rowsByGraph)("has the permissions to apply and to destroy: $name", expectApplyAndDestroy);

  const shown = new Set(rowsByStack.flatMap(withEachNeedRemoved).map(([need]) => need));
  const others = rowsByGraph.flatMap((row) =>
    withEachNeedRemoved(row)
      .filter(([need]) => !shown.has(need))
      .map((removed) => [row.name, ...removed, row] as const),
  );
  it.each(others)("%s: needs %s", async (_name, _need, rest, refusal, row) => {
    expect(await refusalOf(row, rest)).toContain(refusal);
  });
});

describeWithTerraform("a pipeline that gets its right to write in its own apply", () => {
  const start = async (roleAssignmentDelaySeconds: number, options: object = {}) => {
    const applying = await applyingWith(
      {
        azure: [
          ["*/read", "subscription"],
          ["Microsoft.Authorization/roleAssignments/*", "subscription"],
        ],
        graph: ["Application.ReadWrite.All", "AppRoleAssignment.ReadWrite.All"],
      },
      { roleAssignmentDelaySeconds },
    );
    shop = applying.shop;
    const { objectId } = applying.pipeline.servicePrincipal;
    const { clientId } = applying.application([]);
    const writerPrincipals = [{ objectId, principalType: "ServicePrincipal" }];
    await shop.write(shop.orders(clientId, { writerPrincipals, ...options }));
    return shop;
  };

  it("writes in the same apply if roleEffectSeconds is set", async () => {
    const scenario = await start(1, { roleEffectSeconds: 2 });
    await scenario.apply();
    expect(await scenario.plan()).toEqual([]);
    // The subscription is deleted before the right to delete it.
    await scenario.terraform.destroy();
    expect(await scenario.terraform.state()).toEqual([]);
  });

  it("is refused in the same apply if roleEffectSeconds is not set", async () => {
    const scenario = await start(600);
    expect(await scenario.failedApply()).toContain("AuthorizationFailed");
  });
});
