import type { IncomingHttpHeaders } from "node:http";
import type { Claims } from "../../../entra/index.js";
import { isEqualText } from "../../../http/index.js";
import { topicPathOf } from "../../../network/index.js";
import { type CredentialChecks, EVENT_GRID_AUDIENCE, readSasToken } from "../../credentials.js";
import { DataPlaneError } from "../../data-plane-error.js";
import type { Namespace } from "../namespace.js";

/** What a request is about. */
export interface DataTarget {
  readonly namespace: Namespace;
  /** Name of the topic, which may not exist. */
  readonly topic: string;
  /** Name of the event subscription; `undefined` for publishing. */
  readonly subscription: string | undefined;
}

export interface DataCredentialChecks extends CredentialChecks {
  /** Whether the principal with this object ID may receive events from the resource. */
  readonly mayReceive: (principalId: string, resourceId: string) => boolean;
}

/**
 * Checks that a request has a key of the namespace or the topic, a signature made with one, or a
 * token of a principal with the role.
 *
 * @throws DataPlaneError 401
 */
export async function checkDataCredentials(
  headers: IncomingHttpHeaders,
  query: URLSearchParams,
  target: DataTarget,
  checks: DataCredentialChecks,
): Promise<void> {
  const [, scheme = "", credentials = ""] = /^(\w+) +(.+)$/.exec(headers.authorization ?? "") ?? [];
  switch (scheme.toLowerCase()) {
    case "bearer":
      return checkToken(await checks.verify(credentials), target, checks);
    case "sharedaccesskey":
      return checkKey(credentials, target);
    case "sharedaccesssignature":
      return checkSignature(credentials, target, checks);
  }
  const key = headers["aeg-sas-key"] ?? query.get("aeg-sas-key");
  if (typeof key === "string") return checkKey(key, target);
  const signature = headers["aeg-sas-token"];
  if (typeof signature === "string") return checkSignature(signature, target, checks);
  throw unauthorized(
    "The request has no credentials: a bearer token, a SharedAccessKey or a SharedAccessSignature in Authorization, or aeg-sas-key or aeg-sas-token.",
  );
}

function checkToken(
  claims: Claims | undefined,
  { namespace, topic, subscription }: DataTarget,
  { maySend, mayReceive }: DataCredentialChecks,
): void {
  if (!claims || !EVENT_GRID_AUDIENCE.test(String(claims.aud))) {
    throw unauthorized(
      "The token is expired, not signed by this cloud's Entra, or not for https://eventgrid.azure.net.",
    );
  }
  const topicId = `${namespace.id}/topics/${topic}`;
  const isAllowed =
    subscription === undefined
      ? maySend(String(claims.oid), topicId)
      : mayReceive(String(claims.oid), `${topicId}/eventSubscriptions/${subscription}`);
  if (isAllowed) return;
  const [action, role] = subscription === undefined ? ["send", "Sender"] : ["receive", "Receiver"];
  throw unauthorized(
    `The principal '${claims.oid}' may not ${action} events of ${topicId}. Assign it the role 'EventGrid Data ${role}' at the namespace.`,
  );
}

function checkKey(key: string, target: DataTarget): void {
  if (keysOf(target).some((each) => isEqualText(key, each))) return;
  throw unauthorized("The key is not one of the namespace or the topic.");
}

/** A signature is valid for everything below its URL. */
function checkSignature(
  text: string,
  target: DataTarget,
  { now, serverNames }: DataCredentialChecks,
): void {
  const token = readSasToken(text);
  if (!token.isSignedWith(keysOf(target))) {
    throw unauthorized("The signature is not made with a key of the namespace or the topic.");
  }
  const covered = topicPathOf(token.resource, serverNames)?.replace(/\/$/, "");
  const { namespace, topic, subscription } = target;
  const below = subscription === undefined ? "" : `/eventsubscriptions/${subscription}`;
  const path = `${namespace.path}/topics/${topic}${below}`.toLowerCase();
  if (!covered || (path !== covered && !path.startsWith(`${covered}/`))) {
    throw unauthorized(`The signature is for another resource, ${token.resource}.`);
  }
  if (!(token.expiresAt > now())) throw unauthorized("The signature has expired.");
}

function keysOf({ namespace, topic }: DataTarget): string[] {
  return [namespace.keys(), namespace.topics.get(topic)?.keys()].flatMap((keys) =>
    keys ? [keys.key1, keys.key2] : [],
  );
}

function unauthorized(message: string): DataPlaneError {
  return new DataPlaneError(401, "Unauthorized", message);
}
