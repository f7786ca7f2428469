import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { request as httpsRequest } from "node:https";
import { TLSSocket } from "node:tls";

/** How one handshake is done. */
export interface HandshakeOptions {
  /** Origin to ask consent for: Event Grid's own, of the webhook's cloud. */
  readonly origin: string;
  /** Milliseconds after which an answer is no longer waited for. */
  readonly timeout: number;
  /** Where to connect instead of the URL's own host and port; name and certificate stay the URL's. */
  readonly connectTo?: { readonly host: string; readonly port: number };
  /** Certificate authorities to trust, as PEM. @default those that Node trusts */
  readonly ca?: string;
}

/** What a handshake met: an answer, a failure or distrust before there was one, or nothing. */
export type Encounter =
  | { readonly kind: "answer"; readonly status: number; readonly headers: IncomingHttpHeaders }
  | { readonly kind: "failure"; readonly code: string; readonly message: string }
  | { readonly kind: "distrust"; readonly code: string; readonly message: string }
  | { readonly kind: "silence" };

/** Events per minute that are asked for; any number does, since Event Grid's own is not known. */
const RATE = "120";

/**
 * Does what Event Grid does before it delivers to a webhook: sends `OPTIONS` to its exact URL.
 *
 * Certificates are always checked, redirects are not followed, and no answer's body is read.
 *
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/http-webhook.md
 */
export function shakeHands(url: URL, options: HandshakeOptions): Promise<Encounter> {
  const { connectTo, origin, ca } = options;
  const request = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve) => {
    const outgoing = request(url, {
      method: "OPTIONS",
      agent: false,
      headers: {
        host: url.host,
        "user-agent": "cloud-eventgrid-probe",
        "webhook-request-origin": origin,
        "webhook-request-rate": RATE,
      },
      rejectUnauthorized: true,
      ...(connectTo && { hostname: connectTo.host, port: connectTo.port, servername: nameOf(url) }),
      ...(ca !== undefined && { ca }),
    });
    const settle = (encounter: Encounter) => {
      clearTimeout(timer);
      resolve(encounter);
      outgoing.destroy();
    };
    const timer = setTimeout(() => settle({ kind: "silence" }), options.timeout);
    outgoing.on("response", ({ statusCode = 0, headers }) => {
      settle({ kind: "answer", status: statusCode, headers });
    });
    outgoing.on("error", (error) => {
      const { socket } = outgoing;
      // Set where the connection was fine and the certificate was not, whatever the error's code.
      const distrusted = socket instanceof TLSSocket && Boolean(socket.authorizationError);
      settle({ kind: distrusted ? "distrust" : "failure", ...codeAndMessage(error) });
    });
    outgoing.end();
  });
}

/** The name that a certificate is checked for; an address has none to announce. */
function nameOf(url: URL): string {
  return /^[\d.]+$|^\[/.test(url.hostname) ? "" : url.hostname;
}

function codeAndMessage(error: NodeJS.ErrnoException): { code: string; message: string } {
  // Where a name has several addresses, all of which fail, the first failure speaks for all.
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  const { code = "UNKNOWN", message }: NodeJS.ErrnoException =
    inner instanceof Error ? inner : error;
  return { code, message };
}
