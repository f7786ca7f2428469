import type { Access } from "./access.js";
import { commandRoute } from "./command-route.js";
import { type ControllableCloud, commands } from "./commands.js";

/**
 * `/local/…`: the cloud's functions for other processes and languages. Programs on the same machine
 * need no token.
 */
export function remoteRoute(cloud: ControllableCloud, access: Access) {
  return commandRoute(cloud, commands, (exchange) => {
    access.checkOrigin(exchange);
    if (!access.loopbackOnly) access.checkToken(exchange);
  });
}
