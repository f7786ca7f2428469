import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, type Json, type Send, stringAt } from "./json-client.js";
import { doing, Refusal } from "./refusal.js";

/** Milliseconds between two polls of the cloud. */
const POLL_INTERVAL = 100;

/** Milliseconds after which a stand-in gives up. The real providers wait up to thirty minutes. */
const POLL_TIMEOUT = 60_000;

interface ServiceOptions {
  readonly origin: string;
  readonly send: Send;
  readonly token: string;
  /** Ends all waiting immediately. */
  readonly signal: AbortSignal;
}

/** Authenticated JSON calls to one of the cloud's services. Paths are relative to its origin. */
export class ServiceClient {
  readonly #options: ServiceOptions;

  constructor(options: ServiceOptions) {
    this.#options = options;
  }

  /** @throws Refusal when the service answers with an error. */
  async call(method: string, path: string, body?: Json): Promise<Answer> {
    const { origin, send, token } = this.#options;
    const answer = await send({
      method,
      url: path.startsWith("https://") ? path : `${origin}${path}`,
      headers: {
        authorization: `Bearer ${token}`,
        accept: "application/json",
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (answer.status >= 400) throw Refusal.of(answer);
    return answer;
  }

  async get(path: string): Promise<Json> {
    return (await this.call("GET", path)).body;
  }

  /** Gets the resource at the path; `undefined` if there is none. */
  async find(path: string): Promise<Json | undefined> {
    try {
      return await this.get(path);
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) return undefined;
      throw error;
    }
  }

  /** Sends a change and waits for the end of the operation that it starts. */
  async change(method: "PUT" | "PATCH", path: string, body: Json, name: string): Promise<void> {
    const answer = await this.call(method, path, body);
    const operation = answer.headers["azure-asyncoperation"] ?? answer.headers.location;
    if (typeof operation !== "string") return;
    await doing(`polling after ${name}`, () => this.eventually(() => this.#ended(operation)));
  }

  /** Deletes a resource and waits until it is gone. A missing resource is no error. */
  async remove(path: string): Promise<void> {
    try {
      await this.call("DELETE", path);
    } catch (error) {
      if (!(error instanceof Refusal && error.status === 404)) throw error;
    }
    await doing("polling after Delete", () =>
      this.eventually(async () => ((await this.find(path)) === undefined ? true : undefined)),
    );
  }

  /**
   * Calls `poll` until it has a result.
   *
   * @throws Go's error message, which users of the real providers know, after the timeout.
   */
  async eventually<Result>(poll: () => Promise<Result | undefined>): Promise<Result> {
    const deadline = Date.now() + POLL_TIMEOUT;
    for (;;) {
      const result = await poll();
      if (result !== undefined) return result;
      if (Date.now() >= deadline) throw new Error("context deadline exceeded");
      await sleep(POLL_INTERVAL, undefined, { signal: this.#options.signal });
    }
  }

  async #ended(operation: string): Promise<true | undefined> {
    const body = await this.get(operation);
    const status = stringAt(body, "status");
    if (status === "Succeeded") return true;
    if (status !== "Failed" && status !== "Canceled") return undefined;
    throw new Error(
      [
        "polling failed: the Azure API returned the following error:",
        "",
        `Status: ${JSON.stringify(status)}`,
        `Code: ${JSON.stringify(stringAt(body, "error", "code"))}`,
        `Message: ${JSON.stringify(stringAt(body, "error", "message"))}`,
      ].join("\n"),
    );
  }
}
