import { randomBytes } from "node:crypto";
import { invalidRequest } from "../../base/index.js";

export type AccessKeyName = "key1" | "key2";

/** The two keys of a topic, domain or namespace. */
export interface AccessKeys {
  readonly key1: string;
  readonly key2: string;
}

/** Two keys, the first of which may be chosen. */
export function newAccessKeys(key1: string = newAccessKey()): AccessKeys {
  return { key1, key2: newAccessKey() };
}

/**
 * Replaces a key.
 *
 * @throws ServiceError for an unknown key name
 */
export function withNewKey(keys: AccessKeys, name: unknown): AccessKeys {
  return { ...keys, [accessKeyName(name)]: newAccessKey() };
}

/** @throws ServiceError for an unknown key name */
export function accessKeyName(name: unknown): AccessKeyName {
  if (name === "key1" || name === "key2") return name;
  throw invalidRequest(`The key name '${name}' is invalid. It must be key1 or key2.`);
}

function newAccessKey(): string {
  return randomBytes(32).toString("base64");
}
