import { describe, expect, it } from "vitest";
import { lowerCaseId } from "../../../../runtime/src/listener/authentication/authenticator.js";
import { Denial } from "../../../../runtime/src/listener/authentication/denials.js";
import { bearerToken, TokenCache } from "../../../../runtime/src/listener/authentication/token.js";
import { TENANT } from "../../../support/issuer.js";

it("a token has up to 8,192 characters", () => {
  const from = (authorization: string) =>
    bearerToken({ headers: { authorization }, rawHeaders: ["Authorization", authorization] });
  const longest = "x".repeat(8192);
  expect(from(`Bearer ${longest}`)).toBe(longest);
  expect(from(`Bearer ${longest}x`)).toMatchObject({ status: 401, reason: "too-long" });
  expect(from(`Bearer ${longest}x`)).toBeInstanceOf(Denial);
});

it("IDs compare without regard to case, App ID URIs exactly", () => {
  const id = "ABCDEF01-2345-6789-ABCD-EF0123456789";
  expect(lowerCaseId(id)).toBe(id.toLowerCase());
  for (const audience of [`api://${id}`, `${id}0`, "api://Orders"])
    expect(lowerCaseId(audience)).toBe(audience);
});

describe("the token cache", () => {
  it("forgets the oldest token when it has a thousand", () => {
    const caller = { applicationId: "a", objectId: undefined, tenantId: TENANT, roles: [] };
    const tokens = new TokenCache();
    for (let i = 0; i < 1_000; i += 1) tokens.add(`${i}`, caller, 1_000);
    expect(tokens.get("0", 0)).toBe(caller);
    // The last token that was found is remembered in any case.
    expect(tokens.get("1", 0)).toBe(caller);
    tokens.add("1000", caller, 1_000);
    expect(tokens.get("0", 0)).toBeUndefined();
    for (const token of ["1", "1000"]) expect(tokens.get(token, 0)).toBe(caller);
  });
});
