import { randomUUID } from "node:crypto";
import { listAt, objectAt } from "../base/index.js";
import type { Application, Tenant } from "../directory/index.js";
import { badRequest, requiredText } from "./graph-errors.js";
import type { ObjectSet } from "./object-set.js";
import type { Permissions } from "./permissions.js";

/** The attribute of applications, which Graph shows on paths of its own only. */
export const FEDERATED_CREDENTIALS = "federatedIdentityCredentials";

interface Credential {
  readonly application: Application;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** @see https://learn.microsoft.com/graph/api/resources/federatedidentitycredential */
export function federatedCredentials(
  permissions: Permissions,
  findApplication: (tenant: Tenant, objectId: string) => Application,
): ObjectSet<Credential> {
  return {
    path: `applications/:id/${FEDERATED_CREDENTIALS}`,
    key: "credential",
    list: (tenant, parameter) => {
      const application = findApplication(tenant, parameter("id"));
      return credentialsOf(application).map((fields) => ({ application, fields }));
    },
    matches: ({ fields: { id, name } }, idOrName) => id === idOrName || name === idOrName,
    answer: (_, { fields }) => fields,
    toChange: (caller, { application }) => permissions.toChange(caller, application.owners),
    create: ({ caller, body }, parameter) => {
      const application = findApplication(permissions.toRead(caller), parameter("id"));
      permissions.toChange(caller, application.owners);
      const fields = { description: null, ...objectAt(body), id: randomUUID() };
      check({ application, fields });
      store(application, [...credentialsOf(application), fields]);
      return fields;
    },
    change: (_, { application, fields: before }, body) => {
      const { id, name } = before;
      const fields = { ...before, ...objectAt(body), id, name };
      check({ application, fields });
      store(
        application,
        credentialsOf(application).map((each) => (each.id === id ? fields : each)),
      );
    },
    remove: (_, { application, fields }) =>
      store(
        application,
        credentialsOf(application).filter(({ id }) => id !== fields.id),
      ),
  };
}

export function credentialsOf({ attributes }: Application): Credential["fields"][] {
  return listAt(attributes, FEDERATED_CREDENTIALS).map((each) => objectAt(each));
}

function store(application: Application, credentials: readonly Credential["fields"][]): void {
  application.attributes = { ...application.attributes, [FEDERATED_CREDENTIALS]: credentials };
}

/** @throws ServiceError 400 if a property is missing, or another one has its name or its subject */
function check({ application, fields }: Credential): void {
  for (const name of ["name", "issuer", "subject"]) requiredText(fields, name);
  if (listAt(fields, "audiences").length !== 1) {
    throw badRequest("Property audiences must have exactly one value.");
  }
  const others = credentialsOf(application).filter(({ id }) => id !== fields.id);
  if (others.some(({ name }) => name === fields.name)) {
    throw badRequest(`FederatedIdentityCredential with name ${fields.name} already exists.`);
  }
  const { issuer, subject } = fields;
  if (others.some((each) => each.issuer === issuer && each.subject === subject)) {
    throw badRequest(
      "FederatedIdentityCredential with the same issuer and subject already exists.",
    );
  }
}
