import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
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

/** Steps between a request and its response. */
export interface Interception {
  /** Runs before the last bytes of the request leave. */
  readonly beforeEnd: () => Promise<void>;
  /** Runs before the response is passed on. */
  readonly beforeResponse: (response: IncomingMessage) => Promise<void>;
}

/**
 * Sends a request to Azurite as it is, and its response back, in streams.
 *
 * @throws Node's own error if Azurite sends no response
 */
export async function passThrough(
  { request, response, awaitsContinue }: BlobExchange,
  azurite: AzuriteClient,
  interception?: Interception,
): Promise<void> {
  const { method = "GET", url = "/" } = request;
  const body = interception ? heldBody(request, interception) : request;
  // Azurite closes a connection on which nothing is sent for some seconds.
  if (body !== request && !awaitsContinue) await once(body, "readable");
  // Only what has all of its bytes, and its turn, may make others wait for a connection.
  const connections = body instanceof HeldEnd && body.isReleased ? "complete" : "streams";
  const call = azurite.begin(method, url, endToEnd(request.rawHeaders), connections);
  const answered = answerTo(call);
  // The client's end of a request is that of the call, unless Azurite has all of it.
  response.once("close", () => {
    if (!request.complete) call.destroy();
  });
  body.once("error", (error) => call.destroy(error));
  if (awaitsContinue) {
    call.once("continue", () => response.writeContinue());
    call.flushHeaders();
  }
  body.pipe(call);
  let answer: IncomingMessage;
  try {
    answer = await answered;
  } catch (error) {
    // The client may still send, and reads the response after that.
    request.unpipe();
    request.resume();
    throw error;
  }
  await interception?.beforeResponse(answer);
  const { statusCode = 502, statusMessage, rawHeaders } = answer;
  response.writeHead(statusCode, statusMessage, endToEnd(rawHeaders));
  // A response that breaks off must break off for the client too.
  await pipeline(answer, response).catch(() => response.destroy());
}

function heldBody(request: IncomingMessage, { beforeEnd }: Interception): Transform {
  const held = new HeldEnd(beforeEnd);
  held.on("error", () => {});
  request.once("close", () => {
    if (!request.complete) held.destroy(new Error("the client has closed the connection"));
  });
  return request.pipe(held);
}

/** Keeps the last chunk of a stream back until a condition holds. */
class HeldEnd extends Transform {
  #last: Buffer | undefined;
  /** Whether the condition holds, and all of the stream is there. */
  isReleased = false;

  constructor(private readonly condition: () => Promise<void>) {
    super();
  }

  override _transform(chunk: Buffer, _: string, done: TransformCallback): void {
    const before = this.#last;
    this.#last = chunk;
    done(null, before);
  }

  override _flush(done: TransformCallback): void {
    this.condition().then(() => {
      this.isReleased = true;
      done(null, this.#last);
    }, done);
  }
}

/** Headers of one connection only (RFC 9110, section 7.6.1). */
const CONNECTION_HEADERS = new Set(["connection", "keep-alive", "proxy-connection", "upgrade"]);

/** The headers that a proxy passes on, unchanged and in order. */
export function endToEnd(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter(
    (_, index) => !CONNECTION_HEADERS.has((rawHeaders[index - (index % 2)] ?? "").toLowerCase()),
  );
}
