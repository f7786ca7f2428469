import { Denial } from "./denial.js";
import type { VerifiedCaller } from "./event-context.js";

type Claims = Readonly<Record<string, unknown>>;

/** Which version of Entra's access tokens an issuer makes; they name the caller differently. */
export type TokenVersion = "v1" | "v2";

/** What a token must say to be let in. */
export interface ExpectedClaims {
  readonly tenantId: string;
  readonly audiences: ReadonlySet<string>;
  readonly callers: ReadonlySet<string>;
  /** `undefined` where the role is not asked for. */
  readonly role: string | undefined;
  readonly clockToleranceMs: number;
}

/** Checks what needs no key: for whom the token is, of which tenant, and when. */
export function addressDenial(
  claims: Claims,
  expected: ExpectedClaims,
  now: number,
): Denial | undefined {
  const { aud, tid, exp, nbf } = claims;
  if (typeof aud !== "string" || !expected.audiences.has(lowerCaseId(aud))) {
    const detail = `the token's aud is ${shown(aud)}, but must be ${oneOf(expected.audiences)} (cloudClientId, authentication.audiences)`;
    return new Denial(401, "audience", detail);
  }
  if (typeof tid !== "string" || tid.toLowerCase() !== expected.tenantId) {
    const detail = `the token's tid is ${shown(tid)}, but must be "${expected.tenantId}" (cloudTenantId)`;
    return new Denial(401, "tenant", detail);
  }
  if (typeof exp !== "number" || !(exp * 1000 > now - expected.clockToleranceMs)) {
    return new Denial(401, "expired", `the token's exp is ${shownTime(exp)}`);
  }
  if (
    nbf !== undefined &&
    (typeof nbf !== "number" || !(nbf * 1000 <= now + expected.clockToleranceMs))
  ) {
    return new Denial(401, "not-yet-valid", `the token's nbf is ${shownTime(nbf)}`);
  }
  return undefined;
}

/** Checks who calls; to be asked of a token whose signature has been verified. */
export function verifiedCaller(
  claims: Claims,
  version: TokenVersion,
  expected: ExpectedClaims,
): VerifiedCaller | Denial {
  const caller = version === "v1" ? claims.appid : claims.azp;
  const applicationId = typeof caller === "string" ? caller.toLowerCase() : undefined;
  if (applicationId === undefined || !expected.callers.has(applicationId)) {
    const detail = `the caller is ${shown(caller)}, but must be ${oneOf(expected.callers)} (Event Grid, authentication.callers)`;
    return new Denial(403, "caller", detail);
  }
  const roles = isTexts(claims.roles) ? claims.roles : [];
  if (expected.role !== undefined && !roles.includes(expected.role)) {
    // Not 401 or 403: a token from before the role was given lives on for an hour or more.
    const detail = `Event Grid's token lacks the role ${expected.role}: assign it to Event Grid's service principal; tokens have it from their next renewal on`;
    return new Denial(503, "role", detail);
  }
  const objectId = typeof claims.oid === "string" ? claims.oid : undefined;
  return { applicationId, objectId, tenantId: expected.tenantId, roles };
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** IDs compare without case, App ID URIs as they are. */
export function lowerCaseId(audience: string): string {
  return uuid.test(audience) ? audience.toLowerCase() : audience;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** What a claim may be, as the log shows it. */
export function oneOf(expected: Iterable<string>): string {
  return [...expected].map((value) => JSON.stringify(value)).join(" or ");
}

/** A claim as the log may show it. Who forged the token chose it, so it is kept short. */
export function shown(claim: unknown): string {
  if (claim === undefined) return "missing";
  const json = JSON.stringify(claim) ?? "";
  return json.length > 100 ? `${json.slice(0, 100)}…` : json;
}

/** A time in seconds since 1970, and what people read in its place. */
function shownTime(claim: unknown): string {
  const time = new Date(Number(claim) * 1000);
  const isTime = typeof claim === "number" && !Number.isNaN(time.getTime());
  return isTime ? `${claim}, ${time.toISOString()}` : shown(claim);
}
