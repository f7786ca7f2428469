import type { DocumentProblem } from "./component-document-error.js";
import type { MetadataEntry, SecretReference } from "./metadata.js";

/** A reference, with the store that the document names in `auth.secretStore`. */
type StoredSecretReference = SecretReference & { readonly store?: string };

/**
 * Returns the value of a secret that a document refers to, or undefined if there is no such secret.
 * Bytes, such as those of a file, are decoded as UTF-8.
 *
 * An infrastructure program may return a token for a value that is known only at deployment.
 */
export type ResolveSecret = (secret: StoredSecretReference) => string | Uint8Array | undefined;

/** Why a secret is not known. */
export interface SecretFailure {
  readonly problem: DocumentProblem;
  readonly cause?: unknown;
}

/**
 * Looks up the secret that an entry of a document refers to.
 *
 * @param store the one that the document names
 */
export function resolveSecret(
  { field, name, line }: MetadataEntry,
  reference: SecretReference,
  store: string | undefined,
  resolve: ResolveSecret | undefined,
): string | SecretFailure {
  const fail = (why: string) => {
    const message = `${name} refers to the secret ${reference.name}/${reference.key}, ${why}`;
    return { problem: { line, field, rule: "secret-reference", message } };
  };
  if (resolve === undefined) return fail("but set the option resolveSecret");
  let value: unknown;
  try {
    value = resolve({ ...reference, ...(store !== undefined && { store }) });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return { ...fail(`which could not be read: ${reason}`), cause };
  }
  if (typeof value === "string") return value;
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  return value instanceof Promise
    ? fail("but resolveSecret returned a promise: fetch the secrets before, and return them")
    : fail("but there is no such secret");
}
