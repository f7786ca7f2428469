import type { PublishTarget } from "../dashboard/index.js";
import type { CommandInput, CommandName, CommandResult } from "./commands.js";

/** Calls a running cloud over HTTP: from the command line, and from the page in a browser. */
export class CommandClient {
  /** @param fetchPath sends a request to a path of the cloud, and rejects unless it succeeds */
  constructor(private readonly fetchPath: (path: string, init: RequestInit) => Promise<Response>) {}

  /** Runs a command of the table. */
  async call<Name extends CommandName>(
    name: Name,
    ...[input]: Record<string, never> extends CommandInput<Name>
      ? [CommandInput<Name>?]
      : [CommandInput<Name>]
  ): Promise<CommandResult<Name>> {
    return this.send(name, input) as Promise<CommandResult<Name>>;
  }

  /** Runs a command whose name is known when it runs. */
  async send(name: string, input: unknown): Promise<unknown> {
    const text = await (await this.#request(name, input)).text();
    return text === "" ? undefined : JSON.parse(text);
  }

  /** The data of server-sent events, until the stream ends or the signal aborts. */
  async *stream<T>(name: CommandName, input: unknown, signal?: AbortSignal): AsyncGenerator<T> {
    const { body } = await this.#request(name, input, signal);
    // Not every browser can iterate over a stream.
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (reader) {
      const { value, done } = await reader.read();
      if (done) return;
      text += value;
      const messages = text.split("\n\n");
      text = String(messages.pop());
      for (const message of messages) {
        const data = /^data: (.*)$/m.exec(message)?.[1];
        if (data !== undefined) yield JSON.parse(data);
      }
    }
  }

  /** Publishes to a topic as any client does. */
  async publish(target: PublishTarget, contentType: string, body: string): Promise<void> {
    // The endpoint may name a host that only other containers know.
    const { pathname, search } = new URL(target.url);
    const headers = { ...target.headers, "content-type": contentType };
    await this.fetchPath(`${pathname}${search}`, { method: "POST", headers, body });
  }

  #request(name: string, input: unknown, signal?: AbortSignal): Promise<Response> {
    const method = name.replace(/ .*/, "");
    const path = name.slice(method.length + 1);
    if (method === "POST") {
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify(input ?? {});
      return this.fetchPath(`/local/${path}`, { method, headers, body, ...(signal && { signal }) });
    }
    const query = new URLSearchParams();
    for (const [field, value] of Object.entries(Object(input))) {
      if (value !== undefined) query.set(field, String(value));
    }
    return this.fetchPath(`/local/${path}?${query}`, { method, ...(signal && { signal }) });
  }
}

/** Why a request was refused: code and message of the service, which are in an error object. */
export async function refusalIn(
  response: Response,
): Promise<{ readonly code: string; readonly message: string }> {
  const text = await response.text();
  try {
    const { error } = JSON.parse(text);
    // Another server may answer, with numbers for codes.
    if (typeof error.message === "string")
      return { code: String(error.code), message: error.message };
  } catch {
    // A proxy may answer with another text.
  }
  return { code: "", message: `${response.status} ${text}` };
}
