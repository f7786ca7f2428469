import { serviceError, withoutEnd } from "../base/index.js";
import { withoutQuery } from "../eventgrid/index.js";
import { Ingress } from "../network/index.js";
import type { RunningCloud } from "./running-cloud.js";

/**
 * Adds the path of a webhook's URL to the ingress table.
 *
 * @param target the local server; the URL's path is appended to its own
 * @throws LocalCloudError `ERR_INGRESS` if the target is not a URL
 * @throws ServiceError 409 if another event subscription would be delivered elsewhere than before
 */
export function routeEndpoint(cloud: RunningCloud, endpointUrl: string, target: string): void {
  const address = withoutQuery(endpointUrl);
  const { pathname } = new URL(address);
  const localUrl = pathname === "/" ? target : `${withoutEnd(target, "/")}${pathname}`;
  const after = new Ingress(Object.fromEntries(cloud.ingress.snapshot()));
  after.route(address, localUrl);
  for (const { name, provisioningState, settings } of cloud.eventSubscriptions.list()) {
    if (provisioningState === "Failed" || settings.endpointUrl === undefined) continue;
    const url = new URL(settings.endpointUrl);
    const present = cloud.ingress.resolve(url);
    if (present?.href === after.resolve(url)?.href) continue;
    throw serviceError.IngressConflict(
      `The target ${target} would also get the events of '${name}', which go to ${present?.origin ?? url.origin} now. Use another path in the endpoint, or leave out the target to share theirs.`,
    );
  }
  cloud.ingress.route(address, localUrl);
}
