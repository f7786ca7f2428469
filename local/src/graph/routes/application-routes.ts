import type { Router } from "../../api/index.js";
import { field, textAt } from "../../base/index.js";
import type { Tenant } from "../../directory/index.js";
import {
  applicationAnswer,
  changeApplication,
  createApplication,
  FEDERATED_CREDENTIALS,
  newPasswordIn,
  passwordAnswer,
} from "../bodies/index.js";
import { badRequest, notFound } from "../graph-errors.js";
import type { Permissions } from "../permissions.js";
import { listAnswer, type Relationships, selected } from "../query.js";
import { addFederatedCredentialRoutes, credentialsOf } from "./federated-credential-routes.js";
import { addOwnerRoutes, ownersAnswer, ownersIn } from "./owner-routes.js";

/** Application registrations, with their secrets and owners. */
export function addApplicationRoutes(router: Router, permissions: Permissions): void {
  const path = "/:version/applications";
  const find = (tenant: Tenant, objectId: string) => {
    const application = tenant.applications.get(objectId);
    if (application) return application;
    throw notFound(objectId);
  };

  const relationshipsIn = (tenant: Tenant): Relationships => ({
    owners: (objectId) => ownersAnswer(tenant, find(tenant, objectId)),
    [FEDERATED_CREDENTIALS]: (objectId) => credentialsOf(find(tenant, objectId)),
  });

  router.on("GET", path, ({ caller, query, origin, path: requested }) => {
    const tenant = permissions.toRead(caller);
    const all = tenant.applications.list().map((each) => applicationAnswer(each));
    const body = listAnswer(all, query, `${origin}${requested}`, relationshipsIn(tenant));
    return { status: 200, body };
  });
  router.on("POST", path, ({ caller, body }) => {
    const tenant = permissions.toCreate(caller);
    const owners = ownersIn(body);
    if (permissions.ownsOnly(caller)) owners.push(caller.objectId);
    const { application, secrets } = createApplication(tenant, body, owners);
    return { status: 201, body: applicationAnswer(application, secrets) };
  });
  router.on("GET", `${path}/:id`, ({ caller, query }, parameter) => {
    const tenant = permissions.toRead(caller);
    const answer = applicationAnswer(find(tenant, parameter("id")));
    return { status: 200, body: selected(answer, query, relationshipsIn(tenant)) };
  });
  router.on("PATCH", `${path}/:id`, ({ caller, body }, parameter) => {
    const application = find(permissions.toRead(caller), parameter("id"));
    changeApplication(permissions.toChange(caller, application.owners), application, body);
    return { status: 204 };
  });
  router.on("DELETE", `${path}/:id`, ({ caller }, parameter) => {
    const application = find(permissions.toRead(caller), parameter("id"));
    permissions.toChange(caller, application.owners).deleteApplication(application.objectId);
    return { status: 204 };
  });

  router.on("POST", `${path}/:id/addPassword`, ({ caller, body }, parameter) => {
    const application = find(permissions.toRead(caller), parameter("id"));
    permissions.toChange(caller, application.owners);
    const password = newPasswordIn(field(body, "passwordCredential"));
    const { credential, secretText } = application.passwords.add(password);
    return { status: 200, body: passwordAnswer(credential, secretText) };
  });
  router.on("POST", `${path}/:id/removePassword`, ({ caller, body }, parameter) => {
    const application = find(permissions.toRead(caller), parameter("id"));
    permissions.toChange(caller, application.owners);
    if (!application.passwords.remove(textAt(body, "keyId") ?? "")) {
      throw badRequest("No password credential found with keyId.");
    }
    return { status: 204 };
  });

  addFederatedCredentialRoutes(router, permissions, find);
  addOwnerRoutes(router, "applications", permissions, find);
}
