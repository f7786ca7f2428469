import {
  CredentialError,
  connectionFailure,
  type HttpResponse,
  readRefusal,
  type Stage,
  sentences,
  viaProxy,
} from "../../transport/index.js";
import type { PublishErrorCode, PublishFailure } from "../errors.js";
import type { Topic } from "../topic.js";

export interface RequestFailure extends PublishFailure {
  /** Whether the topic may have accepted the events nonetheless. */
  readonly ambiguous: boolean;
  /** How long the topic asks to wait. */
  readonly retryAfterMs?: number;
}

/**
 * Reads a response other than 200.
 *
 * @param proxy that the request may have gone through
 */
export function refusal(
  response: HttpResponse,
  topic: Topic,
  proxy: string | undefined,
  now: number,
): RequestFailure {
  const { status } = response;
  const { text, retryAfterMs, ...service } = readRefusal(response, now);
  const retryable = status === 408 || status === 429 || status >= 500;
  const reason = sentences(text || meaning(status), advice(status, topic));
  return {
    code: codeOf(status, retryable),
    message: `[POST] "${topic.endpoint}": ${status} ${reason}`.trimEnd() + viaProxy(proxy),
    status,
    retryable,
    // The topic, or a gateway before it, can fail after accepting the events. A success other than
    // 200 is not documented, so nothing is known.
    ambiguous: status === 408 || status >= 500 || status < 300,
    ...service,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/** Reads the error of an attempt that ended without a response. */
export function noResponse(
  error: unknown,
  { endpoint }: Topic,
  proxy: string | undefined,
  stage: Stage,
): RequestFailure {
  if (error instanceof CredentialError) {
    const { message, cause } = error;
    return {
      code: "ERR_PUBLISH_CREDENTIAL",
      message,
      cause,
      retryable: true,
      ambiguous: false,
    };
  }
  const { message, isLasting } = connectionFailure(error, proxy);
  return {
    code: "ERR_PUBLISH_UNAVAILABLE",
    message: `[POST] "${endpoint}": ${message}`,
    retryable: !isLasting,
    ambiguous: stage === "response",
    cause: error,
  };
}

/** @param credential the origin of the header, for the message */
export function attemptTimeout(
  { endpoint }: Topic,
  credential: string,
  timeoutMs: number,
  stage: Stage,
): RequestFailure {
  if (stage === "credential") {
    const message = `${credential} did not return within ${timeoutMs} ms`;
    return { code: "ERR_PUBLISH_CREDENTIAL", message, retryable: true, ambiguous: false };
  }
  return {
    code: "ERR_PUBLISH_TIMEOUT",
    message: `[POST] "${endpoint}": no ${stage} within ${timeoutMs} ms`,
    retryable: true,
    ambiguous: stage === "response",
  };
}

function codeOf(status: number, retryable: boolean): PublishErrorCode {
  if (status === 401 || status === 403) return "ERR_PUBLISH_UNAUTHORIZED";
  return retryable ? "ERR_PUBLISH_UNAVAILABLE" : "ERR_PUBLISH_REFUSED";
}

/** The meaning of a status, for responses without an error body. */
function meaning(status: number): string {
  if (status === 401) return "the topic does not accept this key or token";
  if (status === 403) return "this caller or its address may not publish to the topic";
  if (status === 404) return "there is no such topic";
  if (status >= 300 && status < 400) return "redirects are not followed";
  return status < 300 ? "only 200 means that the events were accepted" : "";
}

/** A hint for the user; the topic's own messages only point to Azure's forums. */
function advice(status: number, { publishWith, kind }: Topic): string {
  const hints = kind === "topic" ? topicHints : namespaceHints;
  return hints[`${status} ${publishWith}`] ?? hints[status] ?? "";
}

type Hints = Readonly<Record<string, string>>;

const topicHints: Hints = {
  "401 accessKey":
    "Check that the access key or SAS token belongs to this topic and is valid, and that the topic accepts keys.",
  "401 entra":
    "Check that the identity has the role EventGrid Data Sender on the topic, and that the credential's tenant is the topic's.",
  "403 accessKey": "Check the topic's firewall, and whether it accepts access keys.",
  "403 entra":
    "Check that the identity has the role EventGrid Data Sender on the topic, and the topic's firewall.",
  404: "Check host and path of topicEndpoint.",
};

const namespaceHints: Hints = {
  "401 accessKey":
    "Check that the access key or SAS token belongs to this namespace or topic and is valid.",
  "401 entra":
    "Check that the identity has the role EventGrid Data Sender on the namespace, and that the credential's tenant is the namespace's.",
  "403 accessKey": "Check the network rules of the namespace.",
  "403 entra":
    "Check that the identity has the role EventGrid Data Sender on the namespace, and its network rules.",
  404: "Check namespaceEndpoint and topicName.",
};
