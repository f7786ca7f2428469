import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, request as httpRequest, type Server } from "node:http";
import { connect, createServer as createTcpServer, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";

/** One replica of a service, in a separate process. */
export class Replica {
  /** The output of its processes. */
  output = "";
  #process: ChildProcess | undefined;

  constructor(
    readonly module: string,
    readonly port: number,
    readonly environment: Readonly<Record<string, string>>,
  ) {}

  /** Starts it, and waits until it is ready. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, ["--import", "tsx", this.module], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...this.environment },
    });
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      this.output += text;
    });
    this.#process = child;
    while (!(await this.isReady())) {
      if (child.exitCode !== null) throw new Error(`the replica ended: ${this.output}`);
      await setTimeout(50);
    }
  }

  /** The ID of its present process. */
  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  isReady(): Promise<boolean> {
    const url = `http://127.0.0.1:${this.port}/readyz`;
    return fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  /**
   * Stops it, if it is running.
   *
   * @returns its exit code; `null` when it was killed
   */
  async end(signal: "SIGKILL" | "SIGTERM"): Promise<number | null> {
    const ending = this.#process;
    if (ending === undefined) return null;
    if (ending.exitCode === null && ending.signalCode === null) {
      const closed = once(ending, "close");
      ending.kill(signal);
      await closed;
    }
    return ending.exitCode;
  }
}

/** A load balancer: sends each request to the next replica that is ready. */
export class RoundRobin {
  /** Number of responses by status; "broken" for connections that a replica broke. */
  readonly statuses: Record<string, number> = {};
  /** Replaced during a rolling restart. */
  replicas: readonly Replica[];
  #ready: readonly Replica[] = [];
  #polling: NodeJS.Timeout | undefined;
  #next = 0;

  readonly #server: Server = createServer((incoming, outgoing) => {
    this.#next += 1;
    const replica = this.#ready[this.#next % this.#ready.length];
    if (replica === undefined) {
      this.#count(503);
      outgoing.writeHead(503).end();
      return;
    }
    const { method, url, headers } = incoming;
    const target = { host: "127.0.0.1", port: replica.port, method, path: url, headers };
    const forwarded = httpRequest({ ...target, agent: false }, (response) => {
      this.#count(response.statusCode ?? 0);
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    forwarded.once("error", () => {
      this.#count("broken");
      outgoing.socket?.destroy();
    });
    incoming.pipe(forwarded);
  });

  constructor(replicas: readonly Replica[]) {
    this.replicas = replicas;
  }

  /** @returns its URL */
  async start(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    await this.poll();
    this.#polling = setInterval(() => void this.poll(), 100);
    return `http://127.0.0.1:${Object(this.#server.address()).port}`;
  }

  /** Requests the readiness of all replicas, as Kubernetes does. */
  async poll(): Promise<void> {
    const { replicas } = this;
    const areReady = await Promise.all(replicas.map((replica) => replica.isReady()));
    this.#ready = replicas.filter((_, index) => areReady[index]);
  }

  stop(): void {
    clearInterval(this.#polling);
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #count(status: number | "broken"): void {
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
  }
}

/** An address that stays the same when Redis fails over. */
export class StableAddress {
  #port: number;
  readonly #sockets = new Set<Socket>();
  readonly #server = createTcpServer((client) => {
    const server = connect(this.#port, "127.0.0.1");
    this.#forward(client, server);
    this.#forward(server, client);
  });

  /** @param port of the server to begin with */
  constructor(port: number) {
    this.#port = port;
  }

  /** @returns the address, a host and port */
  async start(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `127.0.0.1:${Object(this.#server.address()).port}`;
  }

  /** Points to another server, and breaks all connections to the previous one. */
  switchTo(port: number): void {
    this.#port = port;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Forwards nothing on the present connections, and leaves them open. */
  fallSilent(): void {
    for (const socket of this.#sockets) socket.unpipe().resume();
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #forward(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    from.on("error", () => {});
    from.once("close", () => {
      this.#sockets.delete(from);
      to.destroy();
    });
    from.pipe(to);
  }
}
