import { createHmac, randomBytes } from "node:crypto";
import { invalidRequest, parameterIn, split, utcTime, withoutEnd } from "../base/index.js";
import type { Claims } from "../entra/index.js";
import { type Exchange, isEqualText } from "../http/index.js";
import { type ServerNames, topicPathOf } from "../network/index.js";
import { DataPlaneError } from "./data-plane-error.js";

export type AccessKeyName = "key1" | "key2";

/** The two keys of a topic, domain or namespace. */
export interface AccessKeys {
  readonly key1: string;
  readonly key2: string;
}

/** A topic, domain or namespace with two access keys. */
export class KeyOwner {
  #keys: AccessKeys;

  constructor(keys: AccessKeys) {
    this.#keys = keys;
  }

  /** The first of the two keys. Those of a namespace are valid for all its topics. */
  get accessKey(): string {
    return this.#keys.key1;
  }

  keys(): AccessKeys {
    return this.#keys;
  }

  /**
   * Replaces a key; the old one is no longer valid.
   *
   * @throws ServiceError for an unknown key name
   */
  regenerateKey(name: AccessKeyName): AccessKeys {
    this.#keys = { ...this.#keys, [accessKeyName(name)]: newAccessKey() };
    return this.#keys;
  }
}

/** Two keys, the first of which may be chosen. */
export function newAccessKeys(key1: string = newAccessKey()): AccessKeys {
  return { key1, key2: newAccessKey() };
}

/** @throws ServiceError for an unknown key name */
export function accessKeyName(name: unknown): AccessKeyName {
  if (name === "key1" || name === "key2") return name;
  throw invalidRequest(`The key name '${name}' is invalid. It must be key1 or key2.`);
}

function newAccessKey(): string {
  return randomBytes(32).toString("base64");
}

/** Audiences of the tokens with which clients call Event Grid's data plane, in any of Azure's clouds. */
const AUDIENCES = ["net", "us", "cn"].map((domain) => `https://eventgrid.azure.${domain}`);

/** The parts that check the credentials of a request. */
export interface CredentialChecks {
  /** The claims of a token if the cloud's Entra signed it and it has not expired. */
  readonly verify: (token: string) => Promise<Claims | undefined>;
  /** Whether the principal with this object ID may send events to the resource. */
  readonly maySend: (principalId: string, resourceId: string) => boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The names of this server in endpoints. */
  readonly serverNames: ServerNames;
}

/** The resource that a request asks for access to. */
export interface CredentialTarget {
  /** The keys that are valid. */
  readonly keys: readonly string[];
  /** Path of the request in lower case. A signature is valid for everything below its own. */
  readonly path: string;
  readonly isAllowed: (principalId: string) => boolean;
  /** Messages of the 401, by what is wrong with the credentials. */
  readonly refusals: {
    readonly none: string;
    readonly key: (key: string) => string;
    /** For a signature that is made with another key. @default it is not valid */
    readonly signature?: string | undefined;
    /** For a token whose owner lacks the role. */
    readonly principal: (principalId: string) => string;
  };
  /** Whether a key in the header `Authorization` is valid. */
  readonly allowsSharedAccessKey: boolean;
}

/**
 * Checks that a request has a key of the target, a signature made with one, or a token of a principal
 * with the role.
 *
 * @throws DataPlaneError 401, also for a token whose owner lacks the role
 */
export async function checkCredentials(
  { request: { headers }, url: { searchParams } }: Exchange,
  target: CredentialTarget,
  checks: CredentialChecks,
): Promise<void> {
  const { refusals } = target;
  const [scheme, text] = String(headers.authorization).split(/ +(.*)/s);
  const authorization = { [String(scheme).toLowerCase()]: text };
  const token = authorization.bearer;
  const key =
    (target.allowsSharedAccessKey ? authorization.sharedaccesskey : undefined) ??
    headers["aeg-sas-key"] ??
    searchParams.get("aeg-sas-key");
  const signature = headers["aeg-sas-token"] ?? authorization.sharedaccesssignature;
  if (token !== undefined) checkToken(await checks.verify(token), target);
  else if (typeof key === "string") {
    if (!target.keys.some((each) => isEqualText(key, each))) throw unauthorized(refusals.key(key));
  } else if (typeof signature === "string") checkSignature(signature, target, checks);
  else throw unauthorized(refusals.none);
}

function checkToken(
  claims: Claims | undefined,
  { isAllowed, refusals }: Pick<CredentialTarget, "isAllowed" | "refusals">,
): void {
  if (!claims || !AUDIENCES.includes(withoutEnd(String(claims.aud), "/"))) {
    throw unauthorized(
      "The authorization token is expired, not signed by this cloud's Entra, or not for https://eventgrid.azure.net.",
    );
  }
  // Azure answers 401, not 403: https://github.com/Azure/azure-sdk-for-net/issues/22831
  const principalId = String(claims.oid);
  if (!isAllowed(principalId)) throw unauthorized(refusals.principal(principalId));
}

/**
 * Checks a shared access signature: `r=<resource>&e=<expiry>&s=<signature>`. The signature covers the
 * text before `&s=`.
 */
function checkSignature(
  token: string,
  { keys, path, refusals }: CredentialTarget,
  { now, serverNames }: CredentialChecks,
): void {
  const fields = new URLSearchParams(token);
  const signed = token.replace(/&s=.*/s, "");
  // A `+` of the signature itself, if it is not encoded, has become a blank.
  const signature = String(fields.get("s")).replaceAll(" ", "+");
  if (!keys.some((key) => isEqualText(signature, hmac(signed, key)))) {
    throw unauthorized(refusals.signature ?? "The request authorization signature is not valid.");
  }
  const [resource] = split(parameterIn(fields, "r"), "?");
  // The client may have been given any of the endpoints.
  const covered = topicPathOf(resource, serverNames);
  if (!covered || !`${path}/`.startsWith(`${withoutEnd(covered, "/")}/`)) {
    throw unauthorized(
      `The request authorization signature is for another topic or event subscription, ${resource}.`,
    );
  }
  // Microsoft's .NET and Java libraries write the blank as `+`, the others as `%20`.
  if (!(utcTime(String(fields.get("e"))) > now())) {
    throw unauthorized("The request authorization signature has expired.");
  }
}

function hmac(text: string, key: string): string {
  return createHmac("sha256", Buffer.from(key, "base64")).update(text).digest("base64");
}

function unauthorized(message: string): DataPlaneError {
  return new DataPlaneError(401, "Unauthorized", message);
}
