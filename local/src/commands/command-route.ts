import * as v from "valibot";
import { LocalCloudError, problemsOf, ServiceError, withProblems } from "../base/index.js";
import type { RunningCloud } from "../dashboard/index.js";
import {
  type Exchange,
  type Route,
  readJsonObject,
  sendEmpty,
  sendJson,
  sendJsonText,
} from "../http/index.js";
import type { Access } from "../network/index.js";
import type { Command } from "./command.js";
import { commands } from "./commands.js";
import { JsonText } from "./output.js";

const table: Readonly<Record<string, Command>> = commands;

/**
 * Serves the commands below `/local/`. Programs on the same machine need no token, except for
 * commands that show keys and events.
 */
export function commandRoute(cloud: RunningCloud, access: Access): Route {
  return async (exchange) => {
    const { method, url } = exchange;
    if (!url.pathname.startsWith("/local/")) return false;
    const name = `${method} ${url.pathname.slice("/local/".length)}`;
    const command = Object.hasOwn(table, name) ? table[name] : undefined;
    if (!command) return false;
    access.checkOrigin(exchange);
    if (command.needsToken || !access.loopbackOnly) access.checkToken(exchange);
    const body = await bodyOf(exchange, command);
    const result = await mapErrors(() => command.run(cloud, read(command.schema, body), exchange));
    const headers = { "cache-control": "no-store" };
    if (exchange.response.headersSent) return true;
    if (result === undefined) sendEmpty(exchange, 204);
    else if (result instanceof JsonText) sendJsonText(exchange, 200, result.text, headers);
    else sendJson(exchange, 200, result, headers);
    return true;
  };
}

/** The body of a POST, otherwise the known parameters of the query. */
function bodyOf({ method, request, url }: Exchange, { inputs, maxBytes }: Command): unknown {
  if (method === "POST") return readJsonObject(request, maxBytes);
  const names = Object.keys(inputs).filter((name) => url.searchParams.has(name));
  return Object.fromEntries(names.map((name) => [name, url.searchParams.get(name)]));
}

/** @throws LocalCloudError `ERR_OPTIONS` with every problem of the body */
function read(schema: v.GenericSchema, body: unknown): unknown {
  const problems = problemsOf(schema, body);
  if (problems.length > 0) {
    throw new LocalCloudError("ERR_OPTIONS", withProblems("Invalid body", problems));
  }
  return v.parse(schema, body);
}

async function mapErrors(run: () => unknown): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ServiceError || !(error instanceof LocalCloudError)) throw error;
    throw new ServiceError(400, error.code, error.message, { cause: error });
  }
}

/** `GET /`: lists what is served, without keys. */
export function indexRoute({
  tenantId,
  subscriptionId,
  topics,
}: Pick<RunningCloud, "tenantId" | "subscriptionId" | "topics">): Route {
  return (exchange) => {
    const { method, url, origin } = exchange;
    if (method !== "GET" || url.pathname !== "/") return false;
    const shown = Object.entries(table).filter(([, { help }]) => help !== undefined);
    sendJson(exchange, 200, {
      name: "cloud-eventgrid-local",
      tenantId,
      subscriptionId,
      entra: [
        `GET ${origin}/${tenantId}/.well-known/openid-configuration`,
        `GET ${origin}/${tenantId}/v2.0/.well-known/openid-configuration`,
        `POST ${origin}/${tenantId}/oauth2/v2.0/token`,
      ],
      topics: topics.list().map(({ name, path }) => ({ name, publish: `POST ${origin}${path}` })),
      local: shown.map(([name]) => name.replace(" ", ` ${origin}/local/`)),
    });
    return true;
  };
}
