import { readFileSync } from "node:fs";
import { type Attributes, objects, text, UNKNOWN } from "../values/value.js";
import { doing, type Send, ServiceClient, sender } from "./client.js";

/** A signed-in service principal, and clients for the services that it can call. */
export interface Account {
  readonly tenantId: string;
  readonly clientId: string;
  /** `""` for azuread, which needs none. */
  readonly subscriptionId: string;
  /** Of the service principal. */
  readonly objectId: string;
  /** The switches of the provider block's `features` that are on. */
  readonly features: ReadonlySet<string>;
  readonly resourceManager: ServiceClient;
  /** Microsoft Graph, without the version of its API in front of the paths. */
  readonly graph: ServiceClient;
}

/** Environment variables, some of which the stand-ins read as the real providers do. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Looks up the cloud's services and signs in with a client secret, by the provider block and by the
 * environment for what it leaves out.
 *
 * @throws for a setting that is missing or not known yet, and for a cloud that is not on this
 * machine, so that a stand-in can never change real resources
 */
export async function signIn(
  config: Attributes,
  environment: Environment,
  signal: AbortSignal,
): Promise<Account> {
  const setting = (attribute: string, variable: string) => {
    if (config[attribute] === UNKNOWN) throw new Error(`${attribute} is not known yet`);
    const value = text(config, attribute) || environment[variable];
    if (!value) throw new Error(`building account: ${attribute} (or ${variable}) is missing`);
    return value;
  };
  const tenantId = setting("tenant_id", "ARM_TENANT_ID");
  const clientId = setting("client_id", "ARM_CLIENT_ID");
  const secret = setting("client_secret", "ARM_CLIENT_SECRET");
  const host = setting("metadata_host", "ARM_METADATA_HOSTNAME");
  if (!/^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/.test(host)) {
    throw new Error(`a stand-in acts on a local Azure only, and ${host} is not on this machine`);
  }
  const { SSL_CERT_FILE: file } = environment;
  const send = sender(file === undefined ? undefined : readFileSync(file, "utf8"), signal);
  const metadata = `https://${host}/metadata/endpoints?api-version=2022-09-01`;
  const { body: cloud } = await send("GET", metadata);
  const service = async (origin: string) => {
    const login = `${text(cloud, "authentication.loginEndpoint")}/${tenantId}`;
    const form = { client_id: clientId, client_secret: secret, scope: `${origin}/.default` };
    const token = await doing("building account: could not acquire access token", () =>
      requestToken(send, login, form),
    );
    return { token, client: new ServiceClient(origin, token, send, signal) };
  };
  const resourceManager = await service(text(cloud, "resourceManager"));
  const graph = await service(text(cloud, "microsoftGraphResourceId"));
  return {
    tenantId,
    clientId,
    subscriptionId: text(config, "subscription_id") || (environment.ARM_SUBSCRIPTION_ID ?? ""),
    objectId: objectIdIn(resourceManager.token),
    features: new Set(
      objects(config, "features")
        .flatMap((block) => Object.entries(block))
        .filter(([, value]) => value === true)
        .map(([name]) => name),
    ),
    resourceManager: resourceManager.client,
    graph: graph.client,
  };
}

async function requestToken(
  send: Send,
  login: string,
  form: Record<string, string>,
): Promise<string> {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const content = new URLSearchParams({ grant_type: "client_credentials", ...form }).toString();
  const { status, body } = await send("POST", `${login}/oauth2/v2.0/token`, headers, content);
  if (status === 200) return text(body, "access_token");
  throw new Error(
    `clientCredentialsToken: received HTTP status ${status} with response: ${JSON.stringify(body)}`,
  );
}

/** The object ID in the token. The token is not verified: the services that accept it do that. */
function objectIdIn(token: string): string {
  const payload = token.split(".")[1] ?? "";
  return text(JSON.parse(Buffer.from(payload, "base64url").toString()), "oid");
}
