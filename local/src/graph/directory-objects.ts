import { randomUUID } from "node:crypto";
import type { Caller, Router } from "../api/index.js";
import { listAt, objectAt, textAt } from "../base/index.js";
import type { Tenant, UserOrGroup } from "../directory/index.js";
import { applicationAnswer } from "./applications.js";
import { notFound, requiredText } from "./graph-errors.js";
import type { ObjectSet } from "./object-set.js";
import type { Permissions } from "./permissions.js";
import { selected } from "./query.js";
import { servicePrincipalAnswer } from "./service-principals.js";

/** Objects of any kind by their IDs, and the organization. */
export function addDirectoryObjectRoutes(router: Router, permissions: Permissions): void {
  router.get("/:version/directoryObjects/:id", ({ caller, query }, parameter) => {
    const found = objectOf(permissions.toRead(caller), parameter("id"));
    if (!found) throw notFound(parameter("id"));
    return selected(found, query);
  });
  router.on("POST", "/:version/directoryObjects/getByIds", ({ caller, body }) => {
    const tenant = permissions.toRead(caller);
    const value = listAt(body, "ids").flatMap((id) => objectOf(tenant, String(id)) ?? []);
    return { status: 200, body: { value } };
  });
  router.get("/:version/organization", ({ caller }) => {
    const { id } = permissions.toRead(caller);
    const verifiedDomains = [{ name: DOMAIN, isDefault: true, isInitial: true, type: "Managed" }];
    return { value: [{ id, displayName: "Local directory", verifiedDomains }] };
  });
}

const DOMAIN = "local.onmicrosoft.com";

/** Users or groups, with their object IDs. */
export function usersOrGroups(
  permissions: Permissions,
  type: UserOrGroup["type"],
): ObjectSet<[string, UserOrGroup]> {
  const toChange = (caller: Caller) => permissions.toChange(caller, new Set());
  return {
    path: type === "User" ? "users" : "groups",
    list: ({ usersAndGroups }) => [...usersAndGroups].filter(([, each]) => each.type === type),
    matches: ([objectId, userOrGroup], id) => {
      const name = textAt(userOrGroupAnswer(objectId, userOrGroup), "userPrincipalName");
      return [objectId, name?.toLowerCase()].includes(id.toLowerCase());
    },
    answer: (_, userOrGroup) => userOrGroupAnswer(...userOrGroup),
    toChange,
    create: ({ caller, body }) => {
      const tenant = toChange(caller);
      const displayName = requiredText(body, "displayName");
      const { passwordProfile: _, ...attributes } = objectAt(body);
      const objectId = randomUUID();
      const userOrGroup = { displayName, type, attributes };
      tenant.usersAndGroups.set(objectId, userOrGroup);
      return userOrGroupAnswer(objectId, userOrGroup);
    },
    change: (tenant, [id, userOrGroup], body) => {
      const displayName = textAt(body, "displayName") ?? userOrGroup.displayName;
      const { passwordProfile: _, ...changes } = objectAt(body);
      const attributes = { ...userOrGroup.attributes, ...changes };
      tenant.usersAndGroups.set(id, { ...userOrGroup, displayName, attributes });
    },
    remove: (tenant, [id]) => void tenant.usersAndGroups.delete(id),
  };
}

function objectOf(tenant: Tenant, objectId: string): object | undefined {
  const principal = tenant.servicePrincipals.get(objectId);
  if (principal) return servicePrincipalAnswer(tenant, principal);
  const application = tenant.applications.get(objectId);
  if (application) return applicationAnswer(application);
  const userOrGroup = tenant.usersAndGroups.get(objectId.toLowerCase());
  return userOrGroup && userOrGroupAnswer(objectId.toLowerCase(), userOrGroup);
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

function userOrGroupAnswer(id: string, { displayName, type, attributes }: UserOrGroup): object {
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
