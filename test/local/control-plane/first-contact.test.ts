import type { LocalCloud } from "cloud-eventgrid-local";
import { describe, expect, it } from "vitest";
import { startCloud, startManaged } from "../support/cloud.js";
import { emptyDirectory } from "../support/command.js";
import { refusal, requestToken, send, signIn } from "../support/management-client.js";

describe("the first requests of a Terraform provider", () => {
  it("return the address of every service without a trailing slash", async () => {
    const cloud = await startCloud({ control: true });
    const { origin } = cloud.control;
    const answer = await send(cloud, "GET", "/metadata/endpoints?api-version=2022-09-01");

    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(answer.body).toEqual({
      name: "LocalAzure",
      resourceManager: origin,
      microsoftGraphResourceId: origin,
      graphAudience: origin,
      authentication: {
        loginEndpoint: origin,
        audiences: ["https://management.core.windows.net/"],
        tenant: "common",
        identityProvider: "AAD",
      },
      suffixes: { keyVaultDns: "vault.localhost", storage: "core.windows.net" },
    });
    expect(origin).toMatch(/^https:\/\/localhost:\d+$/);
  });

  it.each(["2019-05-01", "2020-06-01"])(
    "return an array of clouds in version %s",
    async (version) => {
      const cloud = await startCloud({ control: true });
      const answer = await send(cloud, "GET", `/metadata/endpoints?api-version=${version}`);
      expect(answer.body).toMatchObject([
        { name: "LocalAzure", resourceManager: cloud.control.origin },
      ]);
    },
  );

  it("return what az cloud register reads in the version of 2015", async () => {
    const cloud = await startCloud({ control: true });
    const { origin } = cloud.control;
    const answer = await send(cloud, "GET", "/metadata/endpoints?api-version=2015-01-01");
    expect((await send(cloud, "GET", "/metadata/endpoints")).body).toEqual(answer.body);
    expect(answer.body).toEqual({
      galleryEndpoint: origin,
      graphEndpoint: origin,
      portalEndpoint: origin,
      authentication: {
        loginEndpoint: origin,
        audiences: ["https://management.core.windows.net/"],
        tenant: "common",
        identityProvider: "AAD",
      },
    });
    const post = await send(cloud, "POST", "/metadata/endpoints?api-version=2015-01-01");
    expect(post.status).toBe(404);
  });

  it("return the locations at a path with a double slash", async () => {
    const cloud = await startCloud({ control: true });
    const host = new URL(cloud.control.origin).host;
    const answer = await send(cloud, "GET", "//metadata/endpoints?api-version=2018-01-01");

    const locations = expect.arrayContaining(["westeurope", "northeurope", "eastus2", "uksouth"]);
    expect(answer.body).toEqual({ cloudEndpoint: { public: { endpoint: host, locations } } });
  });
});

describe("authentication", () => {
  it("refuses a request without a token", async () => {
    const cloud = await startCloud({ control: true });
    const subscription = `/subscriptions/${cloud.subscriptionId}`;

    expect(await send(cloud, "GET", subscription)).toMatchObject(
      refusal(401, "AuthenticationFailed"),
    );
    expect(await send(cloud, "GET", "/v1.0/applications")).toMatchObject(
      refusal(401, "InvalidAuthenticationToken"),
    );
  });

  it("refuses a token that another Entra signed", async () => {
    const cloud = await startCloud({ control: true });
    const other = await startCloud();
    await other.keys.rotate();
    const { clientId } = other.applications.create({ displayName: "webhook" });
    const authorization = `Bearer ${await other.tokens.delivery({ clientId })}`;

    const answer = await send(cloud, "GET", "/v1.0/applications", { headers: { authorization } });

    expect(answer.status).toBe(401);
  });

  it("refuses a token for a webhook", async () => {
    const cloud = await startCloud({ control: true });
    const { clientId } = cloud.applications.create({ displayName: "webhook" });
    const authorization = `Bearer ${await cloud.tokens.delivery({ clientId })}`;

    const answer = await send(cloud, "GET", "/v1.0/applications", { headers: { authorization } });

    expect(answer).toMatchObject(
      refusal(401, undefined, expect.stringContaining("wrong audience")),
    );
  });

  it("refuses a caller of another tenant", async () => {
    const cloud = await startCloud({ control: true });
    const tenantId = "99999999-9999-4999-8999-999999999999";
    const { clientId } = cloud.applications.create({ displayName: "guest", tenantId });
    const claims = { aud: cloud.control.origin };
    const token = await cloud.tokens.delivery({ clientId, tenantId, claims });
    const headers = { authorization: `Bearer ${token}` };

    const answer = await send(cloud, "GET", `/subscriptions/${cloud.subscriptionId}`, { headers });

    expect(answer).toMatchObject(refusal(401, "InvalidAuthenticationTokenTenant"));
  });
});

describe("unknown paths and invalid bodies", () => {
  it.each([
    ["GET", "/nothing/here"],
    ["GET", "/subscriptions/22222222-2222-4222-8222-222222222222/nothing"],
    ["PUT", "/subscriptions/22222222-2222-4222-8222-222222222222/nothing/b"],
    ["GET", "/subscriptions/00000000-0000-4000-8000-000000000000"],
  ])("answers 404 with an error body to %s %s", async (method, path) => {
    const { call } = await startManaged();
    expect(await call(method, path, method === "PUT" ? {} : undefined)).toMatchObject(
      refusal(404, expect.any(String), expect.any(String)),
    );
  });

  it("answers 400 to a body that is not JSON", async () => {
    const cloud = await startCloud({ control: true });
    const answer = await send(cloud, "POST", "/v1.0/applications", { body: "{" });
    expect(answer).toMatchObject(refusal(400, "InvalidRequestContent"));
  });
});

describe("the environment for Terraform", () => {
  it("contains the address, the deployer's credentials and the certificates", async () => {
    const cloud = await startCloud({ control: true });
    const { certificateFile, bundleFile, emptyDirectory } = cloud.control.certificates;

    expect(cloud.terraformEnvironment()).toEqual({
      ARM_METADATA_HOSTNAME: new URL(cloud.control.origin).host,
      ARM_ACTIVE_DIRECTORY_AUTHORITY_HOST: cloud.control.origin,
      ARM_RESOURCE_MANAGER_ENDPOINT: cloud.control.origin,
      ARM_RESOURCE_MANAGER_AUDIENCE: cloud.control.origin,
      ARM_DISABLE_INSTANCE_DISCOVERY: "true",
      ARM_TENANT_ID: "11111111-1111-4111-8111-111111111111",
      ARM_SUBSCRIPTION_ID: "22222222-2222-4222-8222-222222222222",
      ARM_CLIENT_ID: "33333333-3333-4333-8333-333333333333",
      ARM_CLIENT_SECRET: "local-deployer-secret",
      SSL_CERT_FILE: bundleFile,
      SSL_CERT_DIR: emptyDirectory,
      REQUESTS_CA_BUNDLE: bundleFile,
      NODE_EXTRA_CA_CERTS: certificateFile,
      AZURE_AUTHORITY_HOST: cloud.control.origin,
      AZURE_CORE_INSTANCE_DISCOVERY: "false",
      AZURE_SUBSCRIPTION_ID: "22222222-2222-4222-8222-222222222222",
      AZURE_TENANT_ID: "11111111-1111-4111-8111-111111111111",
      AZURE_CLIENT_ID: "33333333-3333-4333-8333-333333333333",
      AZURE_CLIENT_SECRET: "local-deployer-secret",
    });
  });

  it("consists of a proxy, credentials and certificates for clients of the public hosts", async () => {
    const cloud = await startCloud({ control: true });
    const environment = Object.entries(cloud.terraformEnvironment()).filter(
      ([name]) => !/METADATA|AUTHORITY|RESOURCE_MANAGER|DISCOVERY/.test(name),
    );
    expect(cloud.proxyEnvironment()).toEqual({
      ...Object.fromEntries(environment),
      HTTPS_PROXY: cloud.httpOrigin,
      NO_PROXY: "localhost,127.0.0.1",
    });
  });

  it("cannot be read without a control plane", async () => {
    const cloud = await startCloud();
    expect(() => cloud.terraformEnvironment()).toThrow(
      "Start it with LocalCloud.start({ control: true }).",
    );
  });

  it("contains the credentials of a configured deployer", async () => {
    const deployer = { clientId: "44444444-4444-4444-8444-444444444444", secret: "mine" };
    const cloud = await startCloud({ control: { deployer } });
    const call = await signIn(cloud, deployer);

    expect(await call("GET", `/subscriptions/${cloud.subscriptionId}`)).toMatchObject({
      status: 200,
      body: { subscriptionId: cloud.subscriptionId, tenantId: cloud.tenantId, state: "Enabled" },
    });
  });
});

it("roles that code assigns have a known name and the type of their principal", async () => {
  const cloud = await startCloud({ control: true });
  const scope = `/subscriptions/${cloud.subscriptionId}`;
  const usersAndGroups = cloud.directory.tenant(cloud.tenantId)?.usersAndGroups;
  usersAndGroups?.set("team", { displayName: "team", type: "Group" });
  cloud.control.assignRole("reader", "team", scope);
  cloud.control.assignRole("Reader", "nobody", scope);
  const readers = cloud.control.roleAssignments
    .list()
    .filter(({ roleId }) => roleId === "acdd72a7-3385-48ef-bd42-f606fba81ae7")
    .map(({ principalId, principalType }) => [principalId, principalType]);
  expect(readers).toEqual([
    ["team", "Group"],
    ["nobody", "ServicePrincipal"],
  ]);
  expect(() => cloud.control.assignRole("Wizard", "team", scope)).toThrow(
    expect.objectContaining({
      code: "ERR_UNKNOWN_ROLE",
      message: expect.stringMatching(/^Unknown role 'Wizard'\. Known roles: .*Reader, .*\.$/),
    }),
  );
});

describe("the deployer's secret", () => {
  const wellKnown = "local-deployer-secret";
  const secretOf = (cloud: LocalCloud) => cloud.terraformEnvironment().ARM_CLIENT_SECRET;

  async function tokenStatus(cloud: LocalCloud, secret = wellKnown): Promise<number> {
    const { ARM_CLIENT_ID: clientId = "" } = cloud.terraformEnvironment();
    const scope = "https://management.azure.com/.default";
    return (await requestToken(cloud, { clientId, secret }, scope)).status;
  }

  it("is random when other machines reach the cloud", async () => {
    const clouds = [1, 2].map(() => startCloud({ control: true, host: "0.0.0.0" }));
    const [one, other] = await Promise.all(clouds);
    if (!one || !other) throw new Error("no cloud");
    expect(secretOf(one)).toMatch(/^[-\w]{40}$/);
    expect(secretOf(one)).not.toBe(secretOf(other));
    expect(await tokenStatus(one)).toBe(401);
    expect(await tokenStatus(one, secretOf(one))).toBe(200);
  });

  it("replaces the one of an earlier start on loopback", async () => {
    const persist = emptyDirectory();
    const earlier = await startCloud({ control: true, persist });
    expect(await tokenStatus(earlier)).toBe(200);
    await earlier.close();

    const cloud = await startCloud({ control: true, persist, host: "0.0.0.0" });
    expect(await tokenStatus(cloud)).toBe(401);
    expect(await tokenStatus(cloud, secretOf(cloud))).toBe(200);
    await cloud.close();
  });
});
