import * as http from "node:http";
import * as https from "node:https";
import { isIP } from "node:net";
import { rootCertificates } from "node:tls";
import type { Ingress } from "../../ingress.js";

export interface EndpointRequest {
  readonly method: "OPTIONS" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
  /** Ends the attempt when it aborts. */
  readonly signal: AbortSignal;
}

export interface EndpointAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
}

/** What an endpoint says beyond its status is of no interest; a long answer is cut off. */
const LONGEST_ANSWER = 1024 * 1024;

/** Calls webhooks: through the ingress table, or else over TLS as the internet would. */
export class EndpointClient {
  readonly #http = new http.Agent({ keepAlive: true });
  readonly #https: https.Agent;

  /** @param ca certificates that are trusted beside the public ones */
  constructor(
    private readonly ingress: Ingress,
    ca: readonly string[],
  ) {
    const trusted = ca.length > 0 ? { ca: [...rootCertificates, ...ca] } : {};
    this.#https = new https.Agent({ keepAlive: true, ...trusted });
  }

  /** @throws when there is no answer: Node's own errors */
  async send(request: EndpointRequest): Promise<EndpointAnswer> {
    try {
      return await this.#attempt(request);
    } catch (error) {
      // The endpoint may close an idle connection in the moment in which it is used again.
      if (error instanceof StaleConnection) return this.#attempt(request);
      throw error;
    }
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  #attempt({ url, method, headers, body, signal }: EndpointRequest): Promise<EndpointAnswer> {
    const publicUrl = new URL(url);
    const routed = this.ingress.resolve(publicUrl);
    const target = routed ?? publicUrl;
    const secure = target.protocol === "https:";
    const options: https.RequestOptions = {
      method,
      // Behind the ingress it is the target that shows its certificate, whatever `host` says.
      servername: isIP(target.hostname) ? "" : target.hostname,
      signal,
      agent: secure ? this.#https : this.#http,
      headers: {
        host: publicUrl.host,
        ...headers,
        "content-length": String(body?.byteLength ?? 0),
      },
    };
    return new Promise((resolve, reject) => {
      const request = (secure ? https : http).request(target, options, (response) => {
        drain(response);
        resolve({ status: response.statusCode ?? 0, headers: response.headers });
      });
      request.on("error", (error) => {
        const stale = request.reusedSocket && !signal.aborted && isHangUp(error);
        if (stale) reject(new StaleConnection(error.message));
        else reject(routed || !isNameless(error) ? error : unrouted(publicUrl, error));
      });
      request.end(body);
    });
  }
}

class StaleConnection extends Error {}

function isHangUp(error: Error): boolean {
  return "code" in error && (error.code === "ECONNRESET" || error.code === "EPIPE");
}

/** There is no such name, or none that a machine without a network could look up. */
function isNameless(error: Error): boolean {
  return "code" in error && (error.code === "ENOTFOUND" || error.code === "EAI_AGAIN");
}

function unrouted({ origin }: URL, cause: Error): Error {
  return new Error(`${cause.message}; the ingress table has no entry for ${origin}`, { cause });
}

function drain(response: http.IncomingMessage): void {
  let length = 0;
  response.on("data", (chunk: Buffer) => {
    length += chunk.byteLength;
    if (length > LONGEST_ANSWER) response.destroy();
  });
  // Whatever goes wrong after the status has arrived changes nothing about it.
  response.on("error", () => {});
}
