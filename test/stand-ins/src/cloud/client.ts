import { STATUS_CODES } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { createSecureContext } from "node:tls";
import { Agent, request } from "undici";
import { type Attributes, isAttributes, text, type Value } from "../values/value.js";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Value;
}

/** Sends one request and parses the JSON of its answer, whatever the status. */
export type Send = (
  method: string,
  url: string,
  headers?: Readonly<Record<string, string>>,
  body?: string,
) => Promise<Answer>;

let latest: { readonly ca: string | undefined; readonly agent: Agent } | undefined;

/** The latest connections are kept, because parsing a bundle takes longer than a request. */
function agentFor(ca: string | undefined): Agent {
  if (latest === undefined || latest.ca !== ca) {
    const secureContext = createSecureContext(ca === undefined ? {} : { ca });
    latest = { ca, agent: new Agent({ connect: { secureContext }, headersTimeout: 60_000 }) };
  }
  return latest.agent;
}

/**
 * A sender that trusts the certificate authorities in `ca` (PEM), or by default those of the process.
 * The signal aborts all requests.
 */
export function sender(ca: string | undefined, signal: AbortSignal): Send {
  const dispatcher = agentFor(ca);
  return async (method, url, headers, body = "") => {
    const options = { dispatcher, signal, method: method as "GET", headers: { ...headers } };
    const answer = await request(url, { ...options, ...(body !== "" && { body }) });
    const content = await answer.body.text();
    const parsed: Value = content === "" ? null : JSON.parse(content);
    return { status: answer.statusCode, headers: answer.headers, body: parsed };
  };
}

/** A service's error response, worded as the real providers word it. */
class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;

  constructor({ status, body }: Answer) {
    const code = text(body, "error.code");
    const detail = code === "" ? JSON.stringify(body) : `${code}: ${text(body, "error.message")}`;
    super(`unexpected status ${status} (${status} ${STATUS_CODES[status]}) with error: ${detail}`);
    this.status = status;
  }
}

/** Runs `work`, and prefixes the message of an error with `what` was being done. */
export async function doing<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${what}: ${reason}`, { cause: error });
  }
}

/** Authenticated JSON calls to one of the cloud's services. Paths are relative to its origin. */
export class ServiceClient {
  constructor(
    private readonly origin: string,
    private readonly token: string,
    private readonly send: Send,
    /** Ends all waiting immediately. */
    private readonly signal: AbortSignal,
  ) {}

  /** @throws Refusal when the service answers with an error. */
  async call(method: string, path: string, body?: object): Promise<Answer> {
    const url = path.startsWith("https://") ? path : `${this.origin}${path}`;
    const headers = { authorization: `Bearer ${this.token}`, "content-type": "application/json" };
    const answer = await this.send(method, url, headers, body && JSON.stringify(body));
    if (answer.status >= 400) throw new Refusal(answer);
    return answer;
  }

  async get(path: string): Promise<Value> {
    return (await this.call("GET", path)).body;
  }

  /** Gets the resource at the path; `undefined` if there is none. */
  async find(path: string): Promise<Attributes | undefined> {
    const found = await this.get(path).catch(ifMissing);
    return isAttributes(found) ? found : undefined;
  }

  /** Writes a resource and waits for the end of the operation that this starts. */
  async put(path: string, body: object, onAccepted = () => {}): Promise<void> {
    const { headers } = await this.call("PUT", path, body);
    onAccepted();
    const operation = headers["azure-asyncoperation"] ?? headers.location;
    if (typeof operation !== "string") return;
    await doing("polling after CreateOrUpdate", () => this.until(() => this.#hasEnded(operation)));
  }

  /** Deletes a resource and waits until it is gone. A missing resource is no error. */
  async remove(path: string): Promise<void> {
    await this.call("DELETE", path).catch(ifMissing);
    await doing("polling after Delete", () =>
      this.until(async () => (await this.find(path)) === undefined),
    );
  }

  /** Polls until something holds. The real providers wait up to thirty minutes. */
  async until(holds: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + 60_000;
    while (!(await holds())) {
      if (Date.now() >= deadline) throw new Error("context deadline exceeded");
      await sleep(100, undefined, { signal: this.signal });
    }
  }

  async #hasEnded(operation: string): Promise<boolean> {
    const body = await this.get(operation);
    const status = text(body, "status");
    if (status !== "Failed" && status !== "Canceled") return status === "Succeeded";
    throw new Error(
      [
        "polling failed: the Azure API returned the following error:",
        "",
        `Status: ${JSON.stringify(status)}`,
        `Code: ${JSON.stringify(text(body, "error.code"))}`,
        `Message: ${JSON.stringify(text(body, "error.message"))}`,
      ].join("\n"),
    );
  }
}

function ifMissing(error: unknown): undefined {
  if (!(error instanceof Refusal && error.status === 404)) throw error;
}
