import { expect, it } from "vitest";
import { startManaged } from "../support/cloud.js";
import { deployer, permit, textIn } from "../support/management-client.js";

/* Whole answers, with the values that Microsoft's reference of v1.0 gives for what nobody wrote. */

const some = (names: string, value: unknown) =>
  Object.fromEntries(names.split(" ").map((name) => [name, structuredClone(value)]));
const nulls = (names: string) => some(names, null);
const lists = (names: string) => some(names, []);
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
const id = expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);

async function start() {
  const { cloud, call } = await startManaged();
  permit(cloud, deployer(cloud).clientId, "Group.ReadWrite.All");
  const context = `${cloud.control.origin}/v1.0/$metadata#`;
  const created = await call("POST", "/v1.0/applications", { displayName: "orders" });
  return { cloud, call, context, created, appId: textIn(created.body, "appId") };
}

const shared = {
  ...lists("addIns appRoles keyCredentials passwordCredentials tags"),
  ...nulls("applicationTemplateId deletedDateTime description disabledByMicrosoftStatus notes"),
  tokenEncryptionKeyId: null,
  info: nulls("logoUrl marketingUrl privacyStatementUrl supportUrl termsOfServiceUrl"),
  verifiedPublisher: nulls("addedDateTime displayName verifiedPublisherId"),
  ...{ id, createdDateTime: time, displayName: "orders" },
};

it("an application that has only a name shows nulls and empty lists beside it", async () => {
  const { cloud, context, created, appId } = await start();
  const objectId = textIn(created.body, "id");
  expect(created).toMatchObject({
    status: 201,
    headers: {
      "odata-version": "4.0",
      location: `${cloud.control.origin}/v2/${cloud.tenantId}/directoryObjects/${objectId}/Microsoft.DirectoryServices.Application`,
    },
  });
  expect(created.body).toEqual({
    "@odata.context": `${context}applications/$entity`,
    ...shared,
    appId,
    publisherDomain: "local.onmicrosoft.com",
    signInAudience: "AzureADandPersonalMicrosoftAccount",
    ...nulls("certification defaultRedirectUri groupMembershipClaims isDeviceOnlyAuthSupported"),
    ...nulls("isFallbackPublicClient nativeAuthenticationApisEnabled optionalClaims"),
    ...nulls("requestSignatureVerification samlMetadataUrl serviceManagementReference"),
    servicePrincipalLockConfiguration: null,
    ...lists("identifierUris requiredResourceAccess"),
    api: {
      acceptMappedClaims: null,
      requestedAccessTokenVersion: 2,
      ...lists("knownClientApplications oauth2PermissionScopes preAuthorizedApplications"),
    },
    parentalControlSettings: { countriesBlockedForMinors: [], legalAgeGroupRule: "Allow" },
    ...some("publicClient spa", { redirectUris: [] }),
    web: {
      ...nulls("homePageUrl logoutUrl"),
      ...lists("redirectUriSettings redirectUris"),
      implicitGrantSettings: some("enableAccessTokenIssuance enableIdTokenIssuance", false),
    },
  });
});

it("a service principal shows its application's name, and nulls and empty lists", async () => {
  const { cloud, call, context, appId } = await start();
  const { body } = await call("POST", "/v1.0/servicePrincipals", { appId });
  expect(body).toEqual({
    "@odata.context": `${context}servicePrincipals/$entity`,
    ...shared,
    appId,
    appDisplayName: "orders",
    appOwnerOrganizationId: cloud.tenantId,
    ...{ accountEnabled: true, appRoleAssignmentRequired: false },
    ...nulls("appDescription homepage loginUrl logoutUrl preferredSingleSignOnMode"),
    ...nulls("preferredTokenSigningKeyThumbprint samlSingleSignOnSettings"),
    ...lists("alternativeNames notificationEmailAddresses oauth2PermissionScopes replyUrls"),
    resourceSpecificApplicationPermissions: [],
    servicePrincipalNames: [appId],
    servicePrincipalType: "Application",
    signInAudience: "AzureADandPersonalMicrosoftAccount",
  });
  const graph = "/v1.0/servicePrincipals(appId='00000003-0000-0000-c000-000000000000')";
  expect((await call("GET", graph)).body).toMatchObject({
    appOwnerOrganizationId: "f8cdef31-a31e-4b4a-93e4-5f571e91255a",
    signInAudience: "AzureADMultipleOrgs",
  });
  const beta = `/beta/servicePrincipals(appId='${appId}')`;
  expect((await call("GET", beta)).body).toMatchObject({ id, samlMetadataUrl: null });
  const select = "$select=id,samlMetadataUrl"; // as azuread reads it
  expect((await call("GET", `${beta}?${select}`)).body).toEqual({
    "@odata.context": `${cloud.control.origin}/beta/$metadata#servicePrincipals(id,samlMetadataUrl)/$entity`,
    ...{ id, samlMetadataUrl: null },
  });
  const released = beta.replace("beta", "v1.0");
  expect(await call("GET", `${released}?${select}`)).toMatchObject({ status: 400 });
});

it("a user, the organization and its domain show Graph's default properties, a group what it needs", async () => {
  const { cloud, call, context } = await start();
  const ada = { displayName: "Ada L.", type: "User" } as const;
  cloud.directory.tenant(cloud.tenantId)?.usersAndGroups.set("user", ada);
  const user = {
    ...{ id: "user", displayName: "Ada L.", businessPhones: [] },
    ...nulls("givenName jobTitle mail mobilePhone officeLocation preferredLanguage surname"),
    userPrincipalName: "ada.l.@local.onmicrosoft.com",
  };
  const at = async (path: string) => (await call("GET", `/v1.0/${path}`)).body;
  expect(await at("users")).toEqual({ "@odata.context": `${context}users`, value: [user] });
  expect(await at("users/user?$select=accountEnabled,mailNickname")).toEqual({
    "@odata.context": `${context}users(accountEnabled,mailNickname)/$entity`,
    ...{ accountEnabled: true, mailNickname: null },
  });
  const group = { displayName: "ops", mailNickname: "team", ...{ mailEnabled: false } };
  const made = await call("POST", "/v1.0/groups", { ...group, securityEnabled: true });
  expect(made.body).toEqual({
    "@odata.context": `${context}groups/$entity`,
    ...{ ...group, id, securityEnabled: true, groupTypes: [] },
  });
  const domain = "local.onmicrosoft.com";
  expect(await at("organization")).toEqual({
    "@odata.context": `${context}organization`,
    value: [
      {
        ...{ id: cloud.tenantId, displayName: "Local directory" },
        verifiedDomains: [{ name: domain, isDefault: true, isInitial: true, type: "Managed" }],
      },
    ],
  });
  expect(await at(`domains/${domain}`)).toEqual({
    "@odata.context": `${context}domains/$entity`,
    ...{ id: domain, authenticationType: "Managed", availabilityStatus: null, state: null },
    ...some("isAdminManaged isDefault isInitial isRoot isVerified", true),
    passwordNotificationWindowInDays: 14,
    passwordValidityPeriodInDays: 2_147_483_647,
    supportedServices: ["Email", "OfficeCommunicationsOnline"],
  });
});

it("what was written of an application's parts stands beside the rest", async () => {
  const { call, created } = await start();
  const path = `/v1.0/applications/${textIn(created.body, "id")}`;
  const one = { id: "6b5bbd2c-1f22-4d0b-9b1c-9d3f0d1f0f01", value: "read" };
  await call("PATCH", path, {
    api: { acceptMappedClaims: true, oauth2PermissionScopes: [one] },
    web: { logoutUrl: "https://a.example/out" },
    optionalClaims: { idToken: [{ name: "email" }] },
    keyCredentials: [{ displayName: "ci", key: "aGk=" }],
  });
  const { body } = await call("GET", path);
  const { "@odata.context": _, ...before } = Object(created.body);
  expect(body).toEqual({
    ...Object(body),
    ...before,
    api: { ...before.api, acceptMappedClaims: true, oauth2PermissionScopes: [one] },
    web: { ...before.web, logoutUrl: "https://a.example/out" },
    optionalClaims: {
      ...Object(body).optionalClaims,
      idToken: [expect.objectContaining({ name: "email", additionalProperties: [], source: null })],
    },
    keyCredentials: [{ displayName: "ci", key: null }],
  });
});

it("each answer names its context, as OData calls what the path leads to", async () => {
  const { call, context, created, appId } = await start();
  const one = textIn(created.body, "id");
  const principal = await call("POST", "/v1.0/servicePrincipals", { appId });
  const own = `servicePrincipals/${textIn(principal.body, "id")}`;
  for (const [method, path, expected] of [
    ["GET", "applications", "applications"],
    ["GET", "applications?$select=id", "applications(id)"],
    ["POST", `applications/${one}/addPassword`, "microsoft.graph.passwordCredential"],
    [
      "GET",
      `applications/${one}/federatedIdentityCredentials`,
      `applications('${one}')/federatedIdentityCredentials`,
    ],
    ["GET", `applications/${one}/owners`, "directoryObjects"],
    ["GET", `${own}/appRoleAssignedTo`, "appRoleAssignments"],
    ["GET", `${own}/appRoleAssignments`, "appRoleAssignments"],
    ["GET", `directoryObjects/${one}`, "directoryObjects/$entity"],
  ] as const) {
    const { body } = await call(method, `/v1.0/${path}`, method === "POST" ? {} : undefined);
    expect(body, path).toMatchObject({ "@odata.context": context + expected });
    // Only an object of any kind says which one it is.
    expect("@odata.type" in Object(body), path).toBe(path.startsWith("directoryObjects"));
  }
});
