import { ServiceError, textAt } from "../base/index.js";

export function notFound(objectId: string): ServiceError {
  return new ServiceError(
    404,
    "Request_ResourceNotFound",
    `Resource '${objectId}' does not exist or one of its queried reference-property objects are not present.`,
  );
}

export function badRequest(message: string): ServiceError {
  return new ServiceError(400, "Request_BadRequest", message);
}

/** @throws ServiceError 400 if the body has no text of this name */
export function requiredText(body: unknown, name: string): string {
  const value = textAt(body, name);
  if (value) return value;
  throw badRequest(`A value is required for property '${name}'.`);
}
