import { randomUUID } from "node:crypto";
import { objectAt, textAt } from "../base/index.js";
import type { UserOrGroup } from "../directory/index.js";
import { requiredText } from "./graph-errors.js";
import type { ObjectSet } from "./object-set.js";

export const DOMAIN = "local.onmicrosoft.com";

/** Users or groups, with their object IDs. */
export function usersOrGroups(type: UserOrGroup["type"]): ObjectSet<[string, UserOrGroup]> {
  return {
    path: type === "User" ? "users" : "groups",
    list: ({ tenant }) => [...tenant.usersAndGroups].filter(([, each]) => each.type === type),
    matches: ([objectId, userOrGroup], id) => {
      const name = textAt(userOrGroupAnswer(objectId, userOrGroup), "userPrincipalName");
      return [objectId, name?.toLowerCase()].includes(id.toLowerCase());
    },
    answer: (userOrGroup) => userOrGroupAnswer(...userOrGroup),
    create: ({ tenant, body, permissions }) => {
      permissions.requireChange();
      const displayName = requiredText(body, "displayName");
      const { passwordProfile: _, ...attributes } = objectAt(body);
      const objectId = randomUUID();
      const userOrGroup = { displayName, type, attributes };
      tenant.usersAndGroups.set(objectId, userOrGroup);
      return userOrGroupAnswer(objectId, userOrGroup);
    },
    change: ([id, userOrGroup], body, tenant) => {
      const displayName = textAt(body, "displayName") ?? userOrGroup.displayName;
      const { passwordProfile: _, ...changes } = objectAt(body);
      const attributes = { ...userOrGroup.attributes, ...changes };
      tenant.usersAndGroups.set(id, { ...userOrGroup, displayName, attributes });
    },
    remove: ([id], tenant) => void tenant.usersAndGroups.delete(id),
  };
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

export function userOrGroupAnswer(
  id: string,
  { displayName, type, attributes }: UserOrGroup,
): object {
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
