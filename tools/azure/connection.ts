import { DefaultAzureCredential, getBearerTokenProvider } from "@azure/identity";
import type { Call, ManagementAnswer } from "../../test/local/support/management-client.js";
import type { Translation } from "./translation.js";

/** What a run takes from its surroundings, so that tests can replace it. */
export interface Surroundings {
  readonly fetch: typeof fetch;
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Aborted by Ctrl-C. */
  readonly interrupted: AbortSignal;
  /** Where the results are written. */
  readonly directory: string;
}

/** A request that the subscription refused. */
export class RefusedError extends Error {
  constructor(
    /** HTTP status; of a failed operation 400. */
    readonly status: number,
    body: unknown,
    request: string,
  ) {
    const { code = "", message = "" } = Object(body).error ?? {};
    const [, advice = ""] = ADVICE.find(([codes]) => codes.test(code)) ?? [];
    super(`${request.replace(/\?.*/, "")}: ${status} ${code}: ${message} ${advice}`.trimEnd());
    this.name = "RefusedError";
  }
}

/** What to do, by the code of the error. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /quota|limit/i,
    "The subscription's quota is used up: free some of it, or use another --region.",
  ],
  [/^LocationNotAvailable|^NoRegisteredProvider/, "Use another --region."],
  [
    /AuthorizationFailed$/,
    "The account of az or the environment needs the role Owner, or Contributor and Role Based Access Control Administrator.",
  ],
  [/^Authorization_/, "In Entra, the account needs the role Application Developer."],
  [/Taken$|Exists$|^Conflict$/, "The name is taken: the next run uses another one."],
  [/^InvalidAuthenticationTokenTenant$/, "Sign in with az login --tenant TENANT."],
];

const MANAGEMENT = "https://management.azure.com";
const GRAPH = "https://graph.microsoft.com";
const TRIES = 8;
const RETRIED: readonly number[] = [408, 429, 500, 502, 503, 504];

/** The API version by what follows the last `/providers/` of a path. */
const VERSIONS: readonly (readonly [RegExp, string])[] = [
  [/^Microsoft\.EventGrid\/(?!register$)./i, "2025-02-15"],
  [/^Microsoft\.Authorization\/./i, "2022-04-01"],
  [/^Microsoft\.ManagedIdentity\/(?!register$)./i, "2023-01-31"],
  [/^/, "2022-09-01"],
];

/** The states in which an operation has ended, or waits for a person. */
const ENDED = /^(Succeeded|Failed|Canceled|AwaitingManualAction)$/i;

/** Keeps its token until shortly before its end, because az takes a second for each. */
const tokensFor = (origin: string) =>
  getBearerTokenProvider(new DefaultAzureCredential(), `${origin}/.default`);

/** Requests to the subscription. With a translation, they and their answers have the names of rows. */
export class Connection {
  readonly #managementToken = tokensFor(MANAGEMENT);
  readonly #graphToken = tokensFor(GRAPH);

  constructor(
    readonly surroundings: Surroundings,
    private readonly translation?: Translation,
  ) {}

  /**
   * Calls Resource Manager, and Graph for paths that start with `/v1.0/`. The answer to the `GET` of
   * an operation comes when it has ended.
   */
  readonly call: Call = async (method, path, body) => {
    const isOperation = /\/operation(sStatus|Results)\//i.test(path);
    return isOperation ? this.#ended(path) : this.#request(method, path, body);
  };

  #request(method: string, path: string, body?: unknown): Promise<ManagementAnswer> {
    const isGraph = path.startsWith("/v1.0/");
    const url = isGraph ? `${GRAPH}${path}` : `${MANAGEMENT}${versioned(path)}`;
    const token = isGraph ? this.#graphToken : this.#managementToken;
    return this.send(method, url, async () => `Bearer ${await token()}`, body);
  }

  /** Polls an operation until it has ended. */
  async #ended(path: string): Promise<ManagementAnswer> {
    for (;;) {
      const answer = await this.#request("GET", path);
      const state: unknown = Object(answer.body).status;
      const hasEnded = typeof state === "string" ? ENDED.test(state) : answer.status !== 202;
      if (hasEnded) return answer;
      await this.surroundings.wait(pauseAfter(answer, 3));
    }
  }

  /** Sends a request, and repeats it while the service throttles or cannot be reached. */
  async send(
    method: string,
    url: string,
    authorization: () => Promise<string>,
    body?: unknown,
    contentType = "application/json",
  ): Promise<ManagementAnswer> {
    const { surroundings, translation } = this;
    const there = (text: string) => translation?.there(text) ?? text;
    const back = (text: string) => translation?.back(text) ?? text;
    for (let tries = 1; ; tries++) {
      surroundings.interrupted.throwIfAborted();
      const response = await surroundings
        .fetch(there(url), {
          method,
          headers: { authorization: await authorization(), "content-type": contentType },
          body: body === undefined ? null : there(JSON.stringify(body)),
        })
        .catch(unreachable);
      const { status } = response;
      const content: unknown = await response.json().catch(() => undefined);
      const received = { status, headers: Object.fromEntries(response.headers), body: content };
      const answer: ManagementAnswer = JSON.parse(back(JSON.stringify(received)));
      if (!RETRIED.includes(status)) return answer;
      if (tries === TRIES) throw new RefusedError(status, answer.body, `${method} ${url}`);
      await surroundings.wait(pauseAfter(answer, tries));
    }
  }

  /** Sends a request, waits until its operation has ended, and returns the body. @throws RefusedError */
  async done(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await this.call(method, path, body);
    await this.succeeded(answer, `${method} ${path}`);
    return answer.body;
  }

  /** Waits until the operation of a request has succeeded. @throws RefusedError */
  async succeeded(answer: ManagementAnswer, request: string): Promise<void> {
    const { status, headers, body } = answer;
    if (status >= 400) throw new RefusedError(status, body, request);
    const operation = headers["azure-asyncoperation"] ?? (status === 202 && headers.location);
    if (typeof operation !== "string") return;
    const { pathname, search } = new URL(operation);
    const { status: last, body: result } = await this.#ended(`${pathname}${search}`);
    const state = Object(result).status ?? (last < 400 ? "Succeeded" : "Failed");
    if (!/^Succeeded$/i.test(state)) throw new RefusedError(400, result, request);
  }
}

/** The answer of a service that cannot be reached, so that the request is sent again. */
function unreachable({ cause, message }: Error): Response {
  const error = { code: "Unreachable", message: String(cause ?? message) };
  return Response.json({ error }, { status: 503 });
}

/** Milliseconds until the next try: as long as the service asks for, and at most two minutes. */
function pauseAfter({ headers }: ManagementAnswer, tries: number): number {
  const asked = Number(headers["retry-after"] ?? Number.NaN);
  return 1000 * Math.min(120, Number.isNaN(asked) ? 2 ** (tries - 1) : asked);
}

function versioned(path: string): string {
  if (/[?&]api-version=/.test(path)) return path;
  const [resource = "", query] = path.split("?");
  const provider = resource.split(/\/providers\//i).at(-1) ?? "";
  const version = VERSIONS.find(([pattern]) => pattern.test(provider))?.[1];
  return `${resource}?${query === undefined ? "" : `${query}&`}api-version=${version}`;
}
