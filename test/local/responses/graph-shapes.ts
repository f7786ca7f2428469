import type { Shape } from "./shape.js";

/* Fields of Graph's responses, with the names and types of Microsoft's reference of v1.0. */

export const list = (item: Shape): Shape => ({
  "@odata.context?": "string",
  "@odata.count?": "number",
  "@odata.nextLink?": "string",
  value: [item],
});

/** A single object, which may name its context. */
export const entity = (shape: Shape): Shape => ({ "@odata.context?": "string", ...Object(shape) });

/** An object in the list of deleted items. */
export const deleted = (shape: Shape): Shape => ({ ...Object(shape), deletedDateTime: "string" });

export const password: Shape = {
  "@odata.context?": "string",
  customKeyIdentifier: "null",
  keyId: "string",
  displayName: "string|null",
  hint: "string|null",
  secretText: "string|null",
  startDateTime: "string",
  endDateTime: "string",
};

const appRole: Shape = {
  id: "string",
  value: "string|null",
  displayName: "string",
  description: "string",
  isEnabled: "boolean",
  "origin?": "string",
  allowedMemberTypes: "array",
};

export const application: Shape = {
  "@odata.context?": "string",
  "@odata.type?": "string",
  id: "string",
  appId: "string",
  deletedDateTime: "null",
  createdDateTime: "string",
  displayName: "string",
  description: "string|null",
  notes: "string|null",
  identifierUris: "array",
  publisherDomain: "string",
  signInAudience: "string",
  tags: "array",
  addIns: "array",
  api: {
    acceptMappedClaims: "boolean|null",
    knownClientApplications: "array",
    requestedAccessTokenVersion: "number|null",
    oauth2PermissionScopes: "array",
    preAuthorizedApplications: "array",
  },
  appRoles: [appRole],
  applicationTemplateId: "string|null",
  certification: "object|null",
  defaultRedirectUri: "string|null",
  disabledByMicrosoftStatus: "string|null",
  groupMembershipClaims: "string|null",
  info: "object",
  isDeviceOnlyAuthSupported: "boolean|null",
  isFallbackPublicClient: "boolean|null",
  keyCredentials: "array",
  optionalClaims: "object|null",
  parentalControlSettings: { countriesBlockedForMinors: "array", legalAgeGroupRule: "string" },
  passwordCredentials: [password],
  publicClient: { redirectUris: "array" },
  requiredResourceAccess: "array",
  serviceManagementReference: "string|null",
  spa: { redirectUris: "array" },
  tokenEncryptionKeyId: "string|null",
  verifiedPublisher: "object",
  web: {
    homePageUrl: "string|null",
    logoutUrl: "string|null",
    redirectUris: "array",
    implicitGrantSettings: {
      enableAccessTokenIssuance: "boolean",
      enableIdTokenIssuance: "boolean",
    },
  },
};

export const servicePrincipal: Shape = {
  "@odata.context?": "string",
  "@odata.type?": "string",
  id: "string",
  appId: "string",
  deletedDateTime: "null",
  accountEnabled: "boolean",
  addIns: "array",
  alternativeNames: "array",
  appDescription: "string|null",
  appDisplayName: "string",
  appOwnerOrganizationId: "string",
  appRoleAssignmentRequired: "boolean",
  appRoles: [appRole],
  createdDateTime: "string",
  applicationTemplateId: "string|null",
  description: "string|null",
  disabledByMicrosoftStatus: "string|null",
  displayName: "string",
  homepage: "string|null",
  info: "object",
  keyCredentials: "array",
  loginUrl: "string|null",
  logoutUrl: "string|null",
  notes: "string|null",
  notificationEmailAddresses: "array",
  oauth2PermissionScopes: "array",
  passwordCredentials: "array",
  preferredSingleSignOnMode: "string|null",
  preferredTokenSigningKeyThumbprint: "string|null",
  replyUrls: "array",
  resourceSpecificApplicationPermissions: "array",
  "samlMetadataUrl?": "string|null",
  samlSingleSignOnSettings: "object|null",
  servicePrincipalNames: "array",
  servicePrincipalType: "string",
  signInAudience: "string",
  tags: "array",
  tokenEncryptionKeyId: "string|null",
  verifiedPublisher: "object",
};

export const appRoleAssignment: Shape = {
  "@odata.context?": "string",
  id: "string",
  deletedDateTime: "null",
  "createdDateTime?": "string",
  appRoleId: "string",
  principalId: "string",
  principalDisplayName: "string|null",
  principalType: "string",
  resourceId: "string",
  resourceDisplayName: "string|null",
};

/** @see https://learn.microsoft.com/graph/api/resources/federatedidentitycredential */
export const federatedCredential: Shape = {
  "@odata.context?": "string",
  id: "string",
  name: "string",
  issuer: "string",
  subject: "string",
  audiences: ["string"],
  description: "string|null",
};

export const user: Shape = {
  "@odata.context?": "string",
  "@odata.type?": "string",
  id: "string",
  displayName: "string",
  userPrincipalName: "string",
  businessPhones: "array",
  givenName: "string|null",
  jobTitle: "string|null",
  mail: "string|null",
  mobilePhone: "string|null",
  officeLocation: "string|null",
  preferredLanguage: "string|null",
  surname: "string|null",
};

export const group: Shape = {
  "@odata.context?": "string",
  "@odata.type?": "string",
  id: "string",
  displayName: "string",
  mailNickname: "string",
  mailEnabled: "boolean",
  securityEnabled: "boolean",
  groupTypes: "array",
};

export const reference: Shape = { "@odata.type": "string", id: "string" };

export const organization: Shape = {
  id: "string",
  displayName: "string",
  verifiedDomains: [{ name: "string", isDefault: "boolean", isInitial: "boolean", type: "string" }],
};

export const batch: Shape = {
  responses: [{ id: "string", status: "number", headers: "object", body: "object" }],
};
