import { statSync } from "node:fs";
import { join } from "node:path";
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, errors, jwtVerify } from "jose";
import { describe, expect, it } from "vitest";
import { EVENT_GRID_CLIENT_ID } from "../../../local/src/directory/index.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { startCloud, startShop } from "../support/cloud.js";

type Cloud = Awaited<ReturnType<typeof startCloud>>;

const getJson = async (url: string) => (await fetch(url)).json() as Promise<never>;

async function verify(cloud: Cloud, token: string) {
  const keys = await getJson(`${cloud.authorityHost}/${cloud.tenantId}/discovery/v2.0/keys`);
  return (await jwtVerify(token, createLocalJWKSet(keys))).payload;
}

async function requestToken(
  { authorityHost, tenantId }: Pick<Cloud, "authorityHost" | "tenantId">,
  fields: Record<string, string>,
  path = "oauth2/v2.0",
) {
  const response = await fetch(`${authorityHost}/${tenantId}/${path}/token`, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "client_credentials", ...fields }),
  });
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, body, token: String(body.access_token) };
}

describe("the OpenID metadata", () => {
  it("contains issuer, keys and token endpoint of both versions", async () => {
    const cloud = await startCloud();
    const base = `${cloud.authorityHost}/11111111-1111-4111-8111-111111111111`;
    const ofBoth = {
      token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"],
      response_modes_supported: ["query", "fragment", "form_post"],
      subject_types_supported: ["pairwise"],
      id_token_signing_alg_values_supported: ["RS256"],
      cloud_instance_name: new URL(base).host,
      tenant_region_scope: "WW",
    };
    expect(await getJson(`${base}/.well-known/openid-configuration`)).toEqual({
      issuer: `${base}/`,
      jwks_uri: `${base}/discovery/keys`,
      token_endpoint: `${base}/oauth2/token`,
      authorization_endpoint: `${base}/oauth2/authorize`,
      response_types_supported: ["code", "id_token", "code id_token", "token id_token", "token"],
      scopes_supported: ["openid"],
      ...ofBoth,
    });
    expect(await getJson(`${base}/v2.0/.well-known/openid-configuration`)).toEqual({
      issuer: `${base}/v2.0`,
      jwks_uri: `${base}/discovery/v2.0/keys`,
      token_endpoint: `${base}/oauth2/v2.0/token`,
      authorization_endpoint: `${base}/oauth2/v2.0/authorize`,
      response_types_supported: ["code", "id_token", "code id_token", "id_token token"],
      scopes_supported: ["openid", "profile", "email", "offline_access"],
      ...ofBoth,
    });
    const [key] = await cloud.keys.published();
    const text = expect.any(String);
    const published = { kty: "RSA", n: text, e: "AQAB", use: "sig", kid: key?.kid, x5t: key?.kid };
    expect(await getJson(`${base}/discovery/keys`)).toEqual({ keys: [published] });
  });

  it("tells Microsoft's clients that the authority is trusted", async () => {
    const { authorityHost, tenantId } = await startCloud();
    const path = `${authorityHost}/common/discovery/instance?api-version=1.1`;
    const { host } = new URL(authorityHost);
    for (const [query, tenant] of [
      [`&authorization_endpoint=${authorityHost}/${tenantId}/oauth2/v2.0/authorize`, tenantId],
      ["&authorization_endpoint=none", "common"],
    ]) {
      expect(await getJson(path + query)).toEqual({
        tenant_discovery_endpoint: `${authorityHost}/${tenant}/v2.0/.well-known/openid-configuration`,
        "api-version": "1.1",
        metadata: [{ preferred_network: host, preferred_cache: host, aliases: [host] }],
      });
    }
  });

  it.each(["common", "organizations", "consumers"])(
    "exists for any tenant at /%s",
    async (name) => {
      const { authorityHost } = await startCloud();
      const base = `${authorityHost}/${name}`;
      const document = await fetch(`${base}/v2.0/.well-known/openid-configuration`);
      expect(await document.json()).toMatchObject({
        issuer: `${authorityHost}/{tenantid}/v2.0`,
        jwks_uri: `${base}/discovery/v2.0/keys`,
      });
      expect((await fetch(`${base}/discovery/v2.0/keys`)).status).toBe(200);
    },
  );

  it("is 404 for an unknown tenant", async () => {
    const { authorityHost } = await startCloud();
    const unknown = `${authorityHost}/99999999-9999-4999-8999-999999999999`;
    expect((await fetch(`${unknown}/discovery/keys`)).status).toBe(404);
  });
});

describe("delivery tokens", () => {
  it("are v2 for an application that requests this version, and v1 otherwise", async () => {
    const cloud = await startCloud();
    const issuer = `${cloud.authorityHost}/${cloud.tenantId}`;
    const v2 = cloud.applications.create({ displayName: "two", requestedAccessTokenVersion: 2 });
    const principal = cloud.directory
      .tenant(cloud.tenantId)
      ?.servicePrincipals.byClientId(EVENT_GRID_CLIENT_ID);
    const ofBoth = {
      ...{ oid: principal?.objectId, sub: principal?.objectId, tid: cloud.tenantId },
      ...{ iat: expect.any(Number), nbf: expect.any(Number), exp: expect.any(Number) },
      uti: expect.stringMatching(/^[\w-]{22}$/),
      roles: ["AzureEventGridSecureWebhookSubscriber"],
    };
    const token = await cloud.tokens.delivery(v2);
    const claims = await verify(cloud, token);
    expect(claims).toEqual({
      ...ofBoth,
      iss: `${issuer}/v2.0`,
      aud: v2.clientId,
      azp: "4962773b-9cdb-44cf-a8bf-237846a00ab7",
      azpacr: "1",
      ver: "2.0",
    });
    expect(claims.nbf).toBe(claims.iat);
    const [key] = await cloud.keys.published();
    const header = { typ: "JWT", alg: "RS256", kid: key?.kid, x5t: key?.kid };
    expect(decodeProtectedHeader(token)).toEqual(header);
    const uri = "api://orders";
    cloud.applications.create({ displayName: "one", identifierUris: [uri] });
    expect(await verify(cloud, await cloud.tokens.delivery({ clientId: uri }))).toEqual({
      ...ofBoth,
      ...{ iss: `${issuer}/`, idp: `${issuer}/` },
      aud: uri,
      appid: EVENT_GRID_CLIENT_ID,
      appidacr: "1",
      ver: "1.0",
    });
  });

  // https://learn.microsoft.com/entra/identity-platform/optional-claims-reference
  it("say that they are an application's if the receiver has chosen this claim", async () => {
    const cloud = await startCloud();
    const { clientId } = cloud.applications.create({ displayName: "hook" });
    const claims = async () => decodeJwt(await cloud.tokens.delivery({ clientId }));
    const application = cloud.directory.applicationOf(clientId);
    for (const [token, idtyp] of Object.entries({ accessToken: "app", idToken: undefined })) {
      Object.assign(application ?? {}, {
        attributes: { optionalClaims: { [token]: [{ name: "idtyp" }] } },
      });
      expect((await claims()).idtyp).toBe(idtyp);
    }
  });

  it.each([
    [0, 3600],
    [0.9999, 5399],
  ])("are valid for 60 to 90 minutes (%d)", async (random, seconds) => {
    const cloud = await startCloud({ random: () => random });
    const { clientId } = cloud.applications.create({ displayName: "hook" });
    const { exp = 0, iat = 0 } = decodeJwt(await cloud.tokens.delivery({ clientId }));
    expect(exp - iat).toBe(seconds);
    const short = decodeJwt(await cloud.tokens.delivery({ clientId, lifetimeSeconds: 7 }));
    expect(Number(short.exp) - Number(short.iat)).toBe(7);
  });

  it("find the application by its client ID, whatever its case", async () => {
    const cloud = await startCloud();
    const shouted = "ABCDEF00-0000-4000-8000-000000000000";
    const { clientId } = cloud.applications.create({ displayName: "hook", clientId: shouted });
    expect(clientId).toBe(shouted.toLowerCase());
    for (const each of [clientId, shouted]) {
      expect(await cloud.tokens.delivery({ clientId: each })).toEqual(expect.any(String));
    }
  });

  it("lack the role if Event Grid does not have it", async () => {
    const cloud = await startCloud();
    const { clientId } = cloud.applications.create({ displayName: "bare", roles: [] });
    expect(decodeJwt(await cloud.tokens.delivery({ clientId }))).not.toHaveProperty("roles");
  });

  it("are not issued to a disabled Event Grid, nor for a disabled application", async () => {
    const cloud = await startCloud();
    const { clientId } = cloud.applications.create({ displayName: "hook" });
    const principals = cloud.directory.tenant(cloud.tenantId)?.servicePrincipals;
    for (const name of [EVENT_GRID_CLIENT_ID, clientId]) {
      const principal = principals?.byClientId(name);
      if (principal === undefined) throw new Error("the application has a service principal");
      principal.attributes = { accountEnabled: false };
      await expect(cloud.tokens.delivery({ clientId })).rejects.toThrow(`'${name}' is disabled`);
      principal.attributes = {};
    }
    expect(await cloud.tokens.delivery({ clientId })).toEqual(expect.any(String));
  });

  it("can have any claims and header fields", async () => {
    const cloud = await startCloud();
    const { clientId } = cloud.applications.create({ displayName: "hook" });
    const token = await cloud.tokens.delivery({
      clientId,
      claims: { exp: 1, aud: ["a", "b"], tid: undefined, appid: 7 },
      header: { kid: "unknown", jku: "https://evil.example/keys" },
    });
    const claims = decodeJwt(token);
    expect(claims).toMatchObject({ exp: 1, aud: ["a", "b"], appid: 7 });
    expect(claims).not.toHaveProperty("tid");
    expect(decodeProtectedHeader(token)).toMatchObject({
      alg: "RS256",
      kid: "unknown",
      jku: "https://evil.example/keys",
    });
  });

  it("require an existing application", async () => {
    const cloud = await startCloud();
    await expect(cloud.tokens.delivery({ clientId: "nobody" })).rejects.toMatchObject({
      code: "ERR_UNKNOWN_APPLICATION",
      message: expect.stringContaining('cloud.applications.create({ clientId: "nobody"'),
    });
    const elsewhere = { clientId: "nobody", tenantId: "nowhere" };
    await expect(cloud.tokens.delivery(elsewhere)).rejects.toMatchObject({
      code: "ERR_UNKNOWN_TENANT",
    });
  });

  it("are reused for several deliveries and replaced before they expire", async () => {
    let now = Date.now();
    const { webhook, cloud, publish } = await startShop({ now: () => now, random: () => 0 });
    const deliver = async () => {
      await publish();
      await cloud.drain();
      return webhook.deliveries.at(-1)?.headers.authorization;
    };
    const first = await deliver();
    now += 54 * 60_000;
    expect(await deliver()).toBe(first);
    now += 2 * 60_000;
    expect(await deliver()).not.toBe(first);
  });
});

describe("key rotation", () => {
  it("signs with a new key and still publishes the old one", async () => {
    const { cloud, webhook, publish } = await startShop();
    await publish();
    await cloud.drain();
    await cloud.keys.rotate();
    await publish();
    await cloud.drain();
    const tokens = webhook.deliveries.map(({ headers }) =>
      String(headers.authorization).replace("Bearer ", ""),
    );
    const [before = "", after = ""] = tokens;
    expect(decodeProtectedHeader(after).kid).not.toBe(decodeProtectedHeader(before).kid);
    await expect(verify(cloud, before)).resolves.toBeDefined();
    await expect(verify(cloud, after)).resolves.toBeDefined();
  });

  it("no longer publishes a retired key, in this cloud only", async () => {
    const [cloud, other] = [await startCloud(), await startCloud()];
    const tokenOf = (each: Cloud) => {
      const { clientId } = each.applications.create({ displayName: "hook" });
      return each.tokens.delivery({ clientId });
    };
    const [before, elsewhere] = [await tokenOf(cloud), await tokenOf(other)];
    await cloud.keys.rotate({ retire: true });
    await expect(verify(cloud, before)).rejects.toThrow(errors.JWKSNoMatchingKey);
    await expect(verify(other, elsewhere)).resolves.toBeDefined();
  });
});

it("signing keys in a directory are the same at the next start, so that cached tokens stay valid", async () => {
  const certificateDirectory = temporaryFolder();
  const options = { control: { certificateDirectory } };
  const first = await startCloud(options);
  const { clientId } = first.applications.create({ displayName: "orders" });
  const token = await first.tokens.delivery({ clientId });
  await first.keys.rotate();
  await first.close();

  const second = await startCloud(options);
  expect(await second.tokens.verify(token)).toMatchObject({ aud: clientId });
  expect(await second.keys.published()).toEqual(await first.keys.published());
  expect(statSync(join(certificateDirectory, "signing-keys.pem")).mode & 0o777).toBe(0o600);
});

describe("the token endpoint", () => {
  const secret = "s3cret & more";
  const start = async () => {
    const cloud = await startCloud();
    const { clientId } = cloud.applications.create({ displayName: "shop", secret });
    const api = cloud.applications.create({ displayName: "api", identifierUris: ["api://api"] });
    return { cloud, clientId, api };
  };

  it("issues tokens for other applications and for the cloud's services", async () => {
    const { cloud, clientId, api } = await start();
    const client = { client_id: clientId, client_secret: secret };
    const forApi = await requestToken(cloud, { ...client, scope: "api://api/.default" });
    expect(forApi.body).toEqual({
      ...{ token_type: "Bearer", expires_in: 3599, ext_expires_in: 3599 },
      access_token: forApi.token,
    });
    expect(await verify(cloud, forApi.token)).toMatchObject({ aud: "api://api", appid: clientId });
    const byId = await requestToken(cloud, { ...client, scope: `${api.clientId}/.default` });
    expect(await verify(cloud, byId.token)).toMatchObject({ aud: api.clientId });
    const v1 = await requestToken(
      cloud,
      { ...client, resource: "https://eventgrid.azure.net" },
      "oauth2",
    );
    const { exp, nbf, aud, idtyp } = await verify(cloud, v1.token);
    expect([aud, idtyp]).toEqual(["https://eventgrid.azure.net", "app"]);
    // Version 1 writes numbers as texts.
    expect(v1.body).toEqual({
      ...{ token_type: "Bearer", expires_in: "3599", ext_expires_in: "3599" },
      ...{ expires_on: `${exp}`, not_before: `${nbf}`, resource: aud, access_token: v1.token },
    });
  });

  it("accepts credentials in the Authorization header, and the scopes that azapi adds", async () => {
    const { cloud, clientId } = await start();
    const basic = Buffer.from(`${clientId}:${encodeURIComponent(secret)}`).toString("base64");
    const scope = "https://management.azure.com/.default openid offline_access profile";
    const response = await fetch(`${cloud.authorityHost}/${cloud.tenantId}/oauth2/v2.0/token`, {
      method: "POST",
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ grant_type: "client_credentials", scope }),
    });
    const { access_token } = Object(await response.json());
    expect(await verify(cloud, access_token)).toMatchObject({
      aud: "https://management.azure.com",
    });
  });

  it.each<[string, Record<string, string>, number, string, number]>([
    ["a wrong secret", { client_secret: "guess" }, 401, "invalid_client", 7000215],
    ["an unknown client", { client_id: "nobody" }, 400, "unauthorized_client", 700016],
    ["another grant", { grant_type: "password" }, 400, "unsupported_grant_type", 70003],
    ["a scope without its suffix", { scope: "api://api" }, 400, "invalid_scope", 1002012],
    ["scopes without a resource", { scope: "openid profile" }, 400, "invalid_scope", 1002012],
    [
      "several resources",
      { scope: "api://api/.default https://graph.microsoft.com/.default" },
      400,
      "invalid_scope",
      70011,
    ],
    ["an unknown resource", { scope: "api://no/.default" }, 400, "invalid_resource", 500011],
    ["no secret", { client_secret: "" }, 401, "invalid_client", 7000216],
    ["no client", { client_id: "" }, 400, "invalid_request", 900144],
  ])("answers Entra's error to %s", async (_, fields, status, error, number) => {
    const { cloud, clientId } = await start();
    const good = { client_id: clientId, client_secret: secret, scope: "api://api/.default" };
    const answer = await requestToken(cloud, { ...good, ...fields });
    const { trace_id, timestamp } = answer.body;
    expect(timestamp).toMatch(/^\d{4}(-\d\d){2} \d\d(:\d\d){2}Z$/);
    const suffix = `Trace ID: ${trace_id} Correlation ID: ${trace_id} Timestamp: ${timestamp}`;
    expect(answer).toEqual({
      ...{ status, token: "undefined" },
      body: {
        ...{ error, error_codes: [number], timestamp, trace_id, correlation_id: trace_id },
        error_description: expect.stringMatching(new RegExp(`^AADSTS${number}: .* ${suffix}$`)),
      },
    });
    expect(JSON.stringify(answer.body)).not.toContain("guess");
  });

  it("refuses an expired secret, a disabled application, an unknown tenant, and GET", async () => {
    const { cloud, clientId } = await start();
    cloud.directory
      .applicationOf(clientId)
      ?.passwords.add({ secret: "old", endDateTime: "2020-01-01T00:00:00Z" });
    const good = { client_id: clientId, client_secret: secret, scope: "api://api/.default" };
    const errorOf = async (fields: object, at: Partial<Cloud> = {}) => {
      const { authorityHost, tenantId } = cloud;
      const answer = await requestToken({ authorityHost, tenantId, ...at }, { ...good, ...fields });
      return [answer.status, answer.body.error, answer.body.error_codes];
    };
    expect(await errorOf({ client_secret: "old" })).toEqual([401, "invalid_client", [7000222]]);
    expect(await errorOf({}, { tenantId: "nowhere" })).toEqual([400, "invalid_request", [90002]]);
    const principals = cloud.directory.tenant(cloud.tenantId)?.servicePrincipals;
    const principal = principals?.byClientId(clientId);
    if (principal) principal.attributes = { accountEnabled: false };
    expect(await errorOf({})).toEqual([400, "unauthorized_client", [7000112]]);
    const got = await fetch(`${cloud.authorityHost}/${cloud.tenantId}/oauth2/v2.0/token`);
    expect([got.status, await got.json()]).toMatchObject([400, { error_codes: [900561] }]);
  });
});
