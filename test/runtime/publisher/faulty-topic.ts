import { createServer, type Server, type Socket } from "node:net";
import { listen } from "./harness.js";

/** What a topic does with a request: `taken` says whether it accepts the events. */
export interface Fault {
  readonly name: string;
  readonly taken: boolean;
  /** The chunks of the response. The connection ends after the last one if `ends` is set. */
  readonly pieces: readonly string[];
  readonly ends?: "close" | "reset";
}

const response = (status: number, headers = "", body = "") =>
  `HTTP/1.1 ${status} X\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;

/** All ways in which a request can end, each with and without accepting the events where possible. */
export const FAULTS: readonly Fault[] = [
  { name: "200", taken: true, pieces: [response(200)] },
  {
    name: "200 in pieces",
    taken: true,
    pieces: ["HTTP/1.1 2", "00 OK\r\nContent-", "Length: 0\r\n\r\n"],
  },
  { name: "200 and close", taken: true, pieces: [response(200)], ends: "close" },
  {
    name: "200, body cut",
    taken: true,
    pieces: ["HTTP/1.1 200 X\r\nContent-Length: 9\r\n\r\n{"],
    ends: "reset",
  },
  {
    name: "200, body stalls",
    taken: true,
    pieces: ["HTTP/1.1 200 X\r\nContent-Length: 9\r\n\r\n{"],
  },
  { name: "400", taken: false, pieces: [response(400)] },
  { name: "401", taken: false, pieces: [response(401)] },
  {
    name: "403, body cut",
    taken: false,
    pieces: ["HTTP/1.1 403 X\r\nContent-Length: 9\r\n\r\n{"],
    ends: "reset",
  },
  { name: "413", taken: false, pieces: [response(413)] },
  { name: "429", taken: false, pieces: [response(429)] },
  { name: "429 for a second", taken: false, pieces: [response(429, "Retry-After: 1\r\n")] },
  ...[true, false].flatMap((taken) => [
    { name: "202", taken, pieces: [response(202)] },
    { name: "408", taken, pieces: [response(408)] },
    { name: "503", taken, pieces: [response(503)] },
    { name: "503, body stalls", taken, pieces: ["HTTP/1.1 503 X\r\nContent-Length: 9\r\n\r\n{"] },
    { name: "reset", taken, pieces: [], ends: "reset" as const },
    { name: "close", taken, pieces: [], ends: "close" as const },
    { name: "hang", taken, pieces: [] },
    { name: "headers cut", taken, pieces: ["HTTP/1.1 200"], ends: "reset" as const },
    { name: "headers stall", taken, pieces: ["HTTP/1.1 2"] },
    { name: "no HTTP", taken, pieces: ["what?\r\n\r\n"] },
  ]),
];

/** A topic on a plain socket, which fails as scripted. */
export class FaultyTopic {
  /** IDs of the events that the topic accepted. */
  readonly accepted = new Set<string>();
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #next: () => Fault;
  endpoint = "";

  /** @param next returns the reaction to the next request */
  constructor(next: () => Fault) {
    this.#next = next;
    this.#server = createServer((socket) => this.#serve(socket));
  }

  async start(): Promise<void> {
    this.endpoint = `http://127.0.0.1:${await listen(this.#server)}/api/events`;
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #serve(socket: Socket): void {
    let received = "";
    this.#sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => this.#sockets.delete(socket));
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      const [head = "", body] = received.split("\r\n\r\n", 2);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
      if (body === undefined || body.length < length) return;
      received = "";
      void this.#respond(socket, body);
    });
  }

  async #respond(socket: Socket, body: string): Promise<void> {
    const { taken, pieces, ends } = this.#next();
    if (taken) for (const { id } of JSON.parse(body)) this.accepted.add(id);
    for (const piece of pieces) {
      socket.write(piece);
      await new Promise(setImmediate);
    }
    if (ends === "close") socket.end();
    if (ends === "reset") socket.resetAndDestroy();
  }
}
