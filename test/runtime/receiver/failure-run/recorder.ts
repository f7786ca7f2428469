import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

/** An event that a receiver got, and what became of the lock that it came with. */
interface Delivery {
  readonly id: string;
  readonly attempt: number;
  readonly receiver: string;
  /** By the requests with the lock's token; `undefined` if the connection ended before the response. */
  readonly settlements: { operation: string; succeeded: boolean | undefined }[];
}

/** Stands between receivers and the local Azure, and records what is received and settled. */
export class Recorder {
  /** By lock token, in order. */
  readonly deliveries = new Map<string, Delivery>();
  /** Responses by operation and status; status 0 for a connection that ended without one. */
  readonly responses = new Map<string, number>();
  readonly #agent = new Agent({ keepAlive: true });
  readonly #servers: Server[] = [];

  /**
   * Serves one receiver.
   *
   * @returns the origin that leads it to a server on this machine
   */
  async serve(receiver: string, upstreamPort: number): Promise<string> {
    const server = createServer((incoming, outgoing) =>
      this.#forward(receiver, upstreamPort, incoming, outgoing),
    );
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  deliveriesOf(eventId: string): readonly Delivery[] {
    return [...this.deliveries.values()].filter(({ id }) => id === eventId);
  }

  stop(): void {
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
    }
    this.#agent.destroy();
  }

  #forward(
    receiver: string,
    port: number,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ): void {
    const path = incoming.url ?? "";
    const operation = /:(\w+)\?/.exec(path)?.[1] ?? "";
    let settled = "";
    const record = (status: number, response: string) =>
      this.#record({ receiver, operation, status, request: settled, response });
    const fail = () => {
      record(0, "{}");
      outgoing.destroy();
    };
    const { method, headers } = incoming;
    const options = { port, host: "127.0.0.1", path, method, headers, agent: this.#agent };
    const upstream = request(options, async (response) => {
      const body = await textOf(response).catch(() => undefined);
      if (body === undefined) return fail();
      record(response.statusCode ?? 0, body);
      outgoing.writeHead(response.statusCode ?? 502, response.headers).end(body);
    });
    upstream.once("error", fail);
    outgoing.once("close", () => {
      if (!outgoing.writableEnded) upstream.destroy();
    });
    incoming.on("data", (chunk) => {
      settled += chunk;
    });
    incoming.pipe(upstream);
  }

  #record({
    receiver,
    operation,
    status,
    request,
    response,
  }: Readonly<Record<"receiver" | "operation" | "request" | "response", string>> & {
    readonly status: number;
  }): void {
    const kind = `${operation} ${status}`;
    this.responses.set(kind, (this.responses.get(kind) ?? 0) + 1);
    if (operation === "receive") {
      if (status !== 200) return;
      for (const { event, brokerProperties } of JSON.parse(response).value) {
        const { lockToken, deliveryCount: attempt } = brokerProperties;
        this.deliveries.set(lockToken, { id: event.id, attempt, receiver, settlements: [] });
      }
      return;
    }
    const { lockTokens = [] } = JSON.parse(request || "{}");
    const { succeededLockTokens = [] } = status === 200 ? JSON.parse(response) : {};
    for (const token of lockTokens) {
      const succeeded = status === 0 ? undefined : succeededLockTokens.includes(token);
      this.deliveries.get(token)?.settlements.push({ operation, succeeded });
    }
  }
}

async function textOf(response: IncomingMessage): Promise<string> {
  response.setEncoding("utf8");
  let text = "";
  for await (const chunk of response) text += chunk;
  return text;
}
