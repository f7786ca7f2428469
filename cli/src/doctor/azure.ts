import { cloudEnvironments } from "cloud-eventgrid-binding-runtime/binding";
import type { CloudName } from "../cloud.js";
import { optionalPeer } from "../optional-peer.js";
import { missingSignIn } from "../sign-in.js";
import { CommandError } from "../terminal.js";

/** A source of access tokens, such as any credential of `@azure/identity`. */
export interface Credential {
  getToken(scope: string): Promise<{ readonly token: string } | null>;
}

/** Dependencies that tests replace. */
export interface AzureReplacements {
  readonly fetch?: typeof fetch;
  readonly credential?: Credential;
}

/** The addresses of a cloud's management services. */
interface Endpoints {
  readonly resourceManager: string;
  readonly graph: string;
  readonly login: string;
}

const ENDPOINTS: Readonly<Record<CloudName, Omit<Endpoints, "login">>> = {
  public: {
    resourceManager: "https://management.azure.com",
    graph: "https://graph.microsoft.com",
  },
  usgovernment: {
    resourceManager: "https://management.usgovcloudapi.net",
    graph: "https://graph.microsoft.us",
  },
  china: {
    resourceManager: "https://management.chinacloudapi.cn",
    graph: "https://microsoftgraph.chinacloudapi.cn",
  },
};

/** An answer of Resource Manager or Graph. */
export interface Answer {
  readonly status: number;
  /** The parsed JSON; undefined for anything else. */
  readonly body: unknown;
  /** The error's code, such as `AuthorizationFailed`. */
  readonly code?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads from Resource Manager and Graph with the caller's own credentials. */
export class Azure {
  readonly #endpoints: Endpoints;
  readonly #credential: Credential;
  readonly #fetch: typeof fetch;
  readonly #tokens = new Map<string, Promise<string>>();

  /**
   * Signs in: with `ARM_CLIENT_SECRET` and its companions as Terraform does, or else with
   * `DefaultAzureCredential`. `ARM_METADATA_HOSTNAME` names another cloud, such as a local Azure.
   *
   * @throws {CommandError} when the cloud or `@azure/identity` cannot be reached
   */
  static async signIn(
    cloud: CloudName,
    tenantId: string | undefined,
    env: Environment,
    replacements: AzureReplacements = {},
  ): Promise<Azure> {
    const send = replacements.fetch ?? fetch;
    const endpoints = await endpointsOf(cloud, env, send);
    const credential =
      replacements.credential ?? (await defaultCredential(endpoints.login, tenantId, env));
    return new Azure(endpoints, credential, send);
  }

  private constructor(endpoints: Endpoints, credential: Credential, send: typeof fetch) {
    this.#endpoints = endpoints;
    this.#credential = credential;
    this.#fetch = send;
  }

  /** Calls Resource Manager. */
  arm(path: string, apiVersion: string, query: Readonly<Record<string, string>> = {}) {
    const url = new URL(this.#endpoints.resourceManager + path);
    for (const [name, value] of Object.entries({ "api-version": apiVersion, ...query })) {
      url.searchParams.set(name, value);
    }
    return this.#call("GET", url, this.#endpoints.resourceManager);
  }

  /** Reads the keys of a topic. */
  topicKeys(topicId: string): Promise<Answer> {
    const path = `${topicId}/listKeys?api-version=2022-06-15`;
    const url = new URL(this.#endpoints.resourceManager + path);
    return this.#call("POST", url, this.#endpoints.resourceManager);
  }

  /** The URL of an object in Microsoft Graph. */
  graphUrl(path: string): string {
    return `${this.#endpoints.graph}/v1.0${path}`;
  }

  /** Calls Microsoft Graph. */
  graph(path: string, filter?: string): Promise<Answer> {
    const url = new URL(this.graphUrl(path));
    if (filter !== undefined) url.searchParams.set("$filter", filter);
    return this.#call("GET", url, this.#endpoints.graph);
  }

  /** All items of a list of Graph or Resource Manager, page by page. */
  async list(first: Promise<Answer>): Promise<Answer & { readonly items: readonly unknown[] }> {
    let answer = await first;
    const items = [...listIn(answer.body)];
    for (let next = nextLink(answer.body); next !== undefined; next = nextLink(answer.body)) {
      const { resourceManager, graph } = this.#endpoints;
      const audience = next.startsWith(resourceManager) ? resourceManager : graph;
      if (!next.startsWith(audience)) break;
      answer = await this.#call("GET", new URL(next), audience);
      items.push(...listIn(answer.body));
    }
    return { ...answer, items };
  }

  async #call(method: "GET" | "POST", url: URL, audience: string): Promise<Answer> {
    const token = await this.#token(`${audience}/.default`);
    let response: Response;
    try {
      response = await this.#fetch(url, {
        method,
        headers: { authorization: `Bearer ${token}`, accept: "application/json" },
        signal: AbortSignal.timeout(30_000),
      });
    } catch (error) {
      throw new CommandError(`${url.origin} cannot be reached: ${causeOf(error)}`);
    }
    const body: unknown = await response.json().catch(() => undefined);
    const code = at(body, "error", "code");
    return { status: response.status, body, ...(typeof code === "string" && { code }) };
  }

  #token(scope: string): Promise<string> {
    const known = this.#tokens.get(scope);
    if (known !== undefined) return known;
    const token = this.#credential.getToken(scope).then(
      (answer) => {
        if (answer !== null) return answer.token;
        throw new CommandError(`cannot sign in for ${scope}: no token was issued`);
      },
      (error: Error) => {
        const reason = missingSignIn(error) ?? error.message.split("\n")[0];
        throw new CommandError(`cannot sign in for ${scope}: ${reason}`);
      },
    );
    this.#tokens.set(scope, token);
    return token;
  }
}

async function endpointsOf(
  cloud: CloudName,
  { ARM_METADATA_HOSTNAME: host }: Environment,
  send: typeof fetch,
): Promise<Endpoints> {
  if (!host) return { ...ENDPOINTS[cloud], login: cloudEnvironments[cloud].authorityHost };
  const url = `https://${host}/metadata/endpoints?api-version=2022-09-01`;
  try {
    const metadata: unknown = await (await send(url)).json();
    const resourceManager = at(metadata, "resourceManager");
    const graph = at(metadata, "microsoftGraphResourceId");
    const login = at(metadata, "authentication", "loginEndpoint");
    if (typeof resourceManager === "string" && typeof graph === "string") {
      const trimmed = (text: string) => text.replace(/\/+$/, "");
      return {
        resourceManager: trimmed(resourceManager),
        graph: trimmed(graph),
        login: trimmed(String(login)),
      };
    }
    throw new Error("the answer names no endpoints");
  } catch (error) {
    throw new CommandError(`ARM_METADATA_HOSTNAME: ${url}: ${causeOf(error)}`);
  }
}

async function defaultCredential(
  authorityHost: string,
  tenantId: string | undefined,
  env: Environment,
): Promise<Credential> {
  const { ClientSecretCredential, DefaultAzureCredential } = await optionalPeer(
    "@azure/identity",
    () => import("@azure/identity"),
  );
  // Instance discovery asks Microsoft about a host that only this machine knows.
  const options = { authorityHost, disableInstanceDiscovery: Boolean(env.ARM_METADATA_HOSTNAME) };
  const { ARM_TENANT_ID: tenant = tenantId, ARM_CLIENT_ID: id, ARM_CLIENT_SECRET: secret } = env;
  if (tenant && id && secret) return new ClientSecretCredential(tenant, id, secret, options);
  return new DefaultAzureCredential({ ...options, ...(tenantId && { tenantId }) });
}

/** A value inside parsed JSON. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== "object" || found === null) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return found;
}

/** A text inside parsed JSON. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === "string" && found !== "" ? found : undefined;
}

function listIn(body: unknown): readonly unknown[] {
  const value = at(body, "value");
  return Array.isArray(value) ? value : [];
}

function nextLink(body: unknown): string | undefined {
  return textAt(body, "@odata.nextLink") ?? textAt(body, "nextLink");
}

function causeOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : message;
}
