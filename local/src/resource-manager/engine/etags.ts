import { createHash } from "node:crypto";
import type { ApiRequest } from "../../api/index.js";
import { ServiceError } from "../../base/index.js";
import type { Resource } from "./resource-type.js";

/** Changes with every change of the resource. */
export function etagOf({ id, location, body }: Resource): string {
  const content = JSON.stringify([id, location, body]);
  return `W/"${createHash("sha256").update(content).digest("hex").slice(0, 32)}"`;
}

/**
 * Checks the conditions of a request.
 *
 * @param current the resource before the request; `undefined` if it does not exist
 * @see https://github.com/Azure/azure-resource-manager-rpc/blob/master/v1.0/Addendum.md#etags-for-resources
 * @throws ServiceError 412 if they do not hold
 */
export function checkConditions(
  { method, headers }: Pick<ApiRequest, "method" | "headers">,
  current: Resource | undefined,
): void {
  const match = headers["if-match"] ?? "";
  if (match !== "" && !matches(match, current) && (current || method === "PUT")) {
    throw preconditionFailed("If-Match", match, current);
  }
  const noneMatch = headers["if-none-match"] ?? "";
  if (noneMatch !== "" && matches(noneMatch, current) && method === "PUT") {
    throw preconditionFailed("If-None-Match", noneMatch, current);
  }
}

/** Whether a list of tags contains the one of the resource. All of Azure's tags are weak. */
function matches(header: string, current: Resource | undefined): boolean {
  if (!current) return false;
  const tags = header.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes("*") || tags.includes(etagOf(current).replace(/^W\//, ""));
}

function preconditionFailed(header: string, value: string, current: Resource | undefined) {
  const state = current ? `its ETag is ${etagOf(current)}` : "the resource does not exist";
  return new ServiceError(
    412,
    "PreconditionFailed",
    `The condition '${header}: ${value}' does not hold: ${state}. Read the resource again.`,
  );
}
