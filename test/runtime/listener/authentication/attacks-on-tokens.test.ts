import { createHmac, createPublicKey, type KeyObject, sign } from "node:crypto";
import { exportJWK } from "jose";
import { beforeAll, describe, it } from "vitest";
import { CLIENT, ROLE, type SigningKey, TENANT } from "../../../support/issuer.js";
import { exchange } from "../../../support/raw-http.js";
import { attacked, expectHarmless, withToken } from "../attack-target.js";

const target = attacked();
let foreign: SigningKey;

beforeAll(async () => {
  foreign = await target().issuer.foreignKey();
});

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const seconds = () => Math.floor(Date.now() / 1000);

/** A token with any header and any claims, signed with any key, or with an invalid signature. */
function forge(
  header: Record<string, unknown>,
  claims: unknown,
  signature: KeyObject | ((text: string) => string) = target().issuer.key.privateKey,
): string {
  const text = `${encode({ typ: "JWT", alg: "RS256", kid: target().issuer.key.kid, ...header })}.${encode(claims)}`;
  const signed =
    typeof signature === "function"
      ? signature(text)
      : sign("RSA-SHA256", Buffer.from(text), signature).toString("base64url");
  return `${text}.${signed}`;
}

describe("a forged token", () => {
  const claims = () => target().issuer.claims();
  const publicPem = () =>
    createPublicKey(target().issuer.key.privateKey).export({ type: "spki", format: "pem" });
  const hs256 = (secret: string | Buffer) => (text: string) =>
    createHmac("sha256", secret).update(text).digest("base64url");

  it.each<[string, () => string | Promise<string>]>([
    ["alg none without a signature", () => forge({ alg: "none" }, claims(), () => "")],
    ["alg None with a signature", () => forge({ alg: "None" }, claims())],
    [
      "HS256 with the public key as secret",
      () => forge({ alg: "HS256" }, claims(), hs256(publicPem())),
    ],
    ["PS256", () => forge({ alg: "PS256" }, claims())],
    ["an algorithm that is an array", () => forge({ alg: ["RS256"] }, claims())],
    ["no algorithm", () => forge({ alg: undefined }, claims())],
    [
      "a key of its own, embedded",
      async () => forge({ jwk: await exportJWK(foreign.publicKey) }, claims(), foreign.privateKey),
    ],
    [
      "a key of its own by URL",
      () => forge({ jku: "https://evil.example/keys" }, claims(), foreign.privateKey),
    ],
    ["a certificate of its own", () => forge({ x5c: ["MIIB"] }, claims(), foreign.privateKey)],
    [
      "a certificate by URL",
      () => forge({ x5u: "https://evil.example/x5u" }, claims(), foreign.privateKey),
    ],
    ["a foreign key under a known ID", () => forge({}, claims(), foreign.privateKey)],
    ["no key ID", () => forge({ kid: undefined }, claims())],
    ["an empty key ID", () => forge({ kid: "" }, claims())],
    ["a key ID that is a number", () => forge({ kid: 1 }, claims())],
    ["a huge key ID", () => forge({ kid: "k".repeat(1000) }, claims())],
    ["a critical extension", () => forge({ crit: ["exp"] }, claims())],
    ["an unencoded payload", () => forge({ b64: false, crit: ["b64"] }, claims())],
    [
      "an altered claim",
      async () => {
        const [header, , signature] = (await target().issuer.token()).split(".");
        return `${header}.${encode({ ...claims(), exp: seconds() + 9999 })}.${signature}`;
      },
    ],
    [
      "an altered signature",
      async () => {
        const token = await target().issuer.token();
        return token.slice(0, -10) + (token.at(-10) === "A" ? "B" : "A") + token.slice(-9);
      },
    ],
    [
      "a signature with loose bits",
      async () => {
        const token = await target().issuer.token();
        const last = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        return token.slice(0, -1) + last[last.indexOf(token.at(-1) ?? "A") + 1];
      },
    ],
    ["no signature", async () => (await target().issuer.token()).replace(/\.[^.]*$/, ".")],
    ["two parts", async () => (await target().issuer.token()).replace(/\.[^.]*$/, "")],
    ["four parts", async () => `${await target().issuer.token()}.x`],
    ["five parts, as if encrypted", async () => `${await target().issuer.token()}.x.y`],
    ["padding", async () => `${await target().issuer.token()}=`],
    ["claims that are an array", () => forge({}, [1])],
    ["claims that are null", () => forge({}, null)],
    ["a header that is no JSON", () => `e30x.${encode(claims())}.AAAA`],
    [
      "claims of invalid UTF-8",
      () => {
        const text = `${encode({ alg: "RS256", kid: target().issuer.key.kid })}.${Buffer.from([0x7b, 0xff, 0x7d]).toString("base64url")}`;
        return `${text}.${sign("RSA-SHA256", Buffer.from(text), target().issuer.key.privateKey).toString("base64url")}`;
      },
    ],
    ["a giant token", () => forge({}, { ...claims(), pad: "x".repeat(9000) })],
  ])("%s gets 401", async (_, make) => {
    await expectHarmless(await exchange(target().port, withToken(await make())), 401);
  });

  it("gets 401 or 503 for an unknown key ID", async () => {
    const token = forge({ kid: "../../etc/passwd" }, claims(), foreign.privateKey);
    await expectHarmless(await exchange(target().port, withToken(token)), [401, 503]);
  });
});

describe("a signed token with wrong claims", () => {
  it.each<[string, number, () => Record<string, unknown>]>([
    ["another audience", 401, () => ({ aud: "00000000-0000-0000-0000-000000000000" })],
    ["no audience", 401, () => ({ aud: undefined })],
    ["audiences as an array", 401, () => ({ aud: [CLIENT] })],
    ["an audience that is an object", 401, () => ({ aud: { toString: CLIENT } })],
    ["another tenant", 401, () => ({ tid: "00000000-0000-0000-0000-000000000000" })],
    ["no tenant", 401, () => ({ tid: undefined })],
    ["a tenant that is an array", 401, () => ({ tid: [TENANT] })],
    ["another issuer", 401, () => ({ iss: "https://sts.windows.net/00000000/" })],
    [
      "the public cloud's issuer, at a local one",
      401,
      () => ({ iss: `https://sts.windows.net/${TENANT}/` }),
    ],
    ["no issuer", 401, () => ({ iss: undefined })],
    ["an issuer that is an array", 401, () => ({ iss: [target().issuer.v1Issuer] })],
    ["an issuer with a slash too few", 401, () => ({ iss: target().issuer.v1Issuer.slice(0, -1) })],
    ["expired", 401, () => ({ exp: seconds() - 1200 })],
    ["no expiry", 401, () => ({ exp: undefined })],
    ["an expiry that is a string", 401, () => ({ exp: String(seconds() + 3600) })],
    ["an expiry that is no number", 401, () => ({ exp: null })],
    ["a negative expiry", 401, () => ({ exp: -1 })],
    ["not yet valid", 401, () => ({ nbf: seconds() + 3600 })],
    ["a beginning that is a string", 401, () => ({ nbf: "0" })],
    [
      "another caller of the same tenant",
      403,
      () => ({ appid: "00000000-0000-0000-0000-000000000000" }),
    ],
    ["no caller", 403, () => ({ appid: undefined })],
    ["a caller that is an array", 403, () => ({ appid: ["4962773b-9cdb-44cf-a8bf-237846a00ab7"] })],
    [
      "a user's token for the same application",
      403,
      () => ({ appid: "04b07795-8ddb-461a-bbee-02f9e1bf7b46", scp: "user_impersonation" }),
    ],
    ["no roles", 503, () => ({ roles: undefined })],
    ["an empty list of roles", 503, () => ({ roles: [] })],
    ["another role", 503, () => ({ roles: ["Other"] })],
    ["a role that is not in an array", 503, () => ({ roles: ROLE })],
  ])("%s gets %i", async (_, status, claims) => {
    await expectHarmless(
      await exchange(target().port, withToken(await target().issuer.token(claims()))),
      status,
    );
  });
});
