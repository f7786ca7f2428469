import type { IncomingMessage } from "node:http";
import { ServiceError } from "../errors.js";
import { readBody } from "../http/index.js";

/** Resource Manager takes templates of 4 MB; nothing that is sent to it is larger. */
const LARGEST_BODY = 4 * 1024 * 1024;

/** Far more than any request has; what is deeper could not be written out again. */
const DEEPEST = 100;

/**
 * The request's JSON body; `undefined` when it is empty.
 * @throws ServiceError when it is too large (413), or no JSON or nested too deep (400).
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
  const parsed = parse(body.toString("utf8"));
  if (isDeeper(parsed, DEEPEST)) {
    throw invalid(`It is nested deeper than ${DEEPEST} levels.`);
  }
  return parsed;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid();
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  let level = [value];
  for (let depth = 0; depth <= levels && level.length > 0; depth++) {
    level = level.flatMap((each) =>
      typeof each === "object" && each !== null ? Object.values(each) : [],
    );
  }
  return level.length > 0;
}

function invalid(detail = ""): ServiceError {
  const message = "The request content was invalid and could not be deserialized.";
  return new ServiceError(400, "InvalidRequestContent", `${message} ${detail}`.trim());
}
