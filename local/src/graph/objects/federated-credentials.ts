import { randomUUID } from "node:crypto";
import { isObject, listAt, objectAt, serviceError } from "../../base/index.js";
import type { Application } from "../../directory/index.js";
import { badRequest, requiredText } from "../graph-errors.js";
import { find, findToChange, type ObjectSet } from "../object-set.js";
import { applications, credentialsOf, FEDERATED_CREDENTIALS } from "./applications.js";

interface Credential {
  readonly application: Application;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** @see https://learn.microsoft.com/graph/api/resources/federatedidentitycredential */
export const federatedCredentials: ObjectSet<Credential> = {
  path: `applications/:id/${FEDERATED_CREDENTIALS}`,
  key: "credential",
  kind: "FederatedIdentityCredential",
  list: (request) => {
    const application = find(applications, request);
    return credentialsOf(application).map((fields) => ({ application, fields }));
  },
  matches: ({ fields: { id, name } }, idOrName) => id === idOrName || name === idOrName,
  answer: ({ fields }) => fields,
  ownersOf: ({ application }) => application.owners,
  create: (request) => {
    const application = findToChange(applications, request);
    const fields = { description: null, ...objectAt(request.body), id: randomUUID() };
    check({ application, fields });
    store(application, [...credentialsOf(application), fields]);
    return fields;
  },
  change: ({ application, fields: before }, body) => {
    const { id, name } = before;
    const fields = { ...before, ...objectAt(body), id, name };
    check({ application, fields });
    store(
      application,
      credentialsOf(application).map((each) => (each.id === id ? fields : each)),
    );
  },
  remove: ({ application, fields }) =>
    store(
      application,
      credentialsOf(application).filter(({ id }) => id !== fields.id),
    ),
};

function store(application: Application, credentials: readonly Credential["fields"][]): void {
  application.attributes = { ...application.attributes, [FEDERATED_CREDENTIALS]: credentials };
}

/**
 * The codes were reported: https://github.com/Azure/azure-dev/issues/1482 and
 * https://github.com/Azure/azure-workload-identity/issues/434.
 *
 * @throws ServiceError 400 if a property is missing, or another one has its subject; 409 for its name
 */
function check({ application, fields }: Credential): void {
  // Those of the beta may have an expression instead of a subject.
  const isFlexible = isObject(fields.claimsMatchingExpression);
  const required = ["name", "issuer", ...(isFlexible ? [] : ["subject"])];
  for (const name of required) requiredText(fields, name);
  if (listAt(fields, "audiences").length !== 1) {
    throw badRequest("Property audiences must have exactly one value.");
  }
  const others = credentialsOf(application).filter(({ id }) => id !== fields.id);
  if (others.some(({ name }) => name === fields.name)) {
    throw serviceError.Request_MultipleObjectsWithSameKeyValue(
      `FederatedIdentityCredential with name ${fields.name} already exists.`,
    );
  }
  const { issuer, subject } = fields;
  if (!isFlexible && others.some((each) => each.issuer === issuer && each.subject === subject)) {
    throw badRequest(
      `The combination of issuer and subject must be unique for the application. Issuer ${issuer} and Subject: ${subject} already exist.`,
      "InvalidFederatedIdentityCredentialValue",
    );
  }
}
