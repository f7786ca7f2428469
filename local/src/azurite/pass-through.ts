import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { type AzuriteClient, answerTo, type Connections } from "./azurite-client.js";

/** A request to the blob endpoint and its response. */
export interface BlobExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Whether the client waits for 100 Continue before it sends the body. */
  readonly awaitsContinue: boolean;
}

/**
 * Sends a request to Azurite as it is, and its response back, in streams.
 *
 * @param beforeResponse runs before the response is passed on
 * @throws Node's own error if Azurite sends no response
 */
export async function passThrough(
  { request, response, awaitsContinue }: BlobExchange,
  azurite: AzuriteClient,
  connections: Connections,
  beforeResponse?: (answer: IncomingMessage) => Promise<void>,
): Promise<void> {
  const { method = "GET", url = "/" } = request;
  if (request.errored) throw request.errored;
  const call = azurite.begin(method, url, endToEnd(request.rawHeaders), connections);
  const answered = answerTo(call);
  // The client's end of a request is that of the call, unless Azurite has all of it.
  response.once("close", () => {
    if (!request.complete) call.destroy();
  });
  if (awaitsContinue) {
    call.once("continue", () => response.writeContinue());
    call.flushHeaders();
  }
  request.pipe(call);
  let answer: IncomingMessage;
  try {
    answer = await answered;
  } catch (error) {
    // The client may still send, and reads the response after that.
    request.unpipe();
    request.resume();
    throw error;
  }
  await beforeResponse?.(answer);
  const { statusCode = 502, statusMessage, rawHeaders } = answer;
  response.writeHead(statusCode, statusMessage, endToEnd(rawHeaders));
  // A response that breaks off must break off for the client too.
  await pipeline(answer, response).catch(() => response.destroy());
}

/** Headers of one connection only (RFC 9110, section 7.6.1). */
const CONNECTION_HEADERS = new Set(["connection", "keep-alive", "proxy-connection", "upgrade"]);

/** The headers that a proxy passes on, unchanged and in order. */
export function endToEnd(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter(
    (_, index) => !CONNECTION_HEADERS.has((rawHeaders[index - (index % 2)] ?? "").toLowerCase()),
  );
}
