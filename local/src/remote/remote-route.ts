import { isObject, LocalCloudError, ServiceError } from "../base/index.js";
import {
  type Exchange,
  type Route,
  readJson,
  sendEmpty,
  sendJson,
  sendJsonText,
} from "../http/index.js";
import { type Command, type ControllableCloud, commands } from "./commands.js";
import { JsonText } from "./json-text.js";

/** `/local/…`: the cloud's functions for other processes and languages. */
export function remoteRoute(cloud: ControllableCloud): Route {
  return async (exchange) => {
    const { method, url } = exchange;
    if (!url.pathname.startsWith("/local/")) return false;
    const name = `${method} ${url.pathname.slice("/local/".length)}`;
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!command) return false;
    const body = method === "POST" ? await bodyOf(exchange) : {};
    const result = await run(command, cloud, body);
    if (result === undefined) sendEmpty(exchange, 204);
    else if (result instanceof JsonText) sendJsonText(exchange, 200, result.text);
    else sendJson(exchange, 200, result);
    return true;
  };
}

async function run(command: Command, cloud: ControllableCloud, body: unknown): Promise<unknown> {
  try {
    return await command(cloud, body);
  } catch (error) {
    if (error instanceof ServiceError || !(error instanceof LocalCloudError)) throw error;
    throw new ServiceError(400, error.code, error.message, { cause: error });
  }
}

/** Requires the content type of JSON, which web pages cannot send here without a preflight. */
async function bodyOf({ request }: Exchange): Promise<unknown> {
  const contentType = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (contentType !== "application/json") {
    throw new ServiceError(
      415,
      "UnsupportedMediaType",
      "Send a JSON object, with the content type application/json.",
    );
  }
  const body = (await readJson(request)) ?? {};
  if (isObject(body)) return body;
  throw new ServiceError(400, "InvalidRequestContent", "The body must be a JSON object.");
}
