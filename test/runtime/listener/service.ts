import type {
  CloudEvent,
  EventContext,
  InputRuntimeBinding,
  Listener,
  ListenerOptions,
} from "cloud-eventgrid-binding-runtime";
import { onTestFinished } from "vitest";
import { createListenerWith } from "../../../runtime/src/listener/create-listener.js";
import {
  type SystemDependencies,
  systemDependencies,
} from "../../../runtime/src/listener/dependencies.js";
import { CLIENT, TENANT, TestIssuer } from "../../support/issuer.js";
import { LogLines } from "../../support/log-lines.js";
import { pinoTo } from "../../support/pino.js";

export const STRUCTURED = "application/cloudevents+json; charset=utf-8";
export const BATCH = "application/cloudevents-batch+json; charset=utf-8";

export function bindingFor(issuer: TestIssuer) {
  return {
    cloudTenantId: TENANT,
    cloudClientId: CLIENT,
    handshakePort: "9000",
    path: "/api/events",
    cloudAuthorityHost: issuer.authorityHost,
  };
}

let lastId = 0;

/** An event with a unique ID. */
export function anEvent(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  lastId += 1;
  return {
    specversion: "1.0",
    id: `event-${lastId}`,
    source: "/shop",
    type: "shop.order.placed",
    time: "2026-01-01T00:00:00Z",
    data: { orderId: "17" },
    ...overrides,
  };
}

export interface Service {
  readonly issuer: TestIssuer;
  readonly listener: Listener;
  readonly url: string;
  readonly port: number;
  /** The events that reached the default handler, with their contexts. */
  readonly handled: { event: CloudEvent; context: EventContext }[];
  readonly ids: () => string[];
  /** What it logs, unless it has a logger of its own. */
  readonly log: LogLines;
  /** Sends a delivery as Event Grid does, with a valid token by default. */
  deliver(body: unknown, init?: DeliveryInit): Promise<Response>;
}

export interface DeliveryInit {
  readonly token?: string | null;
  readonly headers?: Record<string, string>;
  readonly contentType?: string;
}

/** A running listener with its own issuer. The test stops both at its end. */
export async function startService({
  binding = {},
  issuer: ownIssuer,
  timer = systemDependencies.timer,
  clock = systemDependencies.clock,
  fetch: ownFetch,
  keyTimeoutMs = systemDependencies.keyTimeoutMs,
  logLevel = "info",
  ...options
}: Partial<ListenerOptions> &
  Partial<SystemDependencies> & {
    issuer?: TestIssuer;
    binding?: Partial<InputRuntimeBinding>;
    logLevel?: string;
  } = {}): Promise<Service> {
  const issuer = ownIssuer ?? (await TestIssuer.start());
  const handled: Service["handled"] = [];
  const log = new LogLines();
  const listener = createListenerWith(
    { ...bindingFor(issuer), ...binding },
    {
      on: { "*": (event, context) => void handled.push({ event, context }) },
      logger: pinoTo(log, logLevel),
      port: 0,
      host: "127.0.0.1",
      drainLagMs: 0,
      ...options,
    },
    { ...systemDependencies, timer, clock, fetch: ownFetch, keyTimeoutMs },
  );
  const { url, port } = await listener.listen();
  onTestFinished(async () => {
    await listener.close();
    await issuer.stop();
  });
  return {
    issuer,
    listener,
    url,
    port,
    handled,
    log,
    ids: () => handled.map(({ event }) => event.id),
    async deliver(body, init = {}) {
      const token = init.token === undefined ? await issuer.token() : init.token;
      return fetch(url, {
        method: "POST",
        headers: {
          "content-type": init.contentType ?? STRUCTURED,
          "aeg-event-type": "Notification",
          "aeg-subscription-name": "ORDERS",
          "aeg-delivery-count": "0",
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...init.headers,
        },
        body: typeof body === "string" ? body : JSON.stringify(body),
      });
    },
  };
}
