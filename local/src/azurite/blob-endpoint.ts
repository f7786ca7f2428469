import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { ServiceError, serviceError } from "../base/index.js";
import { close, createHttpServer, listen, readBody } from "../http/index.js";
import { AzuriteClient, answerTo, type BlobProperties, notReached } from "./azurite-client.js";
import type { AzuriteSettings } from "./azurite-options.js";
import { batchParts, MAX_BATCH_BYTES } from "./blob-batch.js";
import { type BlobEvent, blobEvents } from "./blob-events.js";
import { BlobLocks } from "./blob-locks.js";
import { type BlobRequest, blobRequestOf } from "./blob-request.js";
import { type BlobExchange, endToEnd, passThrough } from "./pass-through.js";

interface Options {
  readonly settings: AzuriteSettings;
  readonly port: number;
  readonly host: string;
  /** Certificates to trust for Azurite, in addition to the public ones. */
  readonly ca: readonly string[];
  /** Accepts an event before the client gets the response. It may throw to fail the operation. */
  readonly raise: (event: BlobEvent) => void;
}

/** An operation on a blob whose response is awaited. */
interface Operation extends BlobRequest {
  before?: BlobProperties | undefined;
}

/**
 * A blob service in front of Azurite's. It passes every request on unchanged, and raises the events
 * of those that succeed.
 *
 * Operations on the same blob complete one after the other: Azurite gets the end of an upload when it
 * is its turn. The sequence of events is thus that of the blob, and the properties that are read after
 * an operation are those that it has written.
 */
export class BlobEndpoint {
  /** @throws LocalCloudError `ERR_AZURITE` if Azurite does not answer, and those of `listen` */
  static async start(options: Options): Promise<BlobEndpoint> {
    const azurite = new AzuriteClient(options.settings, options.ca);
    // Uploads may take long.
    const server = createHttpServer();
    server.requestTimeout = 0;
    try {
      await azurite.checkRunning();
      const port = await listen(server, options.port, options.host);
      return new BlobEndpoint(options, azurite, server, port);
    } catch (error) {
      azurite.close();
      throw error;
    }
  }

  readonly #locks = new BlobLocks();

  private constructor(
    private readonly options: Options,
    private readonly azurite: AzuriteClient,
    private readonly server: Server,
    readonly port: number,
  ) {
    server.on("request", (request, response) =>
      this.#serve({ request, response, awaitsContinue: false }),
    );
    server.on("checkContinue", (request, response) =>
      this.#serve({ request, response, awaitsContinue: true }),
    );
  }

  async close(): Promise<void> {
    await close(this.server);
    this.azurite.close();
  }

  async #serve(exchange: BlobExchange): Promise<void> {
    const { request, response } = exchange;
    // A client that goes away fails its own request only.
    request.on("error", () => {});
    response.on("error", () => {});
    try {
      const host = request.headers.host ?? this.options.settings.url.host;
      await (isBatch(request) ? this.#serveBatch(exchange, host) : this.#serveOne(exchange, host));
    } catch (error) {
      const { url } = this.options.settings;
      // Clients of storage repeat requests after 500 and 503, so 502 shows the error at once.
      const reported =
        error instanceof ServiceError
          ? error
          : serviceError.AzuriteUnreachable(notReached(url, error));
      sendError(response, reported);
    }
  }

  async #serveOne(exchange: BlobExchange, host: string): Promise<void> {
    const { method, url = "/", headers } = exchange.request;
    const operation: Operation | undefined = blobRequestOf(method, url, headers, host);
    if (!operation) return passThrough(exchange, this.azurite);
    let begun: Promise<() => void> | undefined;
    let isOver = false;
    try {
      await passThrough(exchange, this.azurite, {
        beforeEnd: async () => {
          if (!isOver) begun = this.#begin([operation], host);
          await begun;
        },
        beforeResponse: async (answer) => {
          const requestId = answer.headers["x-ms-request-id"]?.toString();
          await this.#complete(operation, answer.statusCode, requestId, host);
        },
      });
    } finally {
      isOver = true;
      // The client may have gone away before its turn.
      void begun?.then((release) => release());
    }
  }

  /** A batch is small. It is read as a whole to know its blobs before they are deleted. */
  async #serveBatch({ request, response, awaitsContinue }: BlobExchange, host: string) {
    if (awaitsContinue) response.writeContinue();
    const body = await readBody(request, MAX_BATCH_BYTES);
    if (!body) {
      const message = `A batch may have ${MAX_BATCH_BYTES} bytes, and this one is longer.`;
      throw serviceError.RequestBodyTooLarge(message);
    }
    const parts = batchParts(request.headers["content-type"], body).map(
      ({ contentId, start: [method, target], headers }) => ({
        contentId,
        operation: blobRequestOf(method, String(target), headers, host),
      }),
    );
    const release = await this.#begin(
      parts.flatMap(({ operation }) => operation ?? []),
      host,
    );
    try {
      const call = this.azurite.begin("POST", String(request.url), endToEnd(request.rawHeaders));
      const answer = await answerTo(call.end(body));
      const answerBody = Buffer.concat(await answer.toArray());
      for (const result of batchParts(answer.headers["content-type"], answerBody)) {
        const part = parts.find(({ contentId }) => contentId === result.contentId);
        if (!part?.operation) continue;
        const requestId = result.headers["x-ms-request-id"]?.toString();
        await this.#complete(part.operation, Number(result.start[1]), requestId, host);
      }
      const { statusCode = 502, statusMessage, rawHeaders } = answer;
      response.writeHead(statusCode, statusMessage, endToEnd(rawHeaders)).end(answerBody);
    } finally {
      release();
    }
  }

  /** Waits for earlier operations on the blobs, and reads what the operations will remove. */
  async #begin(operations: readonly Operation[], host: string): Promise<() => void> {
    const release = await this.#locks.acquire(
      operations.map(({ address: { account, container, blob } }) =>
        [account, container, blob].join("/"),
      ),
    );
    for (const operation of operations) {
      if (operation.api === "DeleteBlob" || operation.api === "SetBlobTier") {
        operation.before = await this.#properties(operation, host);
      }
    }
    return release;
  }

  /** Raises the events of an operation that has succeeded. */
  async #complete(
    operation: Operation,
    status = 0,
    requestId: string | undefined,
    host: string,
  ): Promise<void> {
    if (status < 200 || status > 299) return;
    const { api, address, clientRequestId, before } = operation;
    const after = api === "DeleteBlob" ? undefined : await this.#properties(operation, host);
    const origin = `http://${host}`;
    const completed = { api, address, origin, clientRequestId, requestId, status, before, after };
    try {
      for (const event of blobEvents(completed)) this.options.raise(event);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const message = `${api} has succeeded, but its event could not be accepted: ${reason} Repeat the operation for the event.`;
      throw serviceError.EventNotAccepted(message);
    }
  }

  /** An event without properties is better than none. */
  async #properties({ address }: Operation, host: string): Promise<BlobProperties | undefined> {
    return this.azurite.properties(address, host).catch(() => undefined);
  }
}

function isBatch({ method, url = "/" }: IncomingMessage): boolean {
  return method === "POST" && new URLSearchParams(url.split("?")[1]).get("comp") === "batch";
}

/** Errors of storage are XML. */
function sendError(response: ServerResponse, { status, serviceCode, message }: ServiceError): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const text = message.replace(/[&<]/g, (each) => `&#${each.charCodeAt(0)};`);
  const body = `<?xml version="1.0" encoding="utf-8"?><Error><Code>${serviceCode}</Code><Message>${text}</Message></Error>`;
  response.writeHead(status, {
    "content-type": "application/xml",
    "content-length": Buffer.byteLength(body),
    "x-ms-error-code": serviceCode,
  });
  response.end(body);
}
