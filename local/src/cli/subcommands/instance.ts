import { resolve } from "node:path";
import { isHttpUrl, LocalCloudError, type LocalCloudErrorCode } from "../../base/index.js";
import { CommandClient, refusalIn } from "../../commands/index.js";
import { requireRunningInstance } from "../running-instance.js";
import type { Terminal } from "../terminal.js";

/** The options by which a command finds the running cloud. */
export interface InstanceOptions {
  /** Where the running instance left its address. */
  readonly directory: string;
  /** Address of an instance elsewhere, for example in a container. */
  readonly url?: string | undefined;
  readonly token?: string | undefined;
}

/** @throws LocalCloudError `ERR_NOT_RUNNING` */
export async function findInstance(
  { url, token, directory }: InstanceOptions,
  terminal: Terminal,
): Promise<CommandClient> {
  if (url === undefined) {
    const running = await requireRunningInstance(resolve(terminal.directory, directory));
    const address = `http://${running.host}:${running.port}`;
    return clientOf(address, token ?? running.token, terminal.interrupted);
  }
  if (isHttpUrl(url)) return clientOf(url, token, terminal.interrupted);
  throw new LocalCloudError(
    "ERR_COMMAND_LINE",
    `--url must be an address such as http://127.0.0.1:7071, not '${url}'.`,
  );
}

function clientOf(address: string, token: string | undefined, signal: AbortSignal): CommandClient {
  return new CommandClient(async (path, init) => {
    const url = new URL(path, address);
    const headers = new Headers(init.headers);
    // Topics have keys of their own.
    const isCommand = path.startsWith("/local/");
    if (isCommand && token !== undefined) headers.set("authorization", `Bearer ${token}`);
    const response = await fetch(url, { ...init, headers, signal }).catch((cause) => {
      if (signal.aborted) throw cause;
      throw new LocalCloudError(
        "ERR_NOT_RUNNING",
        `No local Azure answers at ${url.origin}. Start it with npx --no -- cloud-eventgrid-local.`,
        { cause },
      );
    });
    if (response.ok) return response;
    const { code, message } = await refusalIn(response);
    // It can be of another version, with codes of its own.
    const own = code.startsWith("ERR_") ? (code as LocalCloudErrorCode) : "ERR_REFUSED";
    throw new LocalCloudError(own, message);
  });
}
