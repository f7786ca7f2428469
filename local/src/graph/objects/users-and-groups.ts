import { randomUUID } from "node:crypto";
import { field, listAt, objectAt, textAt } from "../../base/index.js";
import type { UserOrGroup } from "../../directory/index.js";
import { merge } from "../attributes.js";
import { badRequest, requiredText } from "../graph-errors.js";
import type { GraphRequest } from "../graph-router.js";
import type { ObjectSet, ReadableSet } from "../object-set.js";

export const DOMAIN = "local.onmicrosoft.com";

/** An object with its object ID. */
type Entry = readonly [objectId: string, userOrGroup: UserOrGroup];

/** Users or groups that code, configuration files or requests declare. */
function setOf(type: UserOrGroup["type"]): ReadableSet<Entry> {
  return {
    path: type === "User" ? "users" : "groups",
    kind: type,
    list: ({ tenant }) => [...tenant.usersAndGroups].filter(([, each]) => each.type === type),
    matches: ([objectId, userOrGroup], id) => {
      const name = textAt(userOrGroupAnswer(objectId, userOrGroup), "userPrincipalName");
      return [objectId, name?.toLowerCase()].includes(id.toLowerCase());
    },
    answer: (entry) => userOrGroupAnswer(...entry),
  };
}

export const users = setOf("User");

/** Groups. Requests do not change their members. */
export const groups: ObjectSet<Entry> = {
  ...setOf("Group"),
  requireChange: ({ permissions }) => permissions.requireGroups(),
  create: (request) => {
    request.permissions.requireGroups();
    requireGroupProperties(request);
    const id = randomUUID();
    const { displayName, ...attributes } = objectAt(request.body);
    const group = { displayName: String(displayName), type: "Group", attributes } as const;
    request.tenant.usersAndGroups.set(id, group);
    return userOrGroupAnswer(id, group);
  },
  change: ([id, group], body, tenant) => {
    const { displayName = group.displayName, ...attributes } = objectAt(body);
    tenant.usersAndGroups.set(id, {
      ...group,
      displayName: String(displayName),
      attributes: merge(group.attributes ?? {}, attributes),
    });
  },
  remove: ([id], tenant) => {
    tenant.appRoleAssignments.deleteOf(id);
    tenant.usersAndGroups.delete(id);
  },
};

/**
 * @see https://learn.microsoft.com/graph/api/group-post-groups#request-body
 * @throws ServiceError 400
 */
function requireGroupProperties({ body }: GraphRequest): void {
  requiredText(body, "displayName");
  requiredText(body, "mailNickname");
  for (const name of ["mailEnabled", "securityEnabled"]) {
    if (field(body, name) == null) throw badRequest(`A value is required for property '${name}'.`);
  }
  const isUnified = listAt(body, "groupTypes").includes("Unified");
  if (field(body, "mailEnabled") === isUnified) return;
  throw badRequest(
    "Invalid value specified for property 'mailEnabled' of resource 'Group': only Microsoft 365 groups, with 'Unified' in groupTypes, are mail-enabled.",
  );
}

const NO_CONTACT = {
  businessPhones: [],
  givenName: null,
  jobTitle: null,
  mail: null,
  mobilePhone: null,
  officeLocation: null,
  preferredLanguage: null,
  surname: null,
};

export function userOrGroupAnswer(id: string, userOrGroup: UserOrGroup): object {
  const { displayName, type, attributes } = userOrGroup;
  const name = displayName.toLowerCase().replaceAll(/[^a-z0-9]+/g, ".");
  const defaults =
    type === "User"
      ? { ...NO_CONTACT, userPrincipalName: `${name}@${DOMAIN}`, accountEnabled: true }
      : { mailNickname: name, mailEnabled: false, securityEnabled: true, groupTypes: [] };
  return {
    "@odata.type": `#microsoft.graph.${type.toLowerCase()}`,
    ...defaults,
    ...attributes,
    id,
    displayName,
  };
}

/** The tenant has the domain that it was created with. */
export const domains: ReadableSet<object> = {
  path: "domains",
  kind: "Domain",
  list: () => [DOMAIN_ANSWER],
  matches: (_, id) => id.toLowerCase() === DOMAIN,
  answer: (domain) => domain,
};

const DOMAIN_ANSWER = {
  "@odata.type": "#microsoft.graph.domain",
  id: DOMAIN,
  authenticationType: "Managed",
  availabilityStatus: null,
  isAdminManaged: true,
  isDefault: true,
  isInitial: true,
  isRoot: true,
  isVerified: true,
  passwordNotificationWindowInDays: 14,
  passwordValidityPeriodInDays: 2_147_483_647,
  state: null,
  supportedServices: ["Email", "OfficeCommunicationsOnline"],
};
