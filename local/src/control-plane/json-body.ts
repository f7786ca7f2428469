import type { IncomingMessage } from "node:http";
import { ServiceError } from "../errors.js";
import { readBody } from "../http/index.js";

/** Resource Manager takes templates of 4 MB; nothing that is sent to it is larger. */
const LARGEST_BODY = 4 * 1024 * 1024;

/**
 * The request's JSON body; `undefined` when it is empty.
 * @throws ServiceError when it is too large (413) or no JSON (400).
 */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const body = await readBody(request, LARGEST_BODY);
  if (body === undefined) {
    throw new ServiceError(
      413,
      "RequestContentTooLarge",
      `The request content size exceeds the maximum size of '${LARGEST_BODY}' bytes.`,
    );
  }
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw new ServiceError(
      400,
      "InvalidRequestContent",
      "The request content was invalid and could not be deserialized.",
    );
  }
}
