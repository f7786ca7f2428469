/** The errors of `@azure/identity` that mean that no credential can be used. */
const UNAVAILABLE = ["AggregateAuthenticationError", "CredentialUnavailableError"];

/** What to do if nobody is signed in; undefined for other errors. */
export function missingSignIn({ name }: Error): string | undefined {
  if (!UNAVAILABLE.includes(name)) return undefined;
  return (
    "no credentials were found: run az login, or set AZURE_TENANT_ID, AZURE_CLIENT_ID and " +
    "AZURE_CLIENT_SECRET"
  );
}
