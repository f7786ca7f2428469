import { randomUUID } from "node:crypto";
import type { ApiRequest, Router } from "../../api/index.js";
import { isObject, listAt, objectAt, ServiceError, textAt } from "../../base/index.js";
import type { Tenant, UserOrGroup } from "../../directory/index.js";
import { applicationAnswer, servicePrincipalAnswer } from "../bodies/index.js";
import { badRequest, notFound } from "../graph-errors.js";
import type { Permissions } from "../permissions.js";
import { listAnswer, selected } from "../query.js";

/** Users, groups, and objects of any kind by their IDs. */
export function addDirectoryObjectRoutes(router: Router, permissions: Permissions): void {
  addUserOrGroupRoutes(router, permissions, "users", "User");
  addUserOrGroupRoutes(router, permissions, "groups", "Group");

  router.on("GET", "/:version/directoryObjects/:id", ({ caller, query }, parameter) => {
    const found = objectOf(permissions.toRead(caller), parameter("id"));
    if (!found) throw notFound(parameter("id"));
    return { status: 200, body: selected(found, query) };
  });
  router.on("POST", "/:version/directoryObjects/getByIds", ({ caller, body }) => {
    const tenant = permissions.toRead(caller);
    const value = listAt(body, "ids").flatMap((id) => objectOf(tenant, String(id)) ?? []);
    return { status: 200, body: { value } };
  });
  router.on("GET", "/:version/organization", ({ caller }) => {
    const { id } = permissions.toRead(caller);
    const verifiedDomains = [{ name: DOMAIN, isDefault: true, isInitial: true, type: "Managed" }];
    const organization = { id, displayName: "Local directory", verifiedDomains };
    return { status: 200, body: { value: [organization] } };
  });
}

const DOMAIN = "local.onmicrosoft.com";

/** Requests of one body, each answered as if it came alone. */
export function addBatchRoute(
  router: Router,
  answer: (request: ApiRequest) => ReturnType<Router["handle"]>,
): void {
  router.on("POST", "/:version/$batch", async (request, parameter) => {
    const responses = await Promise.all(
      listAt(request.body, "requests").map(async (each) => {
        const url = new URL(`/${parameter("version")}${textAt(each, "url") ?? ""}`, request.origin);
        const single = {
          ...request,
          method: textAt(each, "method") ?? "GET",
          path: url.pathname,
          query: url.searchParams,
          body: isObject(each) ? each.body : undefined,
        };
        const { status, body } = await answer(single)
          .then((found) => found ?? notServed(single))
          .catch(errorAnswer);
        return { id: textAt(each, "id"), status, headers: {}, body };
      }),
    );
    return { status: 200, body: { responses } };
  });
}

function notServed({ method, path }: ApiRequest) {
  return errorAnswer(notFound(`${method} ${path}`));
}

function errorAnswer(error: unknown) {
  if (!(error instanceof ServiceError)) throw error;
  return {
    status: error.status,
    body: { error: { code: error.serviceCode, message: error.message } },
  };
}

function addUserOrGroupRoutes(
  router: Router,
  permissions: Permissions,
  collection: string,
  type: UserOrGroup["type"],
): void {
  const path = `/:version/${collection}`;
  const find = (tenant: Tenant, id: string): [string, UserOrGroup] => {
    const wanted = id.toLowerCase();
    const found = [...tenant.usersAndGroups].find(
      ([objectId, userOrGroup]) =>
        userOrGroup.type === type &&
        (objectId === wanted ||
          String(userOrGroup.attributes?.userPrincipalName).toLowerCase() === wanted),
    );
    if (found) return found;
    throw notFound(id);
  };

  router.on("GET", path, ({ caller, query, origin, path: requested }) => {
    const usersAndGroups = [...permissions.toRead(caller).usersAndGroups].filter(
      ([, each]) => each.type === type,
    );
    const answers = usersAndGroups.map(([id, userOrGroup]) => userOrGroupAnswer(id, userOrGroup));
    return { status: 200, body: listAnswer(answers, query, `${origin}${requested}`) };
  });
  router.on("POST", path, ({ caller, body }) => {
    const tenant = permissions.toChange(caller, new Set());
    const displayName = textAt(body, "displayName");
    if (displayName === undefined) {
      throw badRequest("A value is required for property 'displayName'.");
    }
    const { passwordProfile: _, ...attributes } = objectAt(body);
    const objectId = randomUUID();
    const userOrGroup = { displayName, type, attributes };
    tenant.usersAndGroups.set(objectId, userOrGroup);
    return { status: 201, body: userOrGroupAnswer(objectId, userOrGroup) };
  });
  router.on("GET", `${path}/:id`, ({ caller, query }, parameter) => {
    const found = find(permissions.toRead(caller), parameter("id"));
    return { status: 200, body: selected(userOrGroupAnswer(...found), query) };
  });
  router.on("PATCH", `${path}/:id`, ({ caller, body }, parameter) => {
    const tenant = permissions.toChange(caller, new Set());
    const [id, userOrGroup] = find(tenant, parameter("id"));
    const displayName = textAt(body, "displayName") ?? userOrGroup.displayName;
    const { passwordProfile: _, ...changes } = objectAt(body);
    const attributes = { ...userOrGroup.attributes, ...changes };
    tenant.usersAndGroups.set(id, { ...userOrGroup, displayName, attributes });
    return { status: 204 };
  });
  router.on("DELETE", `${path}/:id`, ({ caller }, parameter) => {
    const tenant = permissions.toChange(caller, new Set());
    tenant.usersAndGroups.delete(find(tenant, parameter("id"))[0]);
    return { status: 204 };
  });
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
