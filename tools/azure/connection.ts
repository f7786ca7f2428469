import type { Call, ManagementAnswer } from "../../test/local/support/management-client.js";

/** What a run takes from its surroundings, so that tests can replace it. */
export interface Surroundings {
  readonly fetch: typeof fetch;
  /** A token for the scope, from az or the environment. */
  readonly token: (scope: string) => Promise<string>;
  readonly now: () => number;
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Aborted by Ctrl-C. */
  readonly interrupted: AbortSignal;
  /** Where the results are written. */
  readonly directory: string;
  readonly print: (line: string) => void;
  readonly confirm: (question: string) => Promise<boolean>;
  readonly variables: NodeJS.ProcessEnv;
}

/** A request that the subscription refused. */
export class RefusedError extends Error {
  constructor(
    /** HTTP status; of a failed operation 400. */
    readonly status: number,
    readonly code: string,
    text: string,
    request: string,
  ) {
    super(`${request}: ${status} ${code}: ${text}${adviceFor(status, code)}`);
    this.name = "RefusedError";
  }
}

function adviceFor(status: number, code: string): string {
  if (/quota|limit/i.test(code))
    return " The subscription's quota is used up: free some of it, or use another --region.";
  if (status === 403)
    return " The account that az or the environment names needs the role Owner or Contributor.";
  if (status === 409) return " The name is taken: the next run uses another one.";
  return "";
}

const MANAGEMENT = "https://management.azure.com";
const GRAPH = "https://graph.microsoft.com";
const TRIES = 8;

/** The API version of each resource provider. */
const VERSIONS: readonly (readonly [RegExp, string])[] = [
  [/^\/providers\/Microsoft\.EventGrid\/(?!register$)./i, "2025-02-15"],
  [/^\/providers\/Microsoft\.Authorization\/./i, "2022-04-01"],
  [/^\/providers\/Microsoft\.ManagedIdentity\/./i, "2023-01-31"],
  [/./, "2022-09-01"],
];

/** Calls Resource Manager, and Graph for paths that start with `/v1.0/`. */
export class Connection {
  constructor(
    readonly surroundings: Surroundings,
    private readonly isInterruptible = true,
  ) {}

  /** The same without an end by Ctrl-C, for cleaning up. */
  uninterrupted(): Connection {
    return new Connection(this.surroundings, false);
  }

  /** Sends a request; again when the service throttles or cannot be reached. */
  readonly call: Call = async (method, path, body) => {
    const { fetch, token, wait, interrupted } = this.surroundings;
    const origin = path.startsWith("/v1.0/") ? GRAPH : MANAGEMENT;
    for (let left = TRIES; ; left--) {
      if (this.isInterruptible) interrupted.throwIfAborted();
      const response = await fetch(`${origin}${versioned(path)}`, {
        method,
        headers: {
          authorization: `Bearer ${await token(`${origin}/.default`)}`,
          "content-type": "application/json",
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }).catch((error: Error) => error);
      if (response instanceof Error) {
        if (left === 1) throw new Error(`${method} ${path}: ${response.cause ?? response}`);
        await wait(pauseAfter(new Headers(), TRIES - left));
      } else if ([429, 502, 503, 504].includes(response.status) && left > 1) {
        await wait(pauseAfter(response.headers, TRIES - left));
      } else {
        const text = await response.text();
        const headers = Object.fromEntries(response.headers);
        return { status: response.status, headers, body: text === "" ? undefined : parsed(text) };
      }
    }
  };

  /** As `call`, and waits until the operation has ended. @throws RefusedError */
  async done(method: string, path: string, body?: unknown): Promise<ManagementAnswer> {
    const answer = await this.call(method, path, body);
    refuse(answer, `${method} ${path}`);
    await this.ended(answer, `${method} ${path}`);
    return answer;
  }

  /** Waits until the operation has ended, and returns its status. @throws RefusedError */
  async ended({ headers, status }: ManagementAnswer, request: string): Promise<void> {
    const operation = headers["azure-asyncoperation"] ?? (status === 202 && headers.location);
    if (typeof operation !== "string") return;
    const { pathname, search } = new URL(operation);
    for (;;) {
      const polled = await this.call("GET", `${pathname}${search}`);
      const state: unknown = Object(polled.body).status;
      if (/^(Failed|Canceled)$/i.test(String(state))) {
        const { code = String(state), message = "" } = Object(polled.body).error ?? {};
        throw new RefusedError(400, code, message, request);
      }
      if (typeof state === "string" ? /^Succeeded$/i.test(state) : polled.status !== 202) return;
      await this.surroundings.wait(pauseAfter(new Headers(stringsOf(polled.headers)), 1));
    }
  }
}

/** @throws RefusedError for an error status */
export function refuse({ status, body }: ManagementAnswer, request: string): void {
  if (status < 400) return;
  const { code = "", message = "" } = Object(body).error ?? {};
  throw new RefusedError(status, code, message, request.replace(/\?.*/, ""));
}

function stringsOf(headers: ManagementAnswer["headers"]): Record<string, string> {
  const one = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return Object.fromEntries(one);
}

/** Milliseconds until the next try: as long as the service asks for, and at most two minutes. */
function pauseAfter(headers: Headers, tries: number): number {
  const asked = Number(headers.get("retry-after") ?? Number.NaN);
  return 1000 * Math.min(120, Number.isNaN(asked) ? 2 ** tries : asked);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function versioned(path: string): string {
  if (/[?&]api-version=/.test(path) || path.startsWith("/v1.0/")) return path;
  const [resource = "", query] = path.split("?");
  const version = VERSIONS.find(([pattern]) => pattern.test(lastProvider(resource)))?.[1];
  return `${resource}?${query === undefined ? "" : `${query}&`}api-version=${version}`;
}

/** The part of a resource ID that decides about its version. */
function lastProvider(resource: string): string {
  return resource.slice(Math.max(0, resource.toLowerCase().lastIndexOf("/providers/")));
}
