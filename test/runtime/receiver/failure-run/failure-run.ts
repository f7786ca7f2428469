import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { freePort } from "../../../../examples/start/free-port.js";
import { root } from "../../../support/project.js";
import type { ServiceSetting } from "./receiving-service.js";
import { Recorder } from "./recorder.js";

const PER_REQUEST = 50;
const TOKEN = "failure-run";
/** Twelve times as fast as the wall's clock: a lock of 60 seconds lasts 5. */
const CLOCK_SCALE = 12;
export const LOCK_MS = 5_000;

/** A receiver in a process of its own. */
class Service {
  /** The processes that were killed, and those that were frozen. */
  readonly killed = new Set<number>();
  readonly frozen = new Set<number>();
  #process: ChildProcess | undefined;

  constructor(
    readonly name: string,
    private readonly setting: () => ServiceSetting,
  ) {}

  async start(): Promise<void> {
    const file = join(import.meta.dirname, "receiving-service.ts");
    this.#process = fork(file, [JSON.stringify(this.setting())], {
      execArgv: ["--import", "tsx"],
    });
    await once(this.#process, "message");
  }

  useKey(key: string): void {
    this.#process?.send(key);
  }

  /** @returns the exit code; `null` when it was killed */
  async end(signal: "SIGKILL" | "SIGTERM"): Promise<number | null> {
    const ending = this.#process;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return null;
    const exit = once(ending, "exit");
    if (signal === "SIGKILL") this.killed.add(ending.pid ?? 0);
    ending.kill(signal);
    await exit;
    return ending.exitCode;
  }

  freeze(): void {
    this.frozen.add(this.#process?.pid ?? 0);
    this.#process?.kill("SIGSTOP");
  }

  thaw(): void {
    this.#process?.kill("SIGCONT");
  }
}

/** A local Azure that keeps its state in a directory, a recorder in front of it, and receivers. */
export class FailureRun implements AsyncDisposable {
  published = 0;
  /** Events that were published again, because there was no answer. */
  readonly publishedAgain = new Set<string>();
  readonly restarts: { readonly from: number; readonly to: number }[] = [];
  readonly services: readonly Service[];
  readonly recorder = new Recorder();
  #key = "Zmlyc3Qga2V5IG9mIHRoZSBuYW1lc3BhY2U=";
  #publishingKey = "";
  #port = 0;
  /** Where each receiver finds the recorder. */
  readonly #origins = new Map<string, string>();
  #azure: ChildProcess | undefined;

  private readonly folder = mkdtempSync(join(tmpdir(), "pull-failures-"));

  constructor(receivers: number) {
    this.services = Array.from({ length: receivers }, (_, index) => {
      const name = `receiver ${index}`;
      return new Service(name, () => this.#setting(name));
    });
  }

  async start(): Promise<void> {
    this.#port = await freePort();
    const subscription = {
      name: "shipping",
      maxDeliveryCount: 10,
      deadLetter: { container: "dead" },
    };
    writeFileSync(
      join(this.folder, "cloud-eventgrid-local.json"),
      JSON.stringify({
        namespaces: [
          {
            name: "shop",
            accessKey: this.#key,
            topics: [{ name: "orders", eventSubscriptions: [subscription] }],
          },
        ],
      }),
    );
    for (const file of [this.#journal, this.#log]) writeFileSync(file, "");
    await this.#startAzure();
    for (const { name } of this.services) {
      this.#origins.set(name, await this.recorder.serve(name, this.#port));
    }
    this.#publishingKey = (await this.#details()).key2;
    await Promise.all(this.services.map((service) => service.start()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.services.map((service) => service.end("SIGKILL")));
    this.recorder.stop();
    await this.#end("SIGKILL");
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Publishes the next events; until they are accepted, as a publisher does. */
  async publish(): Promise<void> {
    const ids = Array.from({ length: PER_REQUEST }, (_, index) => String(this.published + index));
    const body = JSON.stringify(
      ids.map((id) => ({
        specversion: "1.0",
        id,
        source: "/shop",
        type: "shop.order.placed",
        data: { orderId: id },
      })),
    );
    const url = `${this.#endpointAt(this.#origin)}/topics/orders:publish?api-version=2024-06-01`;
    const headers = {
      authorization: `SharedAccessKey ${this.#publishingKey}`,
      "content-type": "application/cloudevents-batch+json",
    };
    const isAccepted = () =>
      fetch(url, { method: "POST", headers, body }).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await isAccepted())) {
      for (const id of ids) this.publishedAgain.add(id);
      await setTimeout(20);
    }
    this.published += PER_REQUEST;
  }

  /** Kills the local Azure, and starts it again. */
  async restart(): Promise<void> {
    const from = Date.now();
    await this.#end("SIGKILL");
    await this.#startAzure();
    this.restarts.push({ from, to: Date.now() });
  }

  /** Freezes a receiver that waits for events, until the locks of those that it gets have run out. */
  async freeze(service: Service): Promise<void> {
    const { deliveries } = this.recorder;
    for (;;) {
      const before = deliveries.size;
      service.freeze();
      for (let request = 0; request < 2 * this.services.length; request += 1) await this.publish();
      const isHolding = [...deliveries.values()]
        .slice(before)
        .some(({ receiver }) => receiver === service.name);
      if (isHolding) await setTimeout(LOCK_MS + 500);
      service.thaw();
      if (isHolding) return;
    }
  }

  /** Replaces the key that the receivers use; they get the new one a while later. */
  async rotateKey(): Promise<void> {
    const { key1 } = await this.#call<{ key1: string }>("namespaces/regenerate-key", {
      namespace: "shop",
      key: "key1",
    });
    await this.refused("receive 401");
    this.#key = key1;
    for (const service of this.services) service.useKey(key1);
  }

  /** Lets requests of receivers fail, and publishes until that has happened so many times. */
  async fail(times: number, fault: object): Promise<void> {
    await this.#call("faults/receiving", { ...fault, times });
    do {
      await this.publish();
      await setTimeout(100);
    } while ((await this.#call<object[]>("faults")).length > 0);
  }

  /** Waits until receivers got a response of this kind. */
  async refused(kind: string): Promise<void> {
    while (!this.recorder.responses.has(kind)) await setTimeout(20);
  }

  /** Waits until every event is settled, and returns the numbers of the queue. */
  async settled() {
    for (;;) {
      const [subscription] = (await this.#details()).topics[0]?.subscriptions ?? [];
      const { waiting, locked, delayed } = subscription ?? {};
      if (waiting === 0 && locked === 0 && delayed === 0) return subscription;
      await setTimeout(100);
    }
  }

  /** What the receivers wrote about the events that they handled. */
  handled() {
    return linesOf(this.#journal).map((line) => {
      const [id = "", attempt, pid, at, end] = line.split(" ");
      return {
        id,
        attempt: Number(attempt),
        pid: Number(pid),
        at: Number(at),
        threw: end === "threw",
      };
    });
  }

  get #journal(): string {
    return join(this.folder, "handled");
  }

  get #log(): string {
    return join(this.folder, "log");
  }

  get #origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  #endpointAt(origin: string): string {
    return `${origin}/shop.westeurope-1`;
  }

  #setting(name: string): ServiceSetting {
    return {
      namespaceEndpoint: this.#endpointAt(this.#origins.get(name) ?? ""),
      accessKey: this.#key,
      journal: this.#journal,
      log: this.#log,
    };
  }

  async #startAzure(): Promise<void> {
    const child = spawn(
      process.execPath,
      [
        join(root, "local/bin/cloud-eventgrid-local.js"),
        ...["--persist", "state", "--port", String(this.#port), "--clock", String(CLOCK_SCALE)],
        "--quiet",
      ],
      {
        cwd: this.folder,
        stdio: ["ignore", "pipe", "inherit"],
        env: { ...process.env, EVENTGRID_LOCAL_TOKEN: TOKEN },
      },
    );
    this.#azure = child;
    let out = "";
    for await (const chunk of child.stdout) {
      out += chunk;
      if (out.includes("is running")) break;
    }
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (!this.#azure || this.#azure.exitCode !== null || this.#azure.signalCode !== null) return;
    const exit = once(this.#azure, "exit");
    this.#azure.kill(signal);
    await exit;
  }

  async #details(): Promise<NamespaceDetails> {
    const [details] = await this.#call<NamespaceDetails[]>("namespaces");
    if (!details) throw new Error("the namespace is missing");
    return details;
  }

  async #call<T>(path: string, body?: object): Promise<T> {
    const response = await fetch(`${this.#origin}/local/${path}`, {
      method: body ? "POST" : "GET",
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${text}`);
    return JSON.parse(text || "null");
  }
}

interface NamespaceDetails {
  readonly key2: string;
  readonly topics: readonly {
    readonly subscriptions: readonly Readonly<Record<string, unknown>>[];
  }[];
}

function linesOf(file: string): string[] {
  return readFileSync(file, "utf8").split("\n").filter(Boolean);
}
