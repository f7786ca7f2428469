import { ServiceError } from "../base/index.js";

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
