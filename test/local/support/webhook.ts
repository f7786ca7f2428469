import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Resets the connection. */
  readonly reset: () => void;
}

export interface WebhookAnswer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

export type AnswerTo = (request: ReceivedRequest) => WebhookAnswer | Promise<WebhookAnswer>;

const CONSENT = {
  "webhook-allowed-origin": "eventgrid.azure.net",
  "webhook-allowed-rate": "*",
};

/** Accepts handshakes of both kinds, and every delivery. */
export const confirmValidation: AnswerTo = ({ method, headers, body }) => {
  if (method === "OPTIONS") return { headers: CONSENT };
  if (headers["aeg-event-type"] !== "SubscriptionValidation") return {};
  const [{ data }] = JSON.parse(body);
  return { body: JSON.stringify({ validationResponse: data.validationCode }) };
};

/**
 * A receiver of deliveries that does not use this project's runtime: it consents and answers 200.
 */
export class Webhook implements AsyncDisposable {
  readonly requests: ReceivedRequest[] = [];
  answer: AnswerTo = ({ method }) =>
    method === "OPTIONS" ? { headers: CONSENT } : { status: 200 };

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(atPort = 0): Promise<Webhook> {
    const server = createServer();
    server.listen(atPort, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const webhook = new Webhook(server, `http://127.0.0.1:${port}`);
    server.on("request", async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const received = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(chunks).toString("utf8"),
        reset: () => void request.socket.resetAndDestroy(),
      };
      webhook.requests.push(received);
      const { status = 200, headers = {}, body } = await webhook.answer(received);
      response.writeHead(status, headers).end(body);
    });
    return webhook;
  }

  /** Gives deliveries this answer, and handshakes consent. */
  answerDeliveries(answer: (request: ReceivedRequest) => number | Promise<number>): void {
    this.answer = async (request) =>
      request.method === "OPTIONS" ? { headers: CONSENT } : { status: await answer(request) };
  }

  /** The deliveries, without the handshakes. */
  get deliveries(): ReceivedRequest[] {
    return this.requests.filter(({ method }) => method === "POST");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.server, "close");
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }
}
