import { describe, expect, it } from "vitest";
import { apply, refresh } from "../../stand-ins/src/provider/apply.js";
import type { ResourceType } from "../../stand-ins/src/provider/provider.js";
import { UNKNOWN } from "../../stand-ins/src/values/value.js";

const failing = async () => {
  throw new Error("the cloud says no");
};
const refusing: ResourceType<null> = {
  forceNew: [],
  create: failing,
  read: failing,
  update: failing,
  delete: failing,
};
const problems = [{ summary: "the cloud says no" }];
const prior = { id: "/orders", tier: "Basic" };

describe("a resource in the state after the cloud refuses a call", () => {
  it("is absent after a failed creation", async () => {
    expect(await apply(refusing, null, { id: UNKNOWN, tier: "Basic" }, null)).toEqual({
      state: null,
      problems,
    });
  });

  it("has the planned values after a failed update, until the next refresh", async () => {
    expect(await apply(refusing, prior, { ...prior, tier: "Premium", key: UNKNOWN }, null)).toEqual(
      {
        state: { id: "/orders", tier: "Premium", key: null },
        problems,
      },
    );
  });

  it("is kept after a failed deletion", async () => {
    expect(await apply(refusing, prior, null, null)).toEqual({ state: prior, problems });
  });

  it("cannot be updated if its type only supports replacement", async () => {
    const { update: _, ...fixed } = refusing;
    const { problems: found } = await apply(fixed, prior, { ...prior, tier: "Premium" }, null);
    expect(found).toEqual([{ summary: "this resource cannot be updated, only replaced" }]);
  });
});

describe("a resource in the state", () => {
  const willing: ResourceType<null> = {
    ...refusing,
    create: async () => ({ id: "/orders", labels: [] }),
    read: async () => ({ tier: "Standard" }),
    delete: async () => {},
  };

  it("has the planned values, the values of the cloud, and null for unknown ones", async () => {
    const planned = { id: UNKNOWN, key: UNKNOWN, tier: "Basic", labels: null };
    expect(await apply(willing, null, planned, null)).toEqual({
      state: { id: "/orders", key: null, tier: "Basic", labels: null },
      problems: [],
    });
  });

  it("is refreshed with the values of the cloud, or removed", async () => {
    expect(await refresh(willing, prior, null)).toEqual({ id: "/orders", tier: "Standard" });
    const gone = { ...willing, read: async () => undefined };
    expect(await refresh(gone, prior, null)).toBeNull();
  });

  it("is removed after its deletion", async () => {
    expect(await apply(willing, prior, null, null)).toEqual({ state: null, problems: [] });
  });
});
