import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import type { LocalCloud } from "cloud-eventgrid-local";

export interface ManagementAnswer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  /** Parsed JSON, to be matched against literals; `undefined` for an empty body. */
  readonly body: unknown;
}

/**
 * The properties of a cloud that calls of its control plane need. A cloud of another process has
 * them too.
 */
export interface Reachable {
  readonly tenantId: string;
  readonly control: {
    readonly origin: string;
    readonly certificates: { readonly certificateFile: string };
  };
  terraformEnvironment(): Record<string, string>;
}

/** A cloud of another process, from the environment that it prints for Terraform. */
export function reachableBy(environment: Record<string, string>): Reachable {
  const { ARM_TENANT_ID = "", AZURE_AUTHORITY_HOST = "", NODE_EXTRA_CA_CERTS = "" } = environment;
  return {
    tenantId: ARM_TENANT_ID,
    control: {
      origin: AZURE_AUTHORITY_HOST,
      certificates: { certificateFile: NODE_EXTRA_CA_CERTS },
    },
    terraformEnvironment: () => environment,
  };
}

/** The connections to each cloud. */
const agents = new WeakMap<object, Agent>();

function agentOf({ control }: Reachable): Agent {
  const { certificates } = control;
  const agent =
    agents.get(certificates) ??
    new Agent({ keepAlive: true, ca: readFileSync(certificates.certificateFile) });
  agents.set(certificates, agent);
  return agent;
}

/** Sends one request to the control plane over real HTTPS, trusting its authority. */
export function send(
  cloud: Reachable,
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: string } = {},
): Promise<ManagementAnswer> {
  const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
  const options = { headers: { ...headers, ...length } };
  const agent = agentOf(cloud);
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(cloud.control.origin);
    // The path is sent unchanged: some clients send `//`, which the URL class would normalise.
    request({ hostname, port, path, method, agent, family: 4, ...options }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString("utf8");
      const parsed: unknown = text === "" ? undefined : JSON.parse(text);
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: parsed });
    })
      .on("error", reject)
      .end(body);
  });
}

export interface Identity {
  readonly clientId: string;
  readonly secret: string;
}

/** The identity that owns the subscription. */
export function deployer(cloud: Reachable): Identity {
  const { ARM_CLIENT_ID = "", ARM_CLIENT_SECRET = "" } = cloud.terraformEnvironment();
  return { clientId: ARM_CLIENT_ID, secret: ARM_CLIENT_SECRET };
}

/** An application that can sign in and may do nothing yet. */
export function newIdentity(
  cloud: LocalCloud,
  displayName: string,
): Identity & { readonly principalId: string } {
  const secret = `secret of ${displayName}`;
  const { clientId, servicePrincipal } = cloud.applications.create({ displayName, secret });
  return { clientId, secret, principalId: servicePrincipal.objectId };
}

/** The ID of Microsoft Graph's application. */
const GRAPH = "00000003-0000-0000-c000-000000000000";

/** Grants an application permissions of Graph. The deployer has only those that bindings need. */
export function permit(cloud: LocalCloud, clientId: string, ...permissions: string[]): void {
  const tenant = cloud.directory.tenant(cloud.tenantId);
  const graph = tenant?.servicePrincipals.byClientId(GRAPH);
  const principal = tenant?.servicePrincipals.byClientId(clientId);
  if (!graph || !principal) throw new Error(`no service principal of ${clientId}`);
  for (const permission of permissions) tenant?.grant(principal, graph, permission);
}

export function requestToken(cloud: Reachable, identity: Identity, scope: string) {
  const form = new URLSearchParams({
    client_id: identity.clientId,
    client_secret: identity.secret,
    grant_type: "client_credentials",
    scope,
  });
  return send(cloud, "POST", `/${cloud.tenantId}/oauth2/v2.0/token`, {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: form.toString(),
  });
}

export type Call = (method: string, path: string, body?: unknown) => Promise<ManagementAnswer>;

/** Signs in at the token endpoint, as the providers do, and calls with the issued token. */
export async function signIn(cloud: Reachable, identity = deployer(cloud)): Promise<Call> {
  const { body } = await requestToken(cloud, identity, `${cloud.control.origin}/.default`);
  const authorization = `Bearer ${textIn(body, "access_token")}`;
  return (method, path, content) =>
    send(cloud, method, versioned(path), {
      // Graph counts only with this consistency, and nothing else depends on it.
      headers: { authorization, "content-type": "application/json", consistencylevel: "eventual" },
      ...(content === undefined ? {} : { body: JSON.stringify(content) }),
    });
}

/** Resource Manager needs a version, and Graph ignores it. */
function versioned(path: string): string {
  if (/[?&]api-version=/.test(path)) return path;
  return `${path}${path.includes("?") ? "&" : "?"}api-version=2025-02-15`;
}

/** Follows `Azure-AsyncOperation` until the operation has ended. */
export async function finished(call: Call, answer: ManagementAnswer): Promise<unknown> {
  const url = new URL(String(answer.headers["azure-asyncoperation"]));
  for (;;) {
    const { body } = await call("GET", `${url.pathname}${url.search}`);
    if (textIn(body, "status") !== "InProgress") return body;
  }
}

/** The string at a path of names in a response's body. */
export function textIn(body: unknown, ...path: string[]): string {
  let at = body;
  for (const name of path) {
    at = new Map<string, unknown>(Object.entries(Object(at))).get(name);
  }
  if (typeof at !== "string") throw new TypeError(`No text at ${path.join(".")}`);
  return at;
}

/** What an answer with an error matches. Texts are compared as a whole. */
export function refusal(status: number, code?: unknown, message?: unknown) {
  const error = { ...(code !== undefined && { code }), ...(message !== undefined && { message }) };
  return { status, body: { error } };
}
