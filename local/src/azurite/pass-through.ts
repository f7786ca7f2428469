import { once } from "node:events";
import type { ClientRequest, IncomingMessage, ServerResponse } from "node:http";
import { Transform, type TransformCallback } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type AzuriteClient, answerTo } from "./azurite-client.js";

/** A request to the blob endpoint and its response. */
export interface BlobExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Whether the client waits for 100 Continue before it sends the body. */
  readonly awaitsContinue: boolean;
}

/** Calls before and after an operation on a blob. */
export interface OperationHooks {
  /** Runs when the client has sent everything, and Azurite has all but the last part of it. */
  readonly beforeEnd: () => Promise<void>;
  /** Runs before the response is passed on. */
  readonly beforeResponse: (answer: IncomingMessage) => Promise<void>;
}

/**
 * Sends a request to Azurite as it is, and its response back, in streams.
 *
 * @throws Node's own error if Azurite sends no response
 */
export async function passThrough(
  { request, response, awaitsContinue }: BlobExchange,
  azurite: AzuriteClient,
  operation?: OperationHooks,
): Promise<void> {
  const { method, url } = request;
  if (request.errored) throw request.errored;
  let call: ClientRequest | undefined;
  let isLast = false;
  const body = new WithheldEnd(async () => {
    // One that had to wait for a connection must not hold up those that have one.
    if (call && !call.socket) await once(call, "socket");
    await operation?.beforeEnd();
    isLast = true;
  });
  request.once("error", (error) => body.destroy(error)).pipe(body);
  // Azurite closes a connection on which nothing is sent for some seconds.
  if (!awaitsContinue) await once(body, "readable");
  const connections = operation === undefined ? "others" : isLast ? "operations" : "uploads";
  call = azurite.begin(String(method), String(url), endToEnd(request.rawHeaders), connections);
  const answered = answerTo(call);
  // The client's end of a request is that of the call, unless Azurite has all of it.
  response.once("close", () => {
    if (!request.complete) call.destroy();
  });
  if (awaitsContinue) {
    call.once("continue", () => response.writeContinue());
    call.flushHeaders();
  }
  body.on("error", (error) => call.destroy(error)).pipe(call);
  let answer: IncomingMessage;
  try {
    answer = await answered;
  } catch (error) {
    // The client may still send, and reads the response after that.
    request.unpipe();
    request.resume();
    throw error;
  }
  await operation?.beforeResponse(answer);
  const { statusCode = 502, statusMessage, rawHeaders } = answer;
  response.writeHead(statusCode, statusMessage, endToEnd(rawHeaders));
  // A response that breaks off must break off for the client too.
  await pipeline(answer, response).catch(() => response.destroy());
}

/** Keeps the last chunk, and with it the end of the stream, until it may follow. */
class WithheldEnd extends Transform {
  #last: Buffer | undefined;

  constructor(private readonly beforeEnd: () => Promise<void>) {
    super();
  }

  override _transform(chunk: Buffer, _: string, done: TransformCallback): void {
    const before = this.#last;
    this.#last = chunk;
    done(null, before);
  }

  override _flush(done: TransformCallback): void {
    this.beforeEnd().then(() => done(null, this.#last), done);
  }
}

/** Headers of one connection only (RFC 9110, section 7.6.1). */
const CONNECTION_HEADERS = new Set(["connection", "keep-alive", "proxy-connection", "upgrade"]);

/** The headers that a proxy passes on, unchanged and in order. */
export function endToEnd(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter(
    (_, index) => !CONNECTION_HEADERS.has(String(rawHeaders[index - (index % 2)]).toLowerCase()),
  );
}
