import * as http from "node:http";
import * as https from "node:https";
import { isIP } from "node:net";
import { finished } from "node:stream/promises";
import { rootCertificates } from "node:tls";
import { KIB, MIB, SECOND_MS, socketHost } from "../base/index.js";
import type { Ingress } from "./ingress.js";

export interface EndpointRequest {
  readonly method: "OPTIONS" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
  /** Aborts the request. */
  readonly signal: AbortSignal;
}

export interface EndpointResponse {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  /** The part of the body that has arrived so far. */
  readonly body: ResponseBody;
  /** Resolves when the whole body has arrived. */
  readonly completed: () => Promise<void>;
}

/** The beginning of a response body. It grows while the response arrives. */
export interface ResponseBody {
  text: string;
  /** Whether the body is longer than the text. */
  truncated: boolean;
}

const MAX_RESPONSE_CHARACTERS = 8 * KIB;

/** A response longer than this is cut off. */
const MAX_RESPONSE_BYTES = MIB;

/**
 * Idle connections are closed before servers close them, which happens after five seconds in Node. A
 * reset of a reused connection is then the webhook's answer, and the attempt fails: a second call
 * would deliver twice what the log shows once.
 */
const IDLE_MS = SECOND_MS;

/** Calls webhooks: through the ingress table, or directly over TLS. */
export class EndpointClient {
  readonly #http = new http.Agent({ keepAlive: true, timeout: IDLE_MS });
  readonly #https: https.Agent;

  /** @param ca certificates to trust in addition to the public ones */
  constructor(
    private readonly ingress: Ingress,
    ca: readonly string[],
  ) {
    const trusted = ca.length > 0 ? { ca: [...rootCertificates, ...ca] } : {};
    this.#https = new https.Agent({ keepAlive: true, timeout: IDLE_MS, ...trusted });
  }

  /** @throws Node's own error when there is no response */
  send({ url, method, headers, body, signal }: EndpointRequest): Promise<EndpointResponse> {
    const publicUrl = new URL(url);
    const routed = this.ingress.resolve(publicUrl);
    const target = routed ?? publicUrl;
    const secure = target.protocol === "https:";
    const host = socketHost(target.hostname);
    const options: https.RequestOptions = {
      method,
      // Behind the ingress the target shows its own certificate, not one for `host`.
      servername: isIP(host) ? "" : host,
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
        const body = readBeginning(response);
        const { headers } = response;
        const status = Number(response.statusCode);
        resolve({ status, headers, body, completed: () => finished(response) });
      });
      request.on("error", (error) => {
        if (isPlainHttp(error)) reject(plainHttp(target, error));
        else reject(routed || !isUnknownHost(error) ? error : unrouted(publicUrl, error));
      });
      request.end(body);
    });
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }
}

/** The server answered the TLS handshake with something else. */
function isPlainHttp(error: Error): boolean {
  return error.message.includes("wrong version number");
}

function plainHttp({ origin }: URL, cause: Error): Error {
  return new Error(
    `${origin} does not speak https; route a public address to its http address in the ingress table`,
    { cause },
  );
}

/** The host name does not exist, or cannot be looked up without a network. */
export function isUnknownHost(error: unknown): boolean {
  const { code } = Object(error instanceof Error && error.cause ? error.cause : error);
  return code === "ENOTFOUND" || code === "EAI_AGAIN";
}

function unrouted({ origin }: URL, cause: Error): Error {
  return new Error(`${cause.message}; the ingress table has no entry for ${origin}`, { cause });
}

function readBeginning(response: http.IncomingMessage): ResponseBody {
  const body = { text: "", truncated: false };
  let length = 0;
  response.on("data", (chunk: Buffer) => {
    const room = MAX_RESPONSE_CHARACTERS - body.text.length;
    if (room > 0) body.text += chunk.toString("utf8", 0, room);
    length += chunk.byteLength;
    body.truncated = length > MAX_RESPONSE_CHARACTERS;
    if (length > MAX_RESPONSE_BYTES) response.destroy();
  });
  // Errors after the status has arrived do not matter.
  response.on("error", () => {});
  return body;
}
