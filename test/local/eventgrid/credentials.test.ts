import { expect, it } from "vitest";
import { KeyOwner, newAccessKeys } from "../../../local/src/eventgrid/credentials.js";

it("makes keys of 32 random bytes, of which the first may be chosen, and replaces one of them", () => {
  const chosen = newAccessKeys("chosen");
  expect(chosen.key1).toBe("chosen");
  const owner = new KeyOwner(newAccessKeys());
  const before = owner.keys();
  const after = owner.regenerateKey("key2");
  expect(after.key1).toBe(before.key1);
  const keys = [before.key1, before.key2, after.key2];
  expect(new Set(keys).size).toBe(3);
  for (const key of keys) {
    const bytes = Buffer.from(key, "base64");
    expect([bytes.length, bytes.toString("base64")]).toEqual([32, key]);
  }
  expect(() => owner.regenerateKey(Object("key3"))).toThrow("It must be key1 or key2.");
});
