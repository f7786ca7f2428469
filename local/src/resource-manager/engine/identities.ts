import {
  isObject,
  isQualified,
  objectAt,
  type ServiceError,
  sameScope,
  serviceError,
  textAt,
} from "../../base/index.js";
import type { Resource } from "./resource-type.js";
import type { ResourceState } from "./resources.js";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Checks the identity that a resource is written with, in Azure's words as they were reported.
 * Identities in groups that are not here may be elsewhere.
 *
 * @see https://github.com/Azure/bicep/issues/6541
 * @see https://github.com/Azure/azure-rest-api-specs/issues/17650
 * @see https://github.com/Azure/azure-cli/issues/25401
 * @throws ServiceError 400
 */
export function checkIdentity(
  { identities, resources }: ResourceState,
  resourceId: string,
  wanted: unknown,
  before: Resource | undefined,
): void {
  const type = textAt(wanted, "type") ?? "None";
  const ids = Object.keys(objectAt(wanted, "userAssignedIdentities"));
  const isUserAssigned = /UserAssigned/i.test(type);
  if (isUserAssigned && ids.length === 0) {
    const message = `The identity ids must not be null or empty for '${type}' identity type.`;
    throw serviceError.MissingIdentityIds(message);
  }
  if (!isUserAssigned && ids.length > 0) {
    throw failed(
      resourceId,
      "The request format was unexpected, a non-UserAssigned identity type should not contain: userAssignedIdentities",
    );
  }
  const known = Object.keys(objectAt(before?.body, "identity", "userAssignedIdentities"));
  for (const id of ids) {
    if (!isQualified(id)) {
      throw serviceError.LinkedInvalidPropertyId(
        `Property id '${id}' at path '' is invalid. Expect fully qualified resource Id that start with '/subscriptions/{subscriptionId}' or '/providers/{resourceProviderNamespace}/'.`,
      );
    }
    if (!resources.hasGroupOf(id) || identities.userAssignedPrincipal(id) !== undefined) continue;
    if (!known.some((each) => sameScope(each, id))) {
      throw failed(resourceId, `Resource '${id}' was not found.`);
    }
  }
}

/**
 * The fields of a PATCH, in whose identity null stands for a user-assigned identity to remove. The
 * resource keeps its others.
 *
 * @see https://learn.microsoft.com/entra/identity/managed-identities-azure-resources/qs-configure-rest-vm
 */
export function withoutRemoved(fields: Fields, before: Resource): Fields {
  const { identity } = fields;
  const changes = Object.entries(objectAt(identity, "userAssignedIdentities"));
  const removed = changes.filter(([, each]) => each === null).map(([id]) => id);
  if (removed.length === 0 || !isObject(identity)) return fields;
  const isUserAssigned = /UserAssigned/i.test(String(textAt(identity, "type")));
  const current = objectAt(before.body, "identity", "userAssignedIdentities");
  const ids = [...Object.entries(isUserAssigned ? current : {}), ...changes].filter(
    ([id]) => !removed.some((each) => sameScope(each, id)),
  );
  return { ...fields, identity: { ...identity, userAssignedIdentities: Object.fromEntries(ids) } };
}

function failed(resourceId: string, message: string): ServiceError {
  const response = JSON.stringify({ error: { code: "BadRequest", message } });
  return serviceError.FailedIdentityOperation(
    `Identity operation for resource '${resourceId}' failed with error 'Failed to perform resource identity operation. Status: 'BadRequest'. Response: '${response}'.'.`,
  );
}
