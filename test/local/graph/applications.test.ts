import { describe, expect, it } from "vitest";
import { startManaged } from "../support/cloud.js";
import { refusal, requestToken, textIn } from "../support/management-client.js";

const role = {
  id: "6b5bbd2c-1f22-4d0b-9b1c-9d3f0d1f0f01",
  allowedMemberTypes: ["Application", "User"],
  description: "Azure Event Grid Role",
  displayName: "AzureEventGridSecureWebhookSubscriber",
  isEnabled: true,
  value: "AzureEventGridSecureWebhookSubscriber",
};

async function start(body: object = {}) {
  const { cloud, call } = await startManaged();
  const created = await call("POST", "/v1.0/applications", { displayName: "webhook", ...body });
  const clientId = textIn(created.body, "appId");
  return { cloud, call, clientId, path: `/v1.0/applications/${textIn(created.body, "id")}` };
}

describe("applications", () => {
  it("have federated identity credentials", async () => {
    const { call, path } = await start();
    const credentials = `${path}/federatedIdentityCredentials`;
    const credential = {
      name: "main",
      issuer: "https://token.actions.githubusercontent.com",
      subject: "repo:shop/orders:ref:refs/heads/main",
      audiences: ["api://AzureADTokenExchange"],
    };
    const created = await call("POST", credentials, credential);
    expect(created).toMatchObject({ status: 201, body: credential });
    const [twice, none] = [{ audiences: ["a", "b"] }, { audiences: [] }];
    for (const [change, status, code] of [
      [{ name: "other", subject: "" }, 400, "Request_BadRequest"],
      [{ name: "other", subject: "b", ...twice }, 400, "Request_BadRequest"],
      [{ name: "other", subject: "b", ...none }, 400, "Request_BadRequest"],
      [{ subject: "b" }, 409, "Request_MultipleObjectsWithSameKeyValue"],
      [{ name: "other" }, 400, "InvalidFederatedIdentityCredentialValue"],
    ] as const) {
      const refused = refusal(status, code);
      expect(await call("POST", credentials, { ...credential, ...change })).toMatchObject(refused);
    }
    const elsewhere = { ...credential, name: "other", issuer: "https://elsewhere.example" };
    expect((await call("POST", credentials, elsewhere)).status).toBe(201);
    const own = `${credentials}/${textIn(created.body, "id")}`;
    expect((await call("PATCH", own, { description: "of main" })).status).toBe(204);
    for (const change of [{ issuer: elsewhere.issuer }, { audiences: [] }])
      expect((await call("PATCH", own, change)).status).toBe(400);
    expect((await call("GET", `${credentials}/main`)).body).toMatchObject({
      ...credential,
      description: "of main",
    });
    expect((await call("GET", `${credentials}/other`)).body).toMatchObject(elsewhere);
    expect((await call("DELETE", `${credentials}/other`)).status).toBe(204);
    expect((await call("GET", path)).body).not.toHaveProperty("federatedIdentityCredentials");
    await call("PATCH", path, { notes: "changed" });
    expect((await call("GET", credentials)).body).toMatchObject({ value: [{ name: "main" }] });
    expect((await call("DELETE", own)).status).toBe(204);
    expect((await call("GET", own)).status).toBe(404);
  });

  it.each<[object, string]>([
    [
      { identifierUris: [{ toString: "api://orders" }] },
      "identifierUris[0] must be a string, not an object.",
    ],
    [{ appRoles: "x", web: 5 }, 'appRoles must be a list, not "x". web must be an object, not 5.'],
    [{ api: { requestedAccessTokenVersion: "2" } }, "must be a number, not"],
    [{ signInAudience: "Everybody" }, "signInAudience must be one of 'AzureADMyOrg', "],
    [{ displayName: "" }, "A value is required for property 'displayName'."],
    [{ displayName: "x".repeat(257) }, "Invalid value specified for property 'displayName'"],
    [{ appRoles: [{ ...role, id: "7" }] }, 'appRoles[0].id must be a GUID, not "7".'],
    [{ appRoles: [{ ...role, allowedMemberTypes: [] }] }, "allowedMemberTypes in each role"],
    [{ appRoles: [{ ...role, value: "a b" }] }, "a character that is not allowed: 'a b'"],
    [
      { passwordCredentials: [{ endDateTime: "tomorrow" }] },
      'endDateTime must be a time, not "tomorrow".',
    ],
    [{ displayname: "webhook" }, "Invalid property 'displayname'."],
    [{ identifierUris: ["api://a", "api://a"] }, "a property with duplicate values."],
    [{ identifierUris: ["orders"] }, "Invalid value specified for property 'identifierUris'"],
    [{ identifierUris: ["https://notlocal.onmicrosoft.com/"] }, "must use a verified domain"],
    [{ identifierUris: ["HTTP://local.onmicrosoft.com.a/"] }, "must use a verified domain"],
    [{ api: { requestedAccessTokenVersion: 3 } }, "must be 1, 2 or null."],
    [{ appRoles: [{ ...role, value: ".a" }] }, "a character that is not allowed: '.a'"],
    [{ appRoles: [{ ...role, value: "a".repeat(121) }] }, "a character that is not allowed: 'aa"],
    [
      { passwordCredentials: [{ value: "hush" }] },
      "The property 'value' does not exist on type 'Microsoft.DirectoryServices.PasswordCredential'.",
    ],
  ])("are neither created nor changed with %j", async (properties, message) => {
    const { call, path } = await start();
    const refused = refusal(400, "Request_BadRequest", expect.stringContaining(message));
    expect(await call("PATCH", path, properties)).toMatchObject(refused);
    const body = { displayName: "other", ...properties };
    expect(await call("POST", "/v1.0/applications", body)).toMatchObject(refused);
  });

  it("may have what is at the limits, and is kept as it was written", async () => {
    const { call, path } = await start();
    const written = {
      displayName: "x".repeat(256),
      identifierUris: ["https://a.local.onmicrosoft.com/b", "HTTPS://local.onmicrosoft.com"],
      appRoles: [{ ...role, value: "a".repeat(120) }],
      api: { requestedAccessTokenVersion: 1 },
    };
    expect((await call("PATCH", path, written)).status).toBe(204);
    expect((await call("GET", path)).body).toMatchObject(written);
    const startDateTime = "2027-01-01T00:00:00Z";
    const add = (endDateTime: string) => {
      const passwordCredential = { displayName: "ci", startDateTime, endDateTime };
      return call("POST", `${path}/addPassword`, { passwordCredential });
    };
    expect(await add(startDateTime)).toMatchObject(
      refusal(400, undefined, expect.stringContaining("property 'endDateTime'")),
    );
    expect((await add("2027-01-01T00:00:01Z")).body).toMatchObject({ startDateTime });
  });

  it("need a body that is an object", async () => {
    const { call, path } = await start();
    for (const body of [[], "x", undefined]) {
      expect((await call("PATCH", path, body)).status).toBe(400);
    }
  });

  it("have properties of the beta, and of extensions", async () => {
    const { call, path } = await start();
    const beta = path.replace("v1.0", "beta");
    expect((await call("PATCH", beta, { onPremisesPublishing: {} })).status).toBe(204);
    expect((await call("PATCH", path, { extension_1_team: "shop" })).status).toBe(204);
    const flexible = {
      issuer: "https://token.actions.githubusercontent.com",
      audiences: ["api://AzureADTokenExchange"],
      claimsMatchingExpression: { value: "claims['sub'] matches 'repo:a/*'", languageVersion: 1 },
    };
    for (const name of ["main", "other"]) {
      const credential = { ...flexible, name };
      expect(await call("POST", `${beta}/federatedIdentityCredentials`, credential)).toMatchObject({
        status: 201,
        body: credential,
      });
    }
  });

  it.each([true, false])("take %s as a text, as az documents it", async (isEnabled) => {
    const { call, path } = await start();
    const written = { appRoles: [{ ...role, isEnabled: String(isEnabled) }] };
    expect((await call("PATCH", path, written)).status).toBe(204);
    expect((await call("GET", path)).body).toMatchObject({ appRoles: [{ isEnabled }] });
  });

  it("are merged field by field by a PATCH", async () => {
    const { call, path } = await start({ notes: "first", info: { supportUrl: "https://a" } });
    const change = {
      displayName: "renamed",
      identifierUris: ["api://orders"],
      info: { marketingUrl: "https://b" },
      "@odata.type": "#microsoft.graph.application",
    };
    expect(await call("PATCH", path, change)).toMatchObject({ status: 204, body: undefined });
    expect((await call("GET", path)).body).toMatchObject({
      displayName: "renamed",
      identifierUris: ["api://orders"],
      notes: "first",
      info: { supportUrl: "https://a", marketingUrl: "https://b" },
    });
  });

  it("may have the identifier URIs that they have, but not those of another one", async () => {
    const { call, path } = await start({ identifierUris: ["api://orders"] });
    const other = { displayName: "other", identifierUris: ["api://other"] };
    await call("POST", "/v1.0/applications", other);
    const change = (uri: string) => call("PATCH", path, { identifierUris: [uri] });
    expect((await change("api://orders")).status).toBe(204);
    expect(await change("api://other")).toMatchObject(refusal(400, "ObjectConflict"));
  });

  it("are found by client ID, by a name with quotes and 'and', and by identifier URI", async () => {
    const { call, clientId } = await start({
      displayName: "Tom's salt and pepper",
      identifierUris: ["api://orders"],
    });
    for (const filter of [
      `appId eq '${clientId}'`,
      "displayName eq 'Tom''s salt and pepper'",
      "identifierUris/any(uri:uri eq 'api://orders')",
      `displayName eq 'Tom''s salt and pepper' and appId eq '${clientId}'`,
      "startswith(displayName,'TOM')",
      "displayName eq 'other' or displayName eq 'Tom''s salt and pepper'",
    ]) {
      const answer = await call("GET", `/v1.0/applications?$filter=${encodeURIComponent(filter)}`);
      expect(answer.body, filter).toMatchObject({ value: [{ appId: clientId }] });
    }
    const none = encodeURIComponent("displayName eq 'another'");
    expect((await call("GET", `/v1.0/applications?$filter=${none}`)).body).toMatchObject({
      value: [],
    });
  });

  it("require a name, and identifier URIs that are not taken", async () => {
    const { call } = await start({ identifierUris: ["api://orders"] });
    expect((await call("POST", "/v1.0/applications", {})).status).toBe(400);
    const twin = { displayName: "twin", identifierUris: ["api://orders"] };
    expect(await call("POST", "/v1.0/applications", twin)).toMatchObject(
      refusal(400, undefined, expect.stringContaining("identifierUris already exists")),
    );
  });
});

describe("app roles", () => {
  it("appear on a service principal that exists already, with IDs in lower case", async () => {
    const { call, path, clientId } = await start();
    const principal = await call("POST", "/v1.0/servicePrincipals", { appId: clientId });
    const shouted = { ...role, id: role.id.toUpperCase() };
    expect((await call("PATCH", path, { appRoles: [shouted] })).status).toBe(204);
    const at = `/v1.0/servicePrincipals/${textIn(principal.body, "id")}`;
    expect((await call("GET", at)).body).toMatchObject({ appRoles: [role] });
  });

  it("cannot share a value", async () => {
    const { call, path } = await start({ appRoles: [role] });
    const twin = { ...role, id: "6b5bbd2c-1f22-4d0b-9b1c-9d3f0d1f0f02" };
    expect(await call("PATCH", path, { appRoles: [role, twin] })).toMatchObject(
      refusal(400, "DuplicateValue", "Property appRoles.value contains duplicate value."),
    );
  });

  it.each([null, ""])("may lack a value (%j)", async (value) => {
    const { call, path } = await start({ appRoles: [role] });
    const plain = [
      { ...role, id: "6b5bbd2c-1f22-4d0b-9b1c-9d3f0d1f0f0a", value },
      { ...role, id: "6b5bbd2c-1f22-4d0b-9b1c-9d3f0d1f0f0b", value },
    ];
    expect((await call("PATCH", path, { appRoles: [role, ...plain] })).status).toBe(204);
    expect((await call("GET", path)).body).toMatchObject({
      appRoles: [{ value: role.value }, { value: null }, { value: null }],
    });
  });

  it("cannot be removed while enabled", async () => {
    const { call, path } = await start({ appRoles: [role] });
    expect(await call("PATCH", path, { appRoles: [] })).toMatchObject(
      refusal(
        400,
        "CannotDeleteOrUpdateEnabledEntitlement",
        "Permission (scope or role) cannot be deleted or updated unless disabled first.",
      ),
    );
    await call("PATCH", path, { appRoles: [{ ...role, isEnabled: false }] });
    expect((await call("PATCH", path, { appRoles: [] })).status).toBe(204);
  });

  it("cannot change their value while enabled, only their texts", async () => {
    const { call, path } = await start({ appRoles: [role] });
    const another = { appRoles: [{ ...role, value: "another" }] };
    expect((await call("PATCH", path, another)).status).toBe(400);
    const described = { appRoles: [{ ...role, description: "another" }] };
    expect((await call("PATCH", path, described)).status).toBe(204);
    await call("PATCH", path, { appRoles: [{ ...role, isEnabled: false }] });
    expect((await call("PATCH", path, another)).status).toBe(204);
  });
});

describe("client secrets", () => {
  it("can be created with the application, and are readable in that response only", async () => {
    const { cloud, call } = await start();
    const created = await call("POST", "/v1.0/applications", {
      displayName: "with a secret",
      passwordCredentials: [{ displayName: "first" }],
    });
    const clientId = textIn(created.body, "appId");
    const secret = textIn(created.body, "passwordCredentials", "0", "secretText");
    await call("POST", "/v1.0/servicePrincipals", { appId: clientId });

    const scope = "https://eventgrid.azure.net/.default";
    expect((await requestToken(cloud, { clientId, secret }, scope)).status).toBe(200);
    const shown = await call("GET", `/v1.0/applications/${textIn(created.body, "id")}`);
    expect(JSON.stringify(shown.body)).not.toContain(secret);
  });

  it("are readable once, and valid until they are removed", async () => {
    const { cloud, call, clientId, path } = await start();
    await call("POST", "/v1.0/servicePrincipals", { appId: clientId });
    const added = await call("POST", `${path}/addPassword`, {
      passwordCredential: { displayName: "terraform", endDateTime: "2099-01-01T00:00:00Z" },
    });
    expect(added).toMatchObject({
      status: 200,
      body: {
        displayName: "terraform",
        endDateTime: "2099-01-01T00:00:00Z",
        keyId: expect.any(String),
        secretText: expect.any(String),
      },
    });
    const secret = textIn(added.body, "secretText");
    const keyId = textIn(added.body, "keyId");
    expect((await call("GET", path)).body).toMatchObject({
      passwordCredentials: [{ keyId, displayName: "terraform", secretText: null }],
    });
    const scope = "https://eventgrid.azure.net/.default";
    expect((await requestToken(cloud, { clientId, secret }, scope)).status).toBe(200);

    expect((await call("POST", `${path}/removePassword`, { keyId })).status).toBe(204);
    expect((await requestToken(cloud, { clientId, secret }, scope)).status).toBe(401);
    expect((await call("POST", `${path}/removePassword`, { keyId })).status).toBe(400);
  });
});
