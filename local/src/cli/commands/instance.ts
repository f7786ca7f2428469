import { resolve } from "node:path";
import { LocalCloudError } from "../../base/index.js";
import type { CommandInput, CommandName, CommandResult } from "../../commands/index.js";
import type { PublishTarget } from "../../dashboard/index.js";
import { requireRunningInstance } from "../running-instance.js";
import type { Terminal } from "../terminal.js";

/** How a command finds the running cloud. */
export interface InstanceOptions {
  /** Where the running instance left its address. */
  readonly directory: string;
  /** Address of an instance elsewhere, for example in a container. */
  readonly url?: string | undefined;
  readonly token?: string | undefined;
}

/** The HTTP commands of a running cloud. */
export class Instance {
  /** @throws LocalCloudError `ERR_NOT_RUNNING` */
  static async find(options: InstanceOptions, terminal: Terminal): Promise<Instance> {
    if (options.url !== undefined) {
      if (!URL.canParse(options.url) || !/^https?:/i.test(options.url)) {
        throw new LocalCloudError(
          "ERR_COMMAND_LINE",
          `--url must be an address such as http://127.0.0.1:7071, not '${options.url}'.`,
        );
      }
      return new Instance(options.url, options.token, terminal.interrupted);
    }
    const directory = resolve(terminal.directory, options.directory);
    const running = await requireRunningInstance(directory);
    const url = `http://127.0.0.1:${running.port}`;
    return new Instance(url, options.token ?? running.token, terminal.interrupted);
  }

  private constructor(
    private readonly url: string,
    private readonly token: string | undefined,
    private readonly interrupted: AbortSignal,
  ) {}

  /** Runs a command of the table. */
  async call<Name extends CommandName>(
    name: Name,
    input: CommandInput<Name> | Record<string, never> = {},
  ): Promise<CommandResult<Name>> {
    return this.send(name, input) as Promise<CommandResult<Name>>;
  }

  /** Runs a command whose name is known when it runs. */
  async send(name: string, input: unknown): Promise<unknown> {
    const text = await (await this.#request(name, input)).text();
    return text === "" ? undefined : JSON.parse(text);
  }

  /** The data of server-sent events, until the stream ends or the command is interrupted. */
  async *stream<T>(name: CommandName, input: unknown): AsyncGenerator<T> {
    const { body } = await this.#request(name, input);
    let text = "";
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const messages = text.split("\n\n");
      text = messages.pop() ?? "";
      for (const message of messages) {
        const data = /^data: (.*)$/m.exec(message)?.[1];
        if (data !== undefined) yield JSON.parse(data);
      }
    }
  }

  /** Publishes to a topic as any client does: to its endpoint. */
  async publish(
    target: Pick<PublishTarget, "url" | "headers">,
    contentType: string,
    body: string,
  ): Promise<void> {
    // The endpoint may name a host that only other containers know.
    const { pathname, search } = new URL(target.url);
    const url = new URL(`${pathname}${search}`, this.url);
    await this.#fetch(url, {
      method: "POST",
      headers: { ...target.headers, "content-type": contentType },
      body,
    });
  }

  #request(name: string, input: unknown): Promise<Response> {
    const [method = "", path = ""] = name.split(" ");
    const url = new URL(`/local/${path}`, this.url);
    if (method === "GET") url.search = String(new URLSearchParams(definedFields(input)));
    return this.#fetch(url, {
      method,
      headers: {
        ...(this.token === undefined ? {} : { authorization: `Bearer ${this.token}` }),
        ...(method === "POST" ? { "content-type": "application/json" } : {}),
      },
      ...(method === "POST" ? { body: JSON.stringify(input) } : {}),
    });
  }

  async #fetch(url: URL, init: RequestInit): Promise<Response> {
    const response = await fetch(url, { ...init, signal: this.interrupted }).catch((cause) => {
      if (this.interrupted.aborted) throw cause;
      throw new LocalCloudError(
        "ERR_NOT_RUNNING",
        `No local Azure answers at ${url.origin}. Start it with npx --no cloud-eventgrid-local.`,
        {
          cause,
        },
      );
    });
    if (response.ok) return response;
    const text = await response.text();
    throw new LocalCloudError("ERR_REFUSED", messageIn(text) ?? `${response.status} ${text}`);
  }
}

function definedFields(input: unknown): Record<string, string> {
  const given = Object.entries(Object(input)).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

/** Services wrap their message into an error object. */
function messageIn(text: string): string | undefined {
  try {
    const { error }: { error?: { message?: unknown } } = JSON.parse(text);
    return typeof error?.message === "string" ? error.message : undefined;
  } catch {
    return undefined;
  }
}
