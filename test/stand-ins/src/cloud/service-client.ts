import type { Answer, Json, Send } from "./json-client.js";
import { stringAt } from "./json-client.js";
import { eventually, type Polling } from "./polling.js";
import { doing, Refusal } from "./refusal.js";

/** Authenticated JSON calls to one of the cloud's services. Paths are relative to its origin. */
export class ServiceClient {
  readonly polling: Polling;
  readonly #origin: string;
  readonly #send: Send;
  readonly #token: string;

  constructor(options: { origin: string; send: Send; token: string; polling: Polling }) {
    this.polling = options.polling;
    this.#origin = options.origin;
    this.#send = options.send;
    this.#token = options.token;
  }

  /** @throws Refusal when the service answers with an error. */
  async call(method: string, path: string, body?: Json): Promise<Answer> {
    const answer = await this.#send({
      method,
      url: path.startsWith("https://") ? path : `${this.#origin}${path}`,
      headers: {
        authorization: `Bearer ${this.#token}`,
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
    await doing(`polling after ${name}`, () =>
      eventually(this.polling, () => this.#ended(operation)),
    );
  }

  /** Deletes a resource and waits until it is gone. A missing resource is no error. */
  async remove(path: string): Promise<void> {
    try {
      await this.call("DELETE", path);
    } catch (error) {
      if (!(error instanceof Refusal && error.status === 404)) throw error;
    }
    await doing("polling after Delete", () =>
      eventually(this.polling, async () =>
        (await this.find(path)) === undefined ? true : undefined,
      ),
    );
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
