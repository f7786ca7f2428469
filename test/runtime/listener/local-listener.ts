import { createListener, type ListenerOptions } from "cloud-eventgrid-binding-runtime";
import type { LocalCloud } from "cloud-eventgrid-local";

const ORIGIN = "https://orders.example.com";

/**
 * A listener for a new application of a local Azure, which delivers to it what it sends to the URL
 * of `subscription`. The caller closes the listener.
 */
export async function startLocalListener(
  cloud: LocalCloud,
  options: ListenerOptions,
  binding: object = {},
) {
  const { clientId } = cloud.applications.create({ displayName: "orders" });
  const listener = createListener(
    {
      cloudTenantId: cloud.tenantId,
      cloudClientId: clientId,
      cloudAuthorityHost: cloud.authorityHost,
      handshakePort: "9000",
      path: "/api/events",
      ...binding,
    },
    { host: "127.0.0.1", port: 0, logger: false, drainLagMs: 0, ...options },
  );
  const { port } = await listener.listen();
  cloud.ingress.route(ORIGIN, `http://127.0.0.1:${port}`);
  return { listener, subscription: { endpointUrl: `${ORIGIN}/api/events`, clientId } };
}
