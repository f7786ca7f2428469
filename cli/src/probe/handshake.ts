import { randomUUID } from "node:crypto";
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import { connect, TLSSocket } from "node:tls";
import { tunnel } from "./proxy.js";

export type HandshakeSchema = "cloudevents" | "eventgrid";

/** Options of one handshake. */
export interface HandshakeOptions {
  /** The origin that asks for consent: Event Grid's own in the webhook's cloud. */
  readonly origin: string;
  /** The schema of the subscription, which decides the handshake. @default "cloudevents" */
  readonly schema?: HandshakeSchema;
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
      /** Whether the body repeats the code of a validation event. Undefined after `OPTIONS`. */
      readonly repeatsCode?: boolean;
    }
  | { readonly kind: "failure"; readonly code: string; readonly message: string }
  | { readonly kind: "untrusted"; readonly code: string; readonly message: string }
  | { readonly kind: "timeout" };

/** Events per minute to ask for. Event Grid's own number is not published, and any will do. */
const RATE = "120";

/** The largest body that is searched for the code of a validation event. */
const MAX_BODY_BYTES = 64 * 1024;

/**
 * Sends a handshake to the webhook's exact URL, as Event Grid does before it delivers: `OPTIONS`, or
 * the validation event of Event Grid's own schema.
 *
 * Certificates are always checked, and redirects are not followed.
 *
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/http-webhook.md
 * @see https://learn.microsoft.com/azure/event-grid/end-point-validation-event-grid-events-schema
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
  const { connectTo, ca } = options;
  const { method, headers, body, code } = handshakeRequest(options);
  const request = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve) => {
    const outgoing = request(url, {
      method,
      headers: { host: url.host, "user-agent": "cloud-eventgrid-probe", ...headers },
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
      const { statusCode: status = 0, headers, socket } = response;
      const address = tunnelled ? undefined : socket.remoteAddress;
      const answer = { kind: "answer", status, headers, address } as const;
      if (code === undefined) settle(answer);
      else {
        beginningOf(response, (text) => {
          settle({ ...answer, repeatsCode: responseCodeIn(text) === code });
        });
      }
    });
    outgoing.on("error", (error) => {
      const { socket } = outgoing;
      // Set when only the certificate was refused, whatever the error's code.
      const untrusted = socket instanceof TLSSocket && Boolean(socket.authorizationError);
      settle({ kind: untrusted ? "untrusted" : "failure", ...codeAndMessage(error) });
    });
    outgoing.end(body);
  });
}

function handshakeRequest({ schema, origin }: HandshakeOptions) {
  if (schema !== "eventgrid") {
    const headers = { "webhook-request-origin": origin, "webhook-request-rate": RATE };
    return { method: "OPTIONS", headers };
  }
  const code = randomUUID();
  const event = {
    id: randomUUID(),
    topic: PROBED_TOPIC,
    subject: "",
    data: { validationCode: code },
    eventType: "Microsoft.EventGrid.SubscriptionValidationEvent",
    eventTime: new Date().toISOString(),
    metadataVersion: "1",
    dataVersion: "1",
  };
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "aeg-event-type": "SubscriptionValidation",
  };
  return { method: "POST", headers, body: JSON.stringify([event]), code };
}

/** A topic that does not exist: the webhook has no reason to look at it. */
const PROBED_TOPIC =
  "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/probe/providers/Microsoft.EventGrid/topics/probe";

function beginningOf(response: IncomingMessage, read: (text: string) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const end = () => read(Buffer.concat(chunks).toString());
  response.on("end", end).on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) end();
  });
}

function responseCodeIn(text: string): unknown {
  try {
    return JSON.parse(text)?.validationResponse;
  } catch {
    return undefined;
  }
}

/** The server name to announce; an IP address has none. */
function nameOf(url: URL): string {
  return /^[\d.]+$|^\[/.test(url.hostname) ? "" : url.hostname;
}

function codeAndMessage(error: NodeJS.ErrnoException): { code: string; message: string } {
  // A name with several addresses that all fail: report the first failure.
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  const { code = "UNKNOWN", message }: NodeJS.ErrnoException =
    inner instanceof Error ? inner : error;
  return { code, message };
}
