import { readJson } from "../control-plane/json-body.js";
import { isObject } from "../control-plane/json-fields.js";
import { LocalCloudError, ServiceError } from "../errors.js";
import { type Exchange, type Route, sendEmpty, sendJson, sendJsonText } from "../http/index.js";
import type { LocalCloud } from "../local-cloud.js";
import { type Command, commands } from "./commands.js";
import { JsonText } from "./json-text.js";

/**
 * `/local/…`: what code does with a cloud, for those who have it in another process or write in
 * another language.
 */
export function remoteRoute(cloud: LocalCloud): Route {
  return async (exchange) => {
    const { method, url } = exchange;
    if (!url.pathname.startsWith("/local/")) return false;
    const name = `${method} ${url.pathname.slice("/local/".length)}`;
    if (!Object.hasOwn(commands, name)) return false;
    const body = method === "POST" ? await bodyOf(exchange) : {};
    const answer = await run(commands[name], cloud, body);
    if (answer === undefined) sendEmpty(exchange, 204);
    else if (answer instanceof JsonText) sendJsonText(exchange, 200, answer.text);
    else sendJson(exchange, 200, answer);
    return true;
  };
}

async function run(command: Command | undefined, cloud: LocalCloud, body: Body): Promise<unknown> {
  try {
    return await command?.(cloud, body);
  } catch (error) {
    if (error instanceof ServiceError || !(error instanceof LocalCloudError)) throw error;
    throw new ServiceError(400, error.code, error.message, { cause: error });
  }
}

type Body = Readonly<Record<string, unknown>>;

/** JSON by its content type too: no web page can send that here without asking first. */
async function bodyOf({ request }: Exchange): Promise<Body> {
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
