import { ServiceError, serviceError, textAt } from "../base/index.js";

export function notFound(objectId: string): ServiceError {
  return serviceError.Request_ResourceNotFound(
    `Resource '${objectId}' does not exist or one of its queried reference-property objects are not present.`,
  );
}

/** @param code other than that of the directory. OData's parser has one of its own */
export function badRequest(
  message: string,
  code = "Request_BadRequest",
  fields: Readonly<Record<string, unknown>> = {},
): ServiceError {
  return new ServiceError(400, code, message, { fields });
}

/** A query that is well-formed, and that the directory cannot answer. */
export function unsupportedQuery(message: string): ServiceError {
  return badRequest(message, "Request_UnsupportedQuery");
}

/** @throws ServiceError 400 if the body has no text of this name */
export function requiredText(body: unknown, name: string): string {
  const value = textAt(body, name);
  if (value) return value;
  throw badRequest(`A value is required for property '${name}'.`);
}
