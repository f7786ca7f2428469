import type { Call, ManagementAnswer } from "../../test/local/support/management-client.js";

/** What a run takes from its surroundings, so that tests can replace it. */
export interface Surroundings {
  readonly fetch: typeof fetch;
  /** A token for the scope, from az or the environment. */
  readonly token: (scope: string) => Promise<string>;
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
    const what = request.replace(/\?.*/, "");
    super(`${what}: ${status} ${code}: ${message}${adviceFor(status, code)}`);
    this.name = "RefusedError";
  }
}

function adviceFor(status: number, code: string): string {
  if (/quota|limit/i.test(code))
    return " The subscription's quota is used up: free some of it, or use another --region.";
  if (status === 403)
    return " The account of az or the environment needs the role Owner, or Contributor and Role Based Access Control Administrator.";
  if (status === 409) return " The name is taken: the next run uses another one.";
  return "";
}

const MANAGEMENT = "https://management.azure.com";
const GRAPH = "https://graph.microsoft.com";
const TRIES = 8;
const RETRIED: readonly number[] = [429, 502, 503, 504];

/** The API version by what follows the last `/providers/` of a path. */
const VERSIONS: readonly (readonly [RegExp, string])[] = [
  [/^Microsoft\.EventGrid\/(?!register$)./i, "2025-02-15"],
  [/^Microsoft\.Authorization\/./i, "2022-04-01"],
  [/^Microsoft\.ManagedIdentity\/./i, "2023-01-31"],
  [/^/, "2022-09-01"],
];

/** Calls Resource Manager, and Graph for paths that start with `/v1.0/`. */
export class Connection {
  constructor(readonly surroundings: Surroundings) {}

  /** Sends a request, and repeats it while the service throttles or cannot be reached. */
  readonly call: Call = async (method, path, body) => {
    const { fetch, token, wait, interrupted } = this.surroundings;
    const origin = path.startsWith("/v1.0/") ? GRAPH : MANAGEMENT;
    for (let tries = 1; ; tries++) {
      interrupted.throwIfAborted();
      const authorization = `Bearer ${await token(`${origin}/.default`)}`;
      const response = await fetch(`${origin}${versioned(path)}`, {
        method,
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify(body),
      }).catch(unreachable);
      const { status } = response;
      const headers = Object.fromEntries(response.headers);
      const answer: unknown = await response.json().catch(() => undefined);
      if (!RETRIED.includes(status)) return { status, headers, body: answer };
      if (tries === TRIES) throw new RefusedError(status, answer, `${method} ${path}`);
      await wait(pauseAfter(headers["retry-after"], tries));
    }
  };

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
    const { status: last, body: result } = await this.ended(`${pathname}${search}`);
    const state = Object(result).status ?? (last < 400 ? "Succeeded" : "Failed");
    if (!/^Succeeded$/i.test(state)) throw new RefusedError(400, result, request);
  }

  /** Polls an operation until it has ended or waits for a person. @returns the last answer */
  async ended(operation: string): Promise<ManagementAnswer> {
    for (;;) {
      const answer = await this.call("GET", operation);
      const state: unknown = Object(answer.body).status;
      const hasEnded =
        typeof state === "string"
          ? /^(Succeeded|Failed|Canceled|AwaitingManualAction)$/i.test(state)
          : answer.status !== 202;
      if (hasEnded) return answer;
      await this.surroundings.wait(pauseAfter(answer.headers["retry-after"], 1));
    }
  }
}

/** The answer of a service that cannot be reached, so that the request is sent again. */
function unreachable({ cause, message }: Error): Response {
  const error = { code: "Unreachable", message: String(cause ?? message) };
  return Response.json({ error }, { status: 503 });
}

/** Milliseconds until the next try: as long as the service asks for, and at most two minutes. */
function pauseAfter(retryAfter: unknown, tries: number): number {
  const asked = Number(retryAfter ?? Number.NaN);
  return 1000 * Math.min(120, Number.isNaN(asked) ? 2 ** (tries - 1) : asked);
}

function versioned(path: string): string {
  if (/[?&]api-version=/.test(path) || path.startsWith("/v1.0/")) return path;
  const [resource = "", query] = path.split("?");
  const provider = resource.split(/\/providers\//i).at(-1) ?? "";
  const version = VERSIONS.find(([pattern]) => pattern.test(provider))?.[1];
  return `${resource}?${query === undefined ? "" : `${query}&`}api-version=${version}`;
}
