import { LocalCloudError, ServiceError } from "../base/index.js";
import {
  type Exchange,
  type Route,
  readJsonObject,
  sendEmpty,
  sendJson,
  sendJsonText,
} from "../http/index.js";
import { JsonText } from "./json-text.js";

/** Runs a function of the cloud and returns the body of the response; `undefined` for none. */
export type Command<Cloud> = (cloud: Cloud, body: unknown, query: URLSearchParams) => unknown;

/** Commands by method and path below `/local/`. */
export type Commands<Cloud> = Readonly<Record<string, Command<Cloud>>>;

/**
 * Serves commands below `/local/`.
 *
 * @param authorize throws if the caller may not use the commands
 */
export function commandRoute<Cloud>(
  cloud: Cloud,
  commands: Commands<Cloud>,
  authorize: (exchange: Exchange) => void,
): Route {
  return async (exchange) => {
    const { request, method, url } = exchange;
    if (!url.pathname.startsWith("/local/")) return false;
    const name = `${method} ${url.pathname.slice("/local/".length)}`;
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!command) return false;
    authorize(exchange);
    const body = method === "POST" ? await readJsonObject(request) : {};
    const result = await mapErrors(() => command(cloud, body, url.searchParams));
    const headers = { "cache-control": "no-store" };
    if (result === undefined) sendEmpty(exchange, 204);
    else if (result instanceof JsonText) sendJsonText(exchange, 200, result.text, headers);
    else sendJson(exchange, 200, result, headers);
    return true;
  };
}

async function mapErrors(run: () => unknown): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ServiceError || !(error instanceof LocalCloudError)) throw error;
    throw new ServiceError(400, error.code, error.message, { cause: error });
  }
}
