import type { DocumentProblem } from "./component-document-error.js";

/** A document's reference to a secret. */
export interface SecretReference {
  /** Name of the secret. */
  readonly name: string;
  /** Key within the secret; the secret's name if the document has no key. */
  readonly key: string;
}

/** A reference, with the store that the document names in `auth.secretStore`. */
export type StoredSecretReference = SecretReference & { readonly store?: string };

/**
 * Returns the value of a secret that a document refers to, or undefined if there is no such secret.
 * Bytes, such as those of a file, are decoded as UTF-8.
 *
 * An infrastructure program may return a token for a value that is known only at deployment.
 */
export type ResolveSecret = (secret: StoredSecretReference) => string | Uint8Array | undefined;

/** The outcome of resolving a reference. */
export type ResolvedSecret =
  | { readonly value: string }
  | { readonly problem: DocumentProblem; readonly cause?: unknown };

/** Looks up the secret of one entry. */
export function resolveSecret(
  request: SecretRequest,
  resolve: ResolveSecret | undefined,
): ResolvedSecret {
  try {
    return outcome(request, resolve?.(request.secret), resolve);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return { ...unresolved(request, `which could not be read: ${reason}`), cause };
  }
}

/** A reference, and where it is in the document. */
export interface SecretRequest {
  readonly secret: StoredSecretReference;
  /** The field whose value it is. */
  readonly field: string;
  /** The field's name in the document. */
  readonly name: string;
  readonly line: number;
}

function outcome(
  request: SecretRequest,
  value: unknown,
  resolve: ResolveSecret | undefined,
): ResolvedSecret {
  if (typeof value === "string") return { value };
  if (value instanceof Uint8Array) return { value: new TextDecoder().decode(value) };
  if (value instanceof Promise) return unresolved(request, `but ${PROMISED}`);
  const why = resolve === undefined ? "set the option resolveSecret" : "there is no such secret";
  return unresolved(request, `but ${why}`);
}

const PROMISED = "resolveSecret returned a promise: fetch the secrets before, and return them";

function unresolved({ secret, field, name, line }: SecretRequest, why: string) {
  const message = `${name} refers to the secret ${secret.name}/${secret.key}, ${why}`;
  return { problem: { line, field, rule: "secret-reference", message } };
}
