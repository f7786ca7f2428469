import {
  bearerTokenAuthenticationPolicy,
  createDefaultHttpClient,
  createEmptyPipeline,
  createPipelineRequest,
  defaultRetryPolicy,
  type HttpClient,
  type Pipeline,
  type PipelinePolicy,
  proxyPolicy,
  tlsPolicy,
} from "@azure/core-rest-pipeline";
import { MINUTE_MS, SECOND_MS } from "cloud-eventgrid-binding-runtime/internal";
import { proxyFor } from "../proxy.js";
import { CommandError } from "../terminal/index.js";
import { textAt } from "./json.js";
import type { Credential } from "./sign-in.js";

/** Dependencies that tests replace. */
export interface TransportDependencies {
  /** @default Node's HTTP client */
  readonly httpClient?: HttpClient;
  /** Certificate authorities to trust besides the usual ones, as PEM. */
  readonly ca?: string;
  /** Milliseconds before the first retry, which double with each. @default 1000 */
  readonly retryDelayMs?: number;
}

/** A request to a service of Azure. */
interface Call {
  /** @default "GET" */
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  readonly url: string;
  /** The service that the token is for; no token without it. */
  readonly audience?: string | undefined;
  readonly body?: unknown;
}

export interface Answer {
  readonly status: number;
  /** The parsed JSON; undefined for anything else. */
  readonly body: unknown;
  /** The error's code, such as `AuthorizationFailed`. */
  readonly code?: string | undefined;
  readonly message?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Nothing listens at the address, or there is no such name. */
const FINAL_CODES: ReadonlySet<unknown> = new Set(["ECONNREFUSED", "ENOTFOUND"]);

/**
 * Sends requests through the proxy of `HTTPS_PROXY`, and repeats those that are answered with 5xx, or
 * with 429 and a `Retry-After` of at most a minute. A wrong address fails at once.
 */
export class Transport {
  readonly #httpClient: HttpClient;
  readonly #pipelines = new Map<string, Pipeline>();

  constructor(
    private readonly env: Environment,
    private readonly dependencies: TransportDependencies,
    private readonly credential?: Credential,
  ) {
    const client = dependencies.httpClient ?? httpClient();
    this.#httpClient = {
      sendRequest: (request) =>
        client.sendRequest(request).catch((error) => {
          // The pipeline repeats only errors of its own kind.
          throw FINAL_CODES.has(error.code) ? notReached(request.url, error) : error;
        }),
    };
  }

  /** A transport that adds the credential's tokens. */
  with(credential: Credential): Transport {
    return new Transport(this.env, this.dependencies, credential);
  }

  /** @throws {CommandError} when there is no answer or no token */
  async send({ method = "GET", url, audience = "", body }: Call): Promise<Answer> {
    const request = createPipelineRequest({
      method,
      url,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    request.headers.set("accept", "application/json");
    if (body !== undefined) request.headers.set("content-type", "application/json");
    const pipeline = this.#pipeline(new URL(url), audience);
    try {
      const { status, bodyAsText } = await pipeline.sendRequest(this.#httpClient, request);
      const answer = parsed(bodyAsText);
      const code = textAt(answer, "error", "code");
      const message = textAt(answer, "error", "message");
      return { status, body: answer, code, message };
    } catch (error) {
      if (error instanceof CommandError) throw error;
      throw notReached(url, error);
    }
  }

  #pipeline(url: URL, audience: string): Pipeline {
    const key = `${url.origin} ${audience}`;
    const known = this.#pipelines.get(key);
    if (known !== undefined) return known;
    const pipeline = retryingPipeline(url, this.env, this.dependencies);
    if (this.credential !== undefined && audience !== "") {
      const { credential } = this;
      const scopes = `${audience}/.default`;
      pipeline.addPolicy(bearerTokenAuthenticationPolicy({ credential, scopes }));
    }
    this.#pipelines.set(key, pipeline);
    return pipeline;
  }
}

/** The longest wait that an answer can ask for before a request is repeated: its caller waits, too. */
const LONGEST_WAIT_MS = MINUTE_MS;

/** Header fields that ask for a wait, with the milliseconds of their unit. */
const WAITS = { "retry-after": SECOND_MS, "retry-after-ms": 1, "x-ms-retry-after-ms": 1 };

/** Takes longer waits out of answers, so that an answer with one is final if its status is 429. */
const impatience: PipelinePolicy = {
  name: "impatience",
  async sendRequest(request, next) {
    const response = await next(request);
    for (const [name, unit] of Object.entries(WAITS)) {
      const value = response.headers.get(name) ?? "0";
      const wait = /^\d+$/.test(value) ? Number(value) * unit : Date.parse(value) - Date.now();
      if (wait > LONGEST_WAIT_MS) response.headers.delete(name);
    }
    return response;
  },
};

/** The longest that Event Grid waits for an answer, too. */
const TIMEOUT_MS = 30_000;

/**
 * Node's HTTP client with a timeout for each attempt. The client's own timer would go on after a
 * failure, and the process with it.
 */
export function httpClient(timeoutMs = TIMEOUT_MS): HttpClient {
  const client = createDefaultHttpClient();
  return {
    async sendRequest(request) {
      const attempt = new AbortController();
      const timer = setTimeout(() => attempt.abort(), timeoutMs);
      try {
        return await client.sendRequest({ ...request, abortSignal: attempt.signal });
      } catch (error) {
        // The client's own message names its parts.
        throw attempt.signal.aborted ? new Error(`no answer in ${timeoutMs / SECOND_MS} s`) : error;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** A pipeline to the URL's host: through the proxy of `HTTPS_PROXY`, with retries. */
export function retryingPipeline(
  url: URL,
  env: Environment,
  { ca, retryDelayMs }: Omit<TransportDependencies, "httpClient">,
): Pipeline {
  const pipeline = createEmptyPipeline();
  const proxy = proxyFor(url, env);
  if (proxy !== undefined) pipeline.addPolicy(proxyPolicy(proxySettings(proxy)));
  if (ca !== undefined) pipeline.addPolicy(tlsPolicy({ ca }));
  pipeline.addPolicy(
    defaultRetryPolicy(retryDelayMs === undefined ? {} : { retryDelayInMs: retryDelayMs }),
    { phase: "Retry" },
  );
  pipeline.addPolicy(impatience, { afterPhase: "Retry" });
  return pipeline;
}

function proxySettings({ protocol, hostname, port, username, password }: URL) {
  return {
    host: `${protocol}//${hostname}`,
    port: Number(port || (protocol === "https:" ? 443 : 80)),
    ...(username !== "" && { username, password }),
  };
}

/** The JSON in a text; undefined for anything else. */
export function parsed(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}

function notReached(url: string, error: unknown): CommandError {
  return new CommandError(`${new URL(url).origin} cannot be reached: ${causeOf(error)}`);
}

function causeOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : message;
}
