import { nameIn, parentOf, type ServiceError, serviceError } from "../../base/index.js";

/** The error for a resource that does not exist. */
export function resourceNotFound(id: string): ServiceError {
  const match = /\/resourceGroups\/([^/]*)\/providers\/(.*)/i.exec(id);
  const what = match
    ? `'${match[2]}' under resource group '${match[1]}'`
    : `'${id.split("/providers/")[1] ?? id}'`;
  return serviceError.ResourceNotFound(
    `The Resource ${what} was not found. For more details please go to https://aka.ms/ARMResourceNotFoundFix`,
  );
}

/** Resource Manager itself refuses the request, without asking the service. */
export const FROM_GATEWAY = { headers: { "x-ms-failure-cause": "gateway" } };

/** The error for a resource group that does not exist. */
export function groupNotFound(id: string): ServiceError {
  return serviceError.ResourceGroupNotFound(
    `Resource group '${nameIn(id)}' could not be found.`,
    FROM_GATEWAY,
  );
}

/** The error for a namespace that no provider has. */
export function namespaceNotFound(namespace: string): ServiceError {
  return serviceError.InvalidResourceNamespace(`The resource namespace '${namespace}' is invalid.`);
}

/** The error for a resource whose parent does not exist. Resource Manager has two texts. */
export function parentNotFound(action: Action, id: string): ServiceError {
  const parent = parentOf(id);
  const [, ...segments] = id.slice(id.lastIndexOf("/providers/")).split("/").slice(2);
  const type = segments.filter((_, index) => index % 2 === 0).join("/");
  const message =
    action === "delete"
      ? `Can not perform requested operation on nested resource. Parent resource '${nameIn(parent)}' not found.`
      : `Failed to perform '${action}' on resource(s) of type '${type}', because the parent resource '${parent}' could not be found.`;
  return serviceError.ParentResourceNotFound(message);
}

/** The operation that a request performs on a resource. */
export type Action = "read" | "write" | "delete";
