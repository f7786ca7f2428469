import type { IncomingHttpHeaders } from "node:http";
import { isEqualText } from "../../base/index.js";
import type { Claims } from "../../entra/index.js";
import { type ServerNames, topicPathOf } from "../../network/index.js";
import { EVENT_GRID_AUDIENCE, readSasToken } from "../credentials/index.js";
import { PublishError } from "./publish-error.js";
import type { Topic } from "./topic.js";

export interface PublisherChecks {
  /** The claims of a token if the cloud's Entra signed it and it has not expired. */
  readonly verify: (token: string) => Promise<Claims | undefined>;
  /** Whether the principal with this object ID may send events to the topic. */
  readonly maySend: (principalId: string, topic: Topic) => boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The names of this server in endpoints. */
  readonly serverNames: ServerNames;
}

/**
 * Checks that a publish request has one of the topic's keys, a signature made with one, or a token.
 *
 * @param query the query of the URL, which may contain a key too
 * @throws PublishError 401 without valid credentials, and for a token whose owner may not publish
 */
export async function checkPublisher(
  headers: IncomingHttpHeaders,
  query: URLSearchParams,
  topic: Topic,
  checks: PublisherChecks,
): Promise<void> {
  const authorization = headers.authorization ?? "";
  const bearer = /^bearer (.+)$/i.exec(authorization)?.[1];
  if (bearer !== undefined) return checkToken(await checks.verify(bearer), topic, checks);

  const key = headers["aeg-sas-key"] ?? query.get("aeg-sas-key") ?? undefined;
  const signature =
    headers["aeg-sas-token"] ?? /^sharedaccesssignature (.+)$/i.exec(authorization)?.[1];
  if (typeof key !== "string" && typeof signature !== "string") {
    throw unauthorized(
      "Request must contain one of the following authorization signature: aeg-sas-token, aeg-sas-key.",
    );
  }
  if (typeof key === "string" && isEqualText(key, topic.publishKey)) return;
  if (!topic.localAuthEnabled) {
    throw unauthorized("Local authentication is disabled for this topic; use an Entra token.");
  }
  const { key1, key2 } = topic.keys();
  if (typeof key === "string") {
    if (isEqualText(key, key1) || isEqualText(key, key2)) return;
    throw unauthorized(keyRefusal(key, topic));
  }
  checkSignature(String(signature), topic, checks);
}

function checkToken(claims: Claims | undefined, topic: Topic, checks: PublisherChecks): void {
  if (!claims || !EVENT_GRID_AUDIENCE.test(String(claims.aud))) {
    throw unauthorized(
      "The authorization token is expired, not signed by this cloud's Entra, or not for https://eventgrid.azure.net.",
    );
  }
  if (checks.maySend(String(claims.oid), topic)) return;
  // Azure answers 401, not 403: https://github.com/Azure/azure-sdk-for-net/issues/22831. It names
  // neither the principal nor the role.
  throw unauthorized(
    `The principal associated with access token presented with the incoming request does not have permission to send data to ${topic.id}. Assign '${claims.oid}' the role 'EventGrid Data Sender' there.`,
  );
}

function checkSignature(text: string, topic: Topic, { now, serverNames }: PublisherChecks): void {
  const token = readSasToken(text);
  const { key1, key2 } = topic.keys();
  if (!token.isSignedWith([key1, key2])) {
    throw unauthorized("The request authorization signature is not valid.");
  }
  // The client may have been given any of the topic's endpoints.
  const path = topicPathOf(token.resource, serverNames);
  if (path === undefined || path === "/" || !topic.path.startsWith(path)) {
    throw unauthorized(
      `The request authorization signature is for another topic, ${token.resource}.`,
    );
  }
  if (!(token.expiresAt > now())) {
    throw unauthorized("The request authorization signature has expired.");
  }
}

/** Azure names the topic's host in capitals, and why it cannot read a key. */
function keyRefusal(key: string, { path }: Topic): string {
  const host = `${path.split("/")[1]}.eventgrid.azure.net`.toUpperCase();
  const refusal = `The request authorization key is not authorized for ${host}.`;
  const reason =
    key.length % 4 !== 0
      ? "Invalid length for a Base-64 char array or string."
      : /^[\w+/]*={0,2}$/.test(key)
        ? undefined
        : "The input is not a valid Base-64 string.";
  return reason === undefined ? refusal : `${refusal} This is due to the reason: ${reason}`;
}

function unauthorized(message: string): PublishError {
  return new PublishError(401, "Unauthorized", message);
}
