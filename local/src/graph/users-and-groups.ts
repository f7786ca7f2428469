import { textAt } from "../base/index.js";
import type { UserOrGroup } from "../directory/index.js";
import type { ReadableSet } from "./object-set.js";

export const DOMAIN = "local.onmicrosoft.com";

/** Users or groups, with their object IDs. Code and configuration files declare them. */
export function usersOrGroups(type: UserOrGroup["type"]): ReadableSet<[string, UserOrGroup]> {
  return {
    path: type === "User" ? "users" : "groups",
    kind: type,
    list: ({ tenant }) => [...tenant.usersAndGroups].filter(([, each]) => each.type === type),
    matches: ([objectId, userOrGroup], id) => {
      const name = textAt(userOrGroupAnswer(objectId, userOrGroup), "userPrincipalName");
      return [objectId, name?.toLowerCase()].includes(id.toLowerCase());
    },
    answer: (userOrGroup) => userOrGroupAnswer(...userOrGroup),
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

export function userOrGroupAnswer(id: string, { displayName, type }: UserOrGroup): object {
  const name = displayName.toLowerCase().replaceAll(/[^a-z0-9]+/g, ".");
  const defaults =
    type === "User"
      ? { ...NO_CONTACT, userPrincipalName: `${name}@${DOMAIN}`, accountEnabled: true }
      : { mailNickname: name, mailEnabled: false, securityEnabled: true, groupTypes: [] };
  return {
    "@odata.type": `#microsoft.graph.${type.toLowerCase()}`,
    ...defaults,
    id,
    displayName,
  };
}
