import { readFileSync } from "node:fs";
import { type Attributes, UNKNOWN } from "../values/value.js";
import { httpsSender, type Send, stringAt } from "./json-client.js";
import { doing } from "./refusal.js";
import { ServiceClient } from "./service-client.js";

/** The credentials and the cloud that a provider block or its environment names. */
export interface Credentials {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** `""` for azuread, which needs none. */
  readonly subscriptionId: string;
  /** Host and port of the metadata service, which lists the other services. */
  readonly metadataHost: string;
}

/** A signed-in service principal, and clients for the services that it can call. */
export interface Account {
  readonly tenantId: string;
  readonly clientId: string;
  readonly subscriptionId: string;
  /** Of the service principal. */
  readonly objectId: string;
  readonly resourceManager: ServiceClient;
  /** Microsoft Graph, without the version of its API in front of the paths. */
  readonly graph: ServiceClient;
}

/** Environment variables, some of which the stand-ins read as the real providers do. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the provider block, and the environment for settings that it leaves out, as the real
 * providers do.
 *
 * @throws an error that names every setting that is missing or not known yet. Also throws for a
 * cloud that is not on this machine, so that a stand-in can never change real resources.
 */
export function credentials(
  config: Attributes,
  environment: Environment,
  options: { subscription: boolean },
): Credentials {
  const missing: string[] = [];
  const setting = (attribute: string, variable: string, needed = true): string => {
    const value = config[attribute];
    if (value === UNKNOWN) missing.push(`${attribute} is not known yet`);
    if (typeof value === "string" && value !== "") return value;
    const inherited = environment[variable] ?? "";
    if (inherited === "" && needed && value !== UNKNOWN) {
      missing.push(`${attribute} (or ${variable})`);
    }
    return inherited;
  };
  const read: Credentials = {
    tenantId: setting("tenant_id", "ARM_TENANT_ID"),
    clientId: setting("client_id", "ARM_CLIENT_ID"),
    clientSecret: setting("client_secret", "ARM_CLIENT_SECRET"),
    subscriptionId: setting("subscription_id", "ARM_SUBSCRIPTION_ID", options.subscription),
    metadataHost: setting("metadata_host", "ARM_METADATA_HOSTNAME"),
  };
  if (missing.length > 0) {
    throw new Error(
      `building account: a stand-in signs in to a local Azure with a client secret; missing: ${missing.join(", ")}`,
    );
  }
  requireThisMachine(read.metadataHost, "ARM_METADATA_HOSTNAME");
  return read;
}

/** @throws for a cloud that is not on this machine, see {@link credentials} */
export function requireThisMachine(host: string, variable: string): void {
  if (/^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/.test(host)) return;
  throw new Error(
    `building account: a stand-in acts on a local Azure only, and ${host} (${variable}) is not on this machine`,
  );
}

/** Looks up the cloud's services and signs in. */
export async function signIn(
  given: Credentials,
  environment: Environment,
  signal: AbortSignal,
): Promise<Account> {
  const send = httpsSenderFor(environment, signal);
  const cloud = await doing("retrieving environments from Azure MetaData service", () =>
    metadata(send, given.metadataHost),
  );
  const service = async (origin: string) => {
    const token = await doing("building account: could not acquire access token", () =>
      accessToken(send, `${cloud.login}/${given.tenantId}`, given, `${origin}/.default`),
    );
    return { client: new ServiceClient({ origin, send, token, signal }), token };
  };
  const resourceManager = await service(cloud.resourceManager);
  const graph = await service(cloud.graph);
  return {
    tenantId: given.tenantId,
    clientId: given.clientId,
    subscriptionId: given.subscriptionId,
    objectId: objectId(resourceManager.token),
    resourceManager: resourceManager.client,
    graph: graph.client,
  };
}

/** Sends requests to a cloud whose certificate authority `SSL_CERT_FILE` names. */
export function httpsSenderFor(environment: Environment, signal: AbortSignal): Send {
  const ca = environment.SSL_CERT_FILE;
  return httpsSender(ca ? readFileSync(ca, "utf8") : undefined, signal);
}

async function metadata(send: Send, host: string) {
  const url = `https://${host}/metadata/endpoints?api-version=2022-09-01`;
  const { status, body } = await send({ method: "GET", url });
  if (status !== 200) throw new Error(`GET ${url}: status ${status}`);
  return {
    resourceManager: stringAt(body, "resourceManager"),
    graph: stringAt(body, "microsoftGraphResourceId"),
    login: stringAt(body, "authentication", "loginEndpoint"),
  };
}

/** Gets a token for a scope from an issuer. */
export async function accessToken(
  send: Send,
  tenant: string,
  { clientId, clientSecret }: Pick<Credentials, "clientId" | "clientSecret">,
  scope: string,
): Promise<string> {
  const { status, body } = await send({
    method: "POST",
    url: `${tenant}/oauth2/v2.0/token`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: clientId,
      client_secret: clientSecret,
      scope,
    }).toString(),
  });
  if (status === 200) return stringAt(body, "access_token");
  throw new Error(
    `clientCredentialsToken: received HTTP status ${status} with response: ${JSON.stringify(body)}`,
  );
}

/** The object ID in the token. The token is not verified: the services that accept it do that. */
function objectId(token: string): string {
  const payload = token.split(".")[1] ?? "";
  return stringAt(JSON.parse(Buffer.from(payload, "base64url").toString("utf8")), "oid");
}
