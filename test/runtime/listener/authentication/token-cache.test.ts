import { describe, expect, it } from "vitest";
import { TokenCache } from "../../../../runtime/src/listener/authentication/token.js";
import { TENANT } from "../../../support/issuer.js";

describe("the token cache", () => {
  it("forgets the oldest token when it is full", () => {
    const caller = { applicationId: "a", objectId: undefined, tenantId: TENANT, roles: [] };
    const tokens = new TokenCache(2);
    for (const token of ["first", "second", "third"]) tokens.add(token, caller, 1_000);
    expect(tokens.get("first", 0)).toBeUndefined();
    expect(tokens.get("second", 0)).toBe(caller);
    expect(tokens.get("third", 0)).toBe(caller);
  });
});
