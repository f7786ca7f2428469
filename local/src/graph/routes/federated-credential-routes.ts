import { randomUUID } from "node:crypto";
import type { Router } from "../../api/index.js";
import { listAt, objectAt, textAt } from "../../base/index.js";
import type { Application, Tenant } from "../../directory/index.js";
import { FEDERATED_CREDENTIALS } from "../bodies/index.js";
import { badRequest, notFound } from "../graph-errors.js";
import type { Permissions } from "../permissions.js";
import { listAnswer, selected } from "../query.js";

type Credential = Readonly<Record<string, unknown>>;

/** @see https://learn.microsoft.com/graph/api/resources/federatedidentitycredential */
export function addFederatedCredentialRoutes(
  router: Router,
  permissions: Permissions,
  findApplication: (tenant: Tenant, objectId: string) => Application,
): void {
  const path = `/:version/applications/:id/${FEDERATED_CREDENTIALS}`;
  const find = (application: Application, idOrName: string): Credential => {
    const found = credentialsOf(application).find(
      ({ id, name }) => id === idOrName || name === idOrName,
    );
    if (found) return found;
    throw notFound(idOrName);
  };

  router.on("GET", path, ({ caller, query, origin, path: requested }, parameter) => {
    const application = findApplication(permissions.toRead(caller), parameter("id"));
    const body = listAnswer(credentialsOf(application), query, `${origin}${requested}`);
    return { status: 200, body };
  });
  router.on("POST", path, ({ caller, body }, parameter) => {
    const application = findApplication(permissions.toRead(caller), parameter("id"));
    permissions.toChange(caller, application.owners);
    const credential = { description: null, ...objectAt(body), id: randomUUID() };
    store(application, [...credentialsOf(application), checked(credential, application)]);
    return { status: 201, body: credential };
  });
  router.on("GET", `${path}/:credential`, ({ caller, query }, parameter) => {
    const application = findApplication(permissions.toRead(caller), parameter("id"));
    return { status: 200, body: selected(find(application, parameter("credential")), query) };
  });
  router.on("PATCH", `${path}/:credential`, ({ caller, body }, parameter) => {
    const application = findApplication(permissions.toRead(caller), parameter("id"));
    permissions.toChange(caller, application.owners);
    const before = find(application, parameter("credential"));
    const { id, name } = before;
    const changed = checked({ ...before, ...objectAt(body), id, name }, application);
    const replaced = credentialsOf(application).map((each) => (each === before ? changed : each));
    store(application, replaced);
    return { status: 204 };
  });
  router.on("DELETE", `${path}/:credential`, ({ caller }, parameter) => {
    const application = findApplication(permissions.toRead(caller), parameter("id"));
    permissions.toChange(caller, application.owners);
    const removed = find(application, parameter("credential"));
    store(
      application,
      credentialsOf(application).filter((each) => each !== removed),
    );
    return { status: 204 };
  });
}

export function credentialsOf({ attributes }: Application): Credential[] {
  return listAt(attributes, FEDERATED_CREDENTIALS).map((each) => objectAt(each));
}

function store(application: Application, credentials: readonly Credential[]): void {
  application.attributes = { ...application.attributes, [FEDERATED_CREDENTIALS]: credentials };
}

/** @throws ServiceError 400 if a property is missing, or another one has its name or its subject */
function checked<T extends Credential>(credential: T, application: Application): T {
  for (const name of ["name", "issuer", "subject"]) {
    if (!textAt(credential, name)) throw badRequest(`A value is required for property '${name}'.`);
  }
  if (listAt(credential, "audiences").length !== 1) {
    throw badRequest("Property audiences must have exactly one value.");
  }
  const others = credentialsOf(application).filter(({ id }) => id !== credential.id);
  if (others.some(({ name }) => name === credential.name)) {
    throw badRequest(`FederatedIdentityCredential with name ${credential.name} already exists.`);
  }
  const { issuer, subject } = credential;
  if (others.some((each) => each.issuer === issuer && each.subject === subject)) {
    throw badRequest(
      "FederatedIdentityCredential with the same issuer and subject already exists.",
    );
  }
  return credential;
}
