import type { TokenCredential } from "@azure/core-auth";
import { loadIdentity } from "../optional-peer.js";
import { CommandError } from "../terminal/index.js";

/** A source of access tokens, such as any credential of `@azure/identity`. */
export type Credential = TokenCredential;

/** The errors of `@azure/identity` that mean that no credential can be used. */
const UNAVAILABLE = ["AggregateAuthenticationError", "CredentialUnavailableError"];

/** Returns the advice for a caller who is not signed in; undefined for other errors. */
export function missingSignIn({ name }: Error): string | undefined {
  if (!UNAVAILABLE.includes(name)) return undefined;
  return (
    "no credentials were found: run az login, or set AZURE_TENANT_ID, AZURE_CLIENT_ID and " +
    "AZURE_CLIENT_SECRET"
  );
}

/**
 * The caller's own credential: that of `ARM_CLIENT_SECRET` and its companions, which Terraform uses
 * too, or else `DefaultAzureCredential`.
 *
 * @throws {CommandError} when `@azure/identity` is not installed
 */
export async function defaultCredential(
  authorityHost: string,
  tenantId: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Credential> {
  const { ClientSecretCredential, DefaultAzureCredential } = await loadIdentity();
  // Instance discovery asks Microsoft about a host that only this machine knows.
  const options = { authorityHost, disableInstanceDiscovery: Boolean(env.ARM_METADATA_HOSTNAME) };
  const { ARM_TENANT_ID: tenant = tenantId, ARM_CLIENT_ID: id, ARM_CLIENT_SECRET: secret } = env;
  if (tenant && id && secret) return new ClientSecretCredential(tenant, id, secret, options);
  return new DefaultAzureCredential({ ...options, ...(tenantId && { tenantId }) });
}

/** Reports whether an error of `@azure/identity` means that no authority answered. It names no host. */
function isNotReached({ name, message }: Error): boolean {
  // A managed identity that is tried among others has a network error wherever there is none.
  const isOneOfMany = name === "AggregateAuthenticationError";
  return (
    /\bendpoints_resolution_error\b/.test(message) ||
    (!isOneOfMany && /\bnetwork_error\b/.test(message))
  );
}

/** Turns the errors of a credential into messages for the user. */
export function explained(credential: Credential, authorityHost: string): Credential {
  return {
    async getToken(scopes, options) {
      const scope = [scopes].flat().join(" ");
      const token = await credential.getToken(scopes, options).catch((error: Error) => {
        if (isNotReached(error)) {
          throw new CommandError(
            `cannot sign in for ${scope}: ${authorityHost} cannot be reached, or does not know the tenant`,
          );
        }
        const reason = missingSignIn(error) ?? error.message.split("\n")[0];
        throw new CommandError(`cannot sign in for ${scope}: ${reason}`);
      });
      if (token === null) {
        throw new CommandError(`cannot sign in for ${scope}: no token was issued`);
      }
      return token;
    },
  };
}
