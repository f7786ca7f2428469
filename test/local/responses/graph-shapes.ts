import { fields, type Shape } from "./shape.js";

/* Fields of Graph's responses, with the names and types of Microsoft's reference of v1.0. */

const context = fields({ string: "@odata.context?" });
const typed = fields({ string: "@odata.context? @odata.type?" });

export const list = (item: Shape): Shape => ({
  ...fields({ string: "@odata.context? @odata.nextLink?", number: "@odata.count?" }),
  value: [item],
});

/** A single object, which may name its context. */
export const entity = (shape: Shape): Shape => ({ ...context, ...Object(shape) });

export const password: Shape = {
  ...context,
  ...fields({
    null: "customKeyIdentifier",
    string: "keyId startDateTime endDateTime",
    "string|null": "displayName hint secretText",
  }),
};

const appRole: Shape = fields({
  string: "id displayName description origin?",
  "string|null": "value",
  boolean: "isEnabled",
  array: "allowedMemberTypes",
});

export const application: Shape = {
  ...typed,
  ...fields({
    string: "id appId createdDateTime displayName publisherDomain signInAudience",
    null: "deletedDateTime",
    "string|null": `description notes applicationTemplateId defaultRedirectUri
      disabledByMicrosoftStatus groupMembershipClaims nativeAuthenticationApisEnabled
      samlMetadataUrl serviceManagementReference tokenEncryptionKeyId`,
    array: "identifierUris tags addIns keyCredentials requiredResourceAccess",
    "boolean|null": "isDeviceOnlyAuthSupported isFallbackPublicClient",
    object: "info verifiedPublisher",
    "object|null": `certification optionalClaims requestSignatureVerification
      servicePrincipalLockConfiguration`,
  }),
  api: fields({
    "boolean|null": "acceptMappedClaims",
    "number|null": "requestedAccessTokenVersion",
    array: "knownClientApplications oauth2PermissionScopes preAuthorizedApplications",
  }),
  appRoles: [appRole],
  parentalControlSettings: { countriesBlockedForMinors: "array", legalAgeGroupRule: "string" },
  passwordCredentials: [password],
  publicClient: { redirectUris: "array" },
  spa: { redirectUris: "array" },
  web: {
    ...fields({
      "string|null": "homePageUrl logoutUrl",
      array: "redirectUris redirectUriSettings",
    }),
    implicitGrantSettings: fields({
      boolean: "enableAccessTokenIssuance enableIdTokenIssuance",
    }),
  },
};

export const servicePrincipal: Shape = {
  ...typed,
  ...fields({
    string: `id appId appDisplayName appOwnerOrganizationId createdDateTime displayName
      servicePrincipalType signInAudience`,
    null: "deletedDateTime",
    boolean: "accountEnabled appRoleAssignmentRequired",
    "string|null": `appDescription applicationTemplateId description disabledByMicrosoftStatus
      homepage loginUrl logoutUrl notes preferredSingleSignOnMode
      preferredTokenSigningKeyThumbprint samlMetadataUrl? tokenEncryptionKeyId`,
    array: `addIns alternativeNames keyCredentials notificationEmailAddresses
      oauth2PermissionScopes passwordCredentials replyUrls resourceSpecificApplicationPermissions
      servicePrincipalNames tags`,
    object: "info verifiedPublisher",
    "object|null": "samlSingleSignOnSettings",
  }),
  appRoles: [appRole],
};

export const appRoleAssignment: Shape = {
  ...context,
  ...fields({
    string: "id createdDateTime? appRoleId principalId principalType resourceId",
    null: "deletedDateTime",
    "string|null": "principalDisplayName resourceDisplayName",
  }),
};

/** @see https://learn.microsoft.com/graph/api/resources/federatedidentitycredential */
export const federatedCredential: Shape = {
  ...context,
  ...fields({ string: "id name issuer subject", "string|null": "description" }),
  audiences: ["string"],
};

export const user: Shape = {
  ...typed,
  ...fields({
    string: "id displayName userPrincipalName",
    array: "businessPhones",
    "string|null": "givenName jobTitle mail mobilePhone officeLocation preferredLanguage surname",
  }),
};

export const group: Shape = {
  ...typed,
  ...fields({
    string: "id displayName mailNickname",
    boolean: "mailEnabled securityEnabled",
    array: "groupTypes",
  }),
};

export const domain: Shape = {
  ...typed,
  ...fields({
    string: "id authenticationType",
    "string|null": "availabilityStatus",
    boolean: "isAdminManaged isDefault isInitial isRoot isVerified",
    number: "passwordNotificationWindowInDays passwordValidityPeriodInDays",
    array: "supportedServices",
    null: "state",
  }),
};

export const reference: Shape = { "@odata.type": "string", id: "string" };

export const organization: Shape = {
  ...fields({ string: "id displayName" }),
  verifiedDomains: [fields({ string: "name type", boolean: "isDefault isInitial" })],
};
