import type { Answer, Json, Send } from "./json-client.js";
import { stringAt } from "./json-client.js";
import { eventually, type Pace } from "./pace.js";
import { doing, Refusal } from "./refusal.js";

/** Authenticated JSON calls to one of the cloud's services, paths taken from its root. */
export class ServiceClient {
  readonly pace: Pace;
  readonly #origin: string;
  readonly #send: Send;
  readonly #token: string;

  constructor(options: { origin: string; send: Send; token: string; pace: Pace }) {
    this.pace = options.pace;
    this.#origin = options.origin;
    this.#send = options.send;
    this.#token = options.token;
  }

  /** @throws Refusal when the answer is no success. */
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

  /** What is there; `undefined` when nothing is. */
  async find(path: string): Promise<Json | undefined> {
    try {
      return await this.get(path);
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) return undefined;
      throw error;
    }
  }

  /** Sends a change and waits until the operation that it starts has ended. */
  async change(method: "PUT" | "PATCH", path: string, body: Json, name: string): Promise<void> {
    const answer = await this.call(method, path, body);
    const operation = answer.headers["azure-asyncoperation"] ?? answer.headers.location;
    if (typeof operation !== "string") return;
    await doing(`polling after ${name}`, () => eventually(this.pace, () => this.#ended(operation)));
  }

  /** Deletes and waits until it is gone. Something that was not there is gone too. */
  async remove(path: string): Promise<void> {
    try {
      await this.call("DELETE", path);
    } catch (error) {
      if (!(error instanceof Refusal && error.status === 404)) throw error;
    }
    await doing("polling after Delete", () =>
      eventually(this.pace, async () => ((await this.find(path)) === undefined ? true : undefined)),
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
