/** Where a document's secret lies, if it does not stand in the document itself. */
export interface SecretReference {
  /** Name of the secret. */
  readonly name: string;
  /** Key within the secret; the secret's name where the document gives none. */
  readonly key: string;
}

/**
 * Gives the value of a secret reference, or undefined when there is no such secret.
 *
 * An infrastructure program may give a placeholder for a value that is known only later.
 *
 * @param secret the reference, with the store that the document names, if it names one
 */
export type ResolveSecret = (
  secret: SecretReference & { readonly store?: string },
) => string | undefined;
