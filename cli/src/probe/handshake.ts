import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import { connect, TLSSocket } from "node:tls";
import { isAddress } from "../address.js";
import { tunnel } from "./proxy.js";

/** Event Grid's own limit for the answer to a handshake. */
export const HANDSHAKE_TIMEOUT_MS = 30_000;

/** Options of one handshake. */
export interface HandshakeOptions {
  /** The origin that asks for consent: Event Grid's own in the webhook's cloud. */
  readonly origin: string;
  /** Timeout in milliseconds. */
  readonly timeout: number;
  /** Where to connect instead of the URL's own host and port; name and certificate stay the URL's. */
  readonly connectTo?: { readonly host: string; readonly port: number } | undefined;
  /** The proxy to connect through, unless `connectTo` is set. */
  readonly proxy?: URL | undefined;
  /** Certificate authorities to trust, as PEM. @default those that Node trusts */
  readonly ca?: string | undefined;
}

/** How a handshake ended: with an answer, a failure, an untrusted certificate, or a timeout. */
export type HandshakeResult =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      /** The IP address that answered; undefined through a proxy. */
      readonly address: string | undefined;
    }
  | { readonly kind: "failure"; readonly code: string; readonly message: string }
  | { readonly kind: "untrusted"; readonly code: string; readonly message: string }
  | { readonly kind: "timeout" };

/** Events per minute to ask for. Event Grid's own number is not published, and any will do. */
const RATE = "120";

/**
 * Sends a handshake to the webhook's exact URL, as Event Grid does before it delivers: `OPTIONS`.
 *
 * Certificates are always checked, and redirects are not followed.
 *
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/http-webhook.md
 */
export async function sendHandshake(url: URL, options: HandshakeOptions): Promise<HandshakeResult> {
  const { connectTo, proxy } = options;
  if (proxy === undefined || connectTo !== undefined) return send(url, options);
  const start = performance.now();
  const signal = AbortSignal.timeout(options.timeout);
  try {
    const socket = await tunnel(proxy, url, signal);
    const timeout = Math.max(1, options.timeout - (performance.now() - start));
    return await send(url, { ...options, timeout }, socket);
  } catch (error) {
    if (signal.aborted) return { kind: "timeout" };
    return { kind: "failure", ...codeAndMessage(error as NodeJS.ErrnoException) };
  }
}

function send(url: URL, options: HandshakeOptions, tunnelled?: Socket): Promise<HandshakeResult> {
  const { connectTo, ca, origin } = options;
  const request = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve) => {
    const outgoing = request(url, {
      method: "OPTIONS",
      headers: {
        host: url.host,
        "user-agent": "cloud-eventgrid-probe",
        "webhook-request-origin": origin,
        "webhook-request-rate": RATE,
      },
      rejectUnauthorized: true,
      ...(connectTo && { hostname: connectTo.host, port: connectTo.port, servername: nameOf(url) }),
      ca,
      // With an agent, even a new one, Node would ignore the tunnel.
      ...(tunnelled
        ? {
            createConnection: () => connect({ socket: tunnelled, servername: nameOf(url), ca }),
          }
        : { agent: false }),
    });
    const settle = (result: HandshakeResult) => {
      clearTimeout(timer);
      resolve(result);
      outgoing.destroy();
    };
    const timer = setTimeout(() => settle({ kind: "timeout" }), options.timeout);
    outgoing.on("response", (response) => {
      const { headers, socket } = response;
      const status = Number(response.statusCode);
      const address = tunnelled ? undefined : socket.remoteAddress;
      settle({ kind: "answer", status, headers, address });
    });
    outgoing.on("error", (error) => {
      const { socket } = outgoing;
      // Set when only the certificate was refused, whatever the error's code.
      const untrusted = socket instanceof TLSSocket && Boolean(socket.authorizationError);
      settle({ kind: untrusted ? "untrusted" : "failure", ...codeAndMessage(error) });
    });
    outgoing.end();
  });
}

/** The server name to announce; an IP address has none. */
function nameOf(url: URL): string {
  return isAddress(url.hostname) ? "" : url.hostname;
}

function codeAndMessage(error: NodeJS.ErrnoException): { code: string; message: string } {
  // A name with several addresses that all fail: report the first failure.
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  const { code = "UNKNOWN", message }: NodeJS.ErrnoException =
    inner instanceof Error ? inner : error;
  return { code, message };
}
