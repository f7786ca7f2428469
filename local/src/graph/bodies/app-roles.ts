import { field, textAt } from "../../base/index.js";
import type { AppRole } from "../../directory/index.js";
import { badRequest } from "../graph-errors.js";

/** The app roles in a request; `undefined` if it has none. */
export function appRolesIn(body: unknown): AppRole[] | undefined {
  const roles = field(body, "appRoles");
  if (!Array.isArray(roles)) return undefined;
  return roles.map((role: unknown) => {
    const id = textAt(role, "id");
    const types = field(role, "allowedMemberTypes");
    if (id === undefined || !Array.isArray(types)) {
      throw badRequest("Property appRoles needs an id and allowedMemberTypes in each role.");
    }
    return {
      id: id.toLowerCase(),
      value: textAt(role, "value") ?? "",
      displayName: textAt(role, "displayName") ?? "",
      description: textAt(role, "description") ?? "",
      allowedMemberTypes: types.filter((type) => type === "Application" || type === "User"),
      isEnabled: field(role, "isEnabled") !== false,
    };
  });
}

export function appRoleAnswer(role: AppRole) {
  return { ...role, value: role.value || null, origin: "Application" };
}
