import type { CloudName } from "../cloud.js";
import { CommandError } from "../terminal/index.js";
import { type Endpoints, endpointsOf } from "./endpoints.js";
import { listAt, textAt } from "./json.js";
import { type Credential, defaultCredential, explained } from "./sign-in.js";
import { type Answer, parsed, Transport, type TransportDependencies } from "./transport.js";

/** Dependencies that tests replace. */
export interface AzureDependencies extends TransportDependencies {
  /** @default the credential that the environment names */
  readonly credential?: Credential;
}

type Environment = Readonly<Record<string, string | undefined>>;
type Query = Readonly<Record<string, string>>;

/** A change of a resource. */
interface ChangeRequest {
  readonly method: "PUT" | "DELETE";
  readonly path: string;
  readonly apiVersion: string;
  readonly body?: unknown;
}

/** The identity that has signed in. */
export interface Caller {
  readonly objectId: string | undefined;
  readonly tenantId: string | undefined;
}

/** Calls Resource Manager and Graph with the caller's own credentials. */
export class Azure {
  /**
   * Signs in. `ARM_METADATA_HOSTNAME` names another cloud, such as a local Azure.
   *
   * @throws {CommandError} when the cloud or `@azure/identity` cannot be reached
   */
  static async signIn(
    cloud: CloudName,
    tenantId: string | undefined,
    env: Environment,
    dependencies: AzureDependencies,
  ): Promise<Azure> {
    const transport = new Transport(env, dependencies);
    const endpoints = await endpointsOf(cloud, env.ARM_METADATA_HOSTNAME, transport);
    const credential =
      dependencies.credential ?? (await defaultCredential(endpoints.login, tenantId, env));
    const explaining = explained(credential, endpoints.login);
    return new Azure(endpoints, transport.with(explaining), explaining);
  }

  private constructor(
    private readonly endpoints: Endpoints,
    private readonly transport: Transport,
    /** The caller's credential. Its errors say what to do. */
    readonly credential: Credential,
  ) {}

  /** Who has signed in, as the token for Resource Manager says. */
  async caller(): Promise<Caller> {
    const scope = `${this.endpoints.resourceManager}/.default`;
    const token = await this.credential.getToken(scope);
    const payload = String(token?.token.split(".")[1]);
    const claims = parsed(Buffer.from(payload, "base64url").toString());
    return { objectId: textAt(claims, "oid"), tenantId: textAt(claims, "tid") };
  }

  /** Reads from Resource Manager. */
  arm(path: string, apiVersion: string, query: Query = {}): Promise<Answer> {
    const url = new URL(this.endpoints.resourceManager + path);
    for (const [name, value] of Object.entries({ "api-version": apiVersion, ...query })) {
      url.searchParams.set(name, value);
    }
    return this.transport.send({ url: url.href, audience: this.endpoints.resourceManager });
  }

  /** Changes something in Resource Manager. */
  change({ method, path, apiVersion, body }: ChangeRequest): Promise<Answer> {
    const { resourceManager: audience } = this.endpoints;
    const url = `${audience}${path}?api-version=${apiVersion}`;
    return this.transport.send({ method, url, audience, body });
  }

  /** Reads the keys of a topic or a namespace. */
  keys(id: string, apiVersion: string): Promise<Answer> {
    const { resourceManager: audience } = this.endpoints;
    const url = `${audience}${id}/listKeys?api-version=${apiVersion}`;
    return this.transport.send({ method: "POST", url, audience });
  }

  /** The URL of an object in Microsoft Graph. */
  graphUrl(path: string): string {
    return `${this.endpoints.graph}/v1.0${path}`;
  }

  graph(path: string, filter?: string): Promise<Answer> {
    const url = new URL(this.graphUrl(path));
    if (filter !== undefined) url.searchParams.set("$filter", filter);
    return this.transport.send({ url: url.href, audience: this.endpoints.graph });
  }

  /** All items of a list of Graph or Resource Manager, page by page. */
  async list(first: Promise<Answer>): Promise<Answer & { readonly items: readonly unknown[] }> {
    let answer = await first;
    const items = [...listAt(answer.body, "value")];
    for (let url = nextLink(answer.body); url !== undefined; url = nextLink(answer.body)) {
      const { resourceManager, graph } = this.endpoints;
      const { origin } = new URL(url);
      // A token goes to the service that it was issued for, and to no other.
      const audience = [resourceManager, graph].find(
        (service) => new URL(service).origin === origin,
      );
      if (audience === undefined) {
        throw new CommandError(`a list is not complete: its next page is at ${origin}`);
      }
      answer = await this.transport.send({ url, audience });
      items.push(...listAt(answer.body, "value"));
    }
    return { ...answer, items };
  }
}

function nextLink(body: unknown): string | undefined {
  return textAt(body, "@odata.nextLink") ?? textAt(body, "nextLink");
}
