import { describe, expect, it } from "vitest";
import { apply, refresh } from "../../stand-ins/src/provider/life.js";
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

describe("what becomes of a resource when the cloud refuses", () => {
  it("its creation: nothing, although the cloud may have kept something", async () => {
    expect(await apply(refusing, null, { id: UNKNOWN, tier: "Basic" }, null)).toEqual({
      state: null,
      problems,
    });
  });

  it("its update: the state is as planned, and the next refresh finds out what is true", async () => {
    expect(await apply(refusing, prior, { ...prior, tier: "Premium", key: UNKNOWN }, null)).toEqual(
      {
        state: { id: "/orders", tier: "Premium", key: null },
        problems,
      },
    );
  });

  it("its deletion: it is still there", async () => {
    expect(await apply(refusing, prior, null, null)).toEqual({ state: prior, problems });
  });

  it("its update, where there is none: it says that only a replacement would do", async () => {
    const { update: _, ...fixed } = refusing;
    const { problems: found } = await apply(fixed, prior, { ...prior, tier: "Premium" }, null);
    expect(found).toEqual([{ summary: "this resource cannot be updated, only replaced" }]);
  });
});

describe("what becomes of a resource otherwise", () => {
  const willing: ResourceType<null> = {
    ...refusing,
    create: async () => ({ id: "/orders", labels: [] }),
    read: async () => ({ tier: "Standard" }),
    delete: async () => {},
  };

  it("it has what was planned, what the cloud told, and null for what nobody knows", async () => {
    const planned = { id: UNKNOWN, key: UNKNOWN, tier: "Basic", labels: null };
    expect(await apply(willing, null, planned, null)).toEqual({
      state: { id: "/orders", key: null, tier: "Basic", labels: null },
      problems: [],
    });
  });

  it("it is refreshed with what the cloud tells, or gone with it", async () => {
    expect(await refresh(willing, prior, null)).toEqual({ id: "/orders", tier: "Standard" });
    const gone = { ...willing, read: async () => undefined };
    expect(await refresh(gone, prior, null)).toBeNull();
  });

  it("it is no more once it is deleted", async () => {
    expect(await apply(willing, prior, null, null)).toEqual({ state: null, problems: [] });
  });
});
