import type { Topics } from "../eventgrid/index.js";
import { type Route, sendJson } from "../http/index.js";
import { commands } from "./commands.js";
import { REPLAY } from "./replay-route.js";

/** `GET /`: lists what is served, without keys. */
export function indexRoute(cloud: {
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly topics: Topics;
}): Route {
  return (exchange) => {
    const { method, url, origin } = exchange;
    if (method !== "GET" || url.pathname !== "/") return false;
    const { tenantId, subscriptionId, topics } = cloud;
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
      local: [...Object.keys(commands), REPLAY].map((command) =>
        command.replace(" ", ` ${origin}/local/`),
      ),
    });
    return true;
  };
}
