import {
  asText,
  field,
  isObject,
  listAt,
  objectAt,
  textAt,
  textOrEmpty,
  withDefaults,
} from "../../base/index.js";
import type {
  Application,
  AppRole,
  NewPassword,
  PasswordCredential,
  Tenant,
} from "../../directory/index.js";
import { merge, without } from "../attributes.js";
import { badRequest, requiredText } from "../graph-errors.js";
import type { GraphRequest, GraphRouter } from "../graph-router.js";
import { findToChange, newOwners, type ObjectSet } from "../object-set.js";
import { checkProperties } from "../property-types.js";
import { unwrittenApplication } from "./unwritten.js";
import { DOMAIN } from "./users-and-groups.js";

/** The attribute of applications, which Graph shows on paths of its own only. */
export const FEDERATED_CREDENTIALS = "federatedIdentityCredentials";

export function credentialsOf({ attributes }: Application): Readonly<Record<string, unknown>>[] {
  return listAt(attributes, FEDERATED_CREDENTIALS).map((each) => objectAt(each));
}

/** Application registrations. */
export const applications: ObjectSet<Application> = {
  path: "applications",
  kind: "Application",
  list: ({ tenant }) => tenant.applications.list(),
  matches: ({ objectId }, id) => objectId === id.toLowerCase(),
  answer: (application) => applicationAnswer(application),
  ownersOf: ({ owners }) => owners,
  create: createApplication,
  change: changeApplication,
  remove: ({ objectId }, tenant) => void tenant.deleteApplication(objectId),
};

/** Client secrets of applications or of service principals. */
export function addPasswordRoutes<T extends Pick<Application, "passwords">>(
  router: GraphRouter,
  set: ObjectSet<T>,
): void {
  router.serve("POST", `${set.path}/:id/addPassword`, (request) => {
    const { passwords } = findToChange(set, request);
    const body = field(request.body, "passwordCredential") ?? {};
    const password = newPasswordIn(checkProperties("PasswordCredential", { ...request, body }));
    const { credential, secretText } = passwords.add(password);
    return { status: 200, body: passwordAnswer(credential, secretText) };
  });
  router.serve("POST", `${set.path}/:id/removePassword`, (request) => {
    const { passwords } = findToChange(set, request);
    if (!passwords.remove(textOrEmpty(request.body, "keyId"))) {
      throw badRequest("No password credential found with keyId.");
    }
    return { status: 204 };
  });
}

/** Fields that the directory models; others are stored unchanged. */
const modelled = [
  "id",
  "appId",
  "displayName",
  "identifierUris",
  "appRoles",
  "passwordCredentials",
  FEDERATED_CREDENTIALS,
];

/** Secrets by key ID, which Graph shows only in the response to their creation. */
type NewSecrets = ReadonlyMap<string, string>;

/** Creates an application from the body of a POST, with its client secrets. */
function createApplication(request: GraphRequest): object {
  const { tenant, body, permissions } = request;
  permissions.requireCreate();
  const displayName = nameIn(body);
  const attributes = merge({ signInAudience: EVERY_ACCOUNT }, without(objectAt(body), modelled));
  const version = versionIn(body);
  const application = tenant.applications.create({
    displayName,
    appRoles: appRolesIn(body),
    identifierUris: urisIn(body),
    requestedAccessTokenVersion: version === undefined ? defaultVersion(attributes) : version,
    owners: newOwners(request),
    attributes,
  });
  const secrets = listAt(body, "passwordCredentials").map((each) => {
    const { credential, secretText } = application.passwords.add(newPasswordIn(each));
    return [credential.keyId, secretText] as const;
  });
  return applicationAnswer(application, new Map(secrets));
}

/** The audience of an application that is created without one. */
const EVERY_ACCOUNT = "AzureADandPersonalMicrosoftAccount";

/** Personal accounts need tokens of version 2. */
function defaultVersion({ signInAudience }: Readonly<Record<string, unknown>>): 2 | null {
  return asText(signInAudience).endsWith("PersonalMicrosoftAccount") ? 2 : null;
}

function newPasswordIn(credential: unknown): NewPassword {
  const startDateTime = textAt(credential, "startDateTime");
  const endDateTime = textAt(credential, "endDateTime");
  if (startDateTime && endDateTime && Date.parse(endDateTime) <= Date.parse(startDateTime)) {
    throw badRequest(
      "Invalid value specified for property 'endDateTime' of resource 'PasswordCredential'.",
    );
  }
  return { displayName: textAt(credential, "displayName"), startDateTime, endDateTime };
}

/** Applies the body of a PATCH to an application. */
function changeApplication(application: Application, body: unknown, tenant: Tenant): void {
  const roles = appRolesIn(body);
  const uris = urisIn(body);
  if (roles) tenant.applications.setAppRoles(application, roles);
  if (uris) tenant.applications.setIdentifierUris(application, uris);
  if (field(body, "displayName") !== undefined) application.displayName = nameIn(body);
  const version = versionIn(body);
  if (version !== undefined) application.requestedAccessTokenVersion = version;
  if (isObject(body))
    application.attributes = merge(application.attributes, without(body, modelled));
}

/** An application as Graph shows it, with every field that clients expect. */
export function applicationAnswer(application: Application, secrets: NewSecrets = new Map()) {
  const { objectId, clientId, displayName, identifierUris, appRoles, attributes } = application;
  return {
    ...merge(unwrittenApplication, without(attributes, [FEDERATED_CREDENTIALS])),
    "@odata.type": "#microsoft.graph.application",
    id: objectId,
    appId: clientId,
    createdDateTime: application.createdDateTime,
    displayName,
    identifierUris,
    api: {
      ...objectAt(unwrittenApplication, "api"),
      ...objectAt(attributes, "api"),
      requestedAccessTokenVersion: application.requestedAccessTokenVersion,
    },
    appRoles: appRoles.map(appRoleAnswer),
    // Graph never shows a key again.
    keyCredentials: listAt(attributes, "keyCredentials").map((each) => ({
      ...objectAt(each),
      key: null,
    })),
    ...(isObject(attributes.optionalClaims) && {
      optionalClaims: claimsAnswer(attributes.optionalClaims),
    }),
    passwordCredentials: passwordAnswers(application, secrets),
  };
}

export function passwordAnswers(
  { passwords }: Pick<Application, "passwords">,
  secrets: NewSecrets = new Map(),
) {
  return passwords.list().map((each) => passwordAnswer(each, secrets.get(each.keyId)));
}

function passwordAnswer(credential: PasswordCredential, secretText: string | null = null) {
  return { customKeyIdentifier: null, ...credential, secretText };
}

/** Optional claims with the fields that were not written. */
function claimsAnswer(claims: Readonly<Record<string, unknown>>): object {
  const defaults = { additionalProperties: [], source: null };
  return Object.fromEntries(
    Object.keys(claims).map((token) => [
      token,
      listAt(claims, token).map((claim) => withDefaults(claim, defaults)),
    ]),
  );
}

function nameIn(body: unknown): string {
  const name = requiredText(body, "displayName");
  if (name.length <= 256) return name;
  throw badRequest("Invalid value specified for property 'displayName' of resource 'Application'.");
}

function urisIn(body: unknown): string[] | undefined {
  const uris = field(body, "identifierUris");
  if (!Array.isArray(uris)) return undefined;
  const texts = uris.map(asText);
  if (new Set(texts).size < texts.length) {
    throw badRequest("Request contains a property with duplicate values.");
  }
  if (!texts.every((uri) => URL.canParse(uri))) {
    throw badRequest(
      "Invalid value specified for property 'identifierUris' of resource 'Application'.",
    );
  }
  const other = texts.find((uri) => /^https?:/i.test(uri) && !isVerified(uri));
  if (other === undefined) return texts;
  throw badRequest(
    `Values of identifierUris property must use a verified domain of the organization or its subdomain: '${other}'`,
    "Request_BadRequest",
    { details: [{ code: "HostNameNotOnVerifiedDomain", target: "identifierUris" }] },
  );
}

/** The tenant's only domain is the one that it was created with. */
function isVerified(uri: string): boolean {
  const host = URL.canParse(uri) ? new URL(uri).hostname : "";
  return host === DOMAIN || host.endsWith(`.${DOMAIN}`);
}

function versionIn(body: unknown): 1 | 2 | null | undefined {
  const version = field(body, "api", "requestedAccessTokenVersion");
  if (version === undefined || version === null || version === 1 || version === 2) return version;
  throw badRequest("Property api.requestedAccessTokenVersion must be 1, 2 or null.");
}

/** @see https://learn.microsoft.com/graph/api/resources/approle#properties */
const ROLE_VALUE = /^([!-\-/-~][!-~]{0,119})?$/;

/** The app roles in a request; `undefined` if it has none. */
function appRolesIn(body: unknown): AppRole[] | undefined {
  const roles = field(body, "appRoles");
  if (!Array.isArray(roles)) return undefined;
  return roles.map((role: unknown) => {
    const id = textAt(role, "id");
    const types = listAt(role, "allowedMemberTypes");
    if (id === undefined || types.length === 0) {
      throw badRequest("Property appRoles needs an id and allowedMemberTypes in each role.");
    }
    const value = textOrEmpty(role, "value");
    if (!ROLE_VALUE.test(value)) {
      throw badRequest(`Property appRoles.value has a character that is not allowed: '${value}'.`);
    }
    return {
      id: id.toLowerCase(),
      value,
      displayName: textOrEmpty(role, "displayName"),
      description: textOrEmpty(role, "description"),
      allowedMemberTypes: types.filter((type) => type === "Application" || type === "User"),
      isEnabled: field(role, "isEnabled") !== false,
    };
  });
}

export function appRoleAnswer(role: AppRole) {
  return { ...role, value: role.value || null, origin: "Application" };
}
