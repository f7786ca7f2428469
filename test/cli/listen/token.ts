import type { AccessToken } from "@azure/core-auth";
import type { LocalCloud } from "cloud-eventgrid-local";

/** Client ID and secret of an application. */
export interface Identity {
  readonly clientId: string;
  readonly secret: string;
}

/** A token of the deployer, or of another identity. */
export async function tokenOf(
  cloud: LocalCloud,
  scope: string,
  as?: Identity,
): Promise<AccessToken> {
  const { ARM_CLIENT_ID = "", ARM_CLIENT_SECRET = "" } = cloud.terraformEnvironment();
  const response = await fetch(`${cloud.httpOrigin}/${cloud.tenantId}/oauth2/v2.0/token`, {
    method: "POST",
    body: new URLSearchParams({
      client_id: as?.clientId ?? ARM_CLIENT_ID,
      client_secret: as?.secret ?? ARM_CLIENT_SECRET,
      grant_type: "client_credentials",
      scope,
    }),
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  return { token, expiresOnTimestamp: Date.now() + 3_600_000 };
}
