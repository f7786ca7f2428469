/** Runs both services with the local Azure, kills them in the middle, and counts: `npm start`. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { bindingEnvironment } from "cloud-eventgrid-binding-runtime";
import { LocalCloud } from "cloud-eventgrid-local";
import { freePort } from "../start/free-port.js";
import { interruption } from "../start/interruption.js";
import { createTimeline } from "../start/timeline.js";
import { openDatabase } from "./database.js";
import { shop } from "./events.js";

const ORDERS = 200;
const PUBLIC_URL = "https://shipping.example.com/api/events";

const timeline = createTimeline();
const signal = interruption();
const folder = mkdtempSync(join(tmpdir(), "cloud-eventgrid-exactly-once-"));
const running = new Map<string, ChildProcess>();

timeline.chapter("A local Azure with a topic and two services, each with its PGlite");
// Event Grid tries again after 10 s, which take half a second here.
const cloud = await LocalCloud.start({ clock: { scale: 20 } });
try {
  const port = await freePort();
  cloud.ingress.route(new URL(PUBLIC_URL).origin, `http://127.0.0.1:${port}`);
  const topic = cloud.topics.create({ name: "shop" });
  const { clientId } = cloud.applications.create({ displayName: "shipping webhook" });
  const output = bindingEnvironment(
    { direction: "output", topicEndpoint: topic.endpoint, accessKey: topic.accessKey },
    "SHOP",
  );
  const input = bindingEnvironment(
    {
      direction: "input",
      cloudTenantId: cloud.tenantId,
      cloudSubscriptionId: cloud.subscriptionId,
      cloudClientId: clientId,
      cloudAuthorityHost: cloud.authorityHost,
      writer: "deployer",
      subscriberEndpoint: PUBLIC_URL,
      handshakePort: String(port),
      scope: topic.id,
    },
    "SHIPPING",
  );
  const environment = { ...output.variables, ...output.secrets, ...input.variables };
  /** Starts a service, and waits until it has placed that many orders; shipping prints 0. */
  const start = async (service: "orders" | "shipping", orders: number) => {
    const module = join(import.meta.dirname, `${service}.ts`);
    const child = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), module], {
      stdio: ["ignore", "pipe", "inherit"],
      env: {
        ...process.env,
        ...environment,
        DATABASE: join(folder, service),
        ORDERS: String(ORDERS),
      },
    });
    running.set(service, child);
    let isReached = false;
    for await (const line of createInterface({ input: child.stdout })) {
      signal.throwIfAborted();
      isReached = Number(line) >= orders;
      if (isReached) break;
    }
    if (!isReached) throw new Error(`the service ${service} has ended`);
    child.stdout.resume();
  };
  const end = async (service: string, by: NodeJS.Signals) => {
    const child = running.get(service);
    running.delete(service);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(by);
    await ended;
    if (by === "SIGKILL") timeline.line("kill -9", service, "refused");
  };

  await start("shipping", 0);
  await cloud.eventSubscriptions.create({
    name: "shipping",
    scope: topic.id,
    clientId,
    endpointUrl: PUBLIC_URL,
  });
  timeline.line("shipping", "is ready");

  timeline.chapter(`${ORDERS} orders, while Event Grid delivers some of them twice`);
  cloud.faults.duplicates({ times: 30 });
  for (const placed of [50, 100]) {
    await start("orders", placed);
    timeline.line("orders", `${placed} orders placed`);
    await end("orders", "SIGKILL");
  }
  await start("orders", 150);
  timeline.line("orders", "150 orders placed");
  // It has handled the events whose responses are lost, and dies before they are delivered again.
  const handled = cloud.deliveries().length;
  cloud.faults.deliveries({ loseResponse: true, times: 10 });
  while (cloud.deliveries().length < handled + 10) await setTimeout(20, undefined, { signal });
  await end("shipping", "SIGKILL");
  await start("shipping", 0);
  timeline.line("shipping", "is ready again");

  timeline.chapter("Wait until everything is delivered, and count");
  const published = () => new Set(topic.events(shop).map(({ data }) => data.orderId));
  while (published().size < ORDERS) await setTimeout(50, undefined, { signal });
  await cloud.drain();
  await Promise.all([end("orders", "SIGTERM"), end("shipping", "SIGTERM")]);
  const orders = await counts("orders", "orders (id int)", "id");
  const shipments = await counts("shipping", "shipments (order_id int)", "order_id");
  const twice = [...shipments.values()].filter((count) => count > 1).length;
  const lost = [...orders.keys()].filter((id) => !shipments.has(id)).length;
  const repeated =
    cloud.deliveries().reduce((sum, { events }) => sum + events.length, 0) - published().size;
  const proof = `${orders.size} orders, ${shipments.size} shipped, ${lost} lost, ${twice} shipped twice; 3 processes killed, ${repeated} events delivered again`;
  const isProven = orders.size === ORDERS && lost === 0 && twice === 0 && repeated > 0;
  timeline.line("result", proof, isProven ? "good" : "refused");
  if (!isProven) process.exitCode = 1;
} finally {
  for (const child of running.values()) child.kill("SIGKILL");
  await cloud.close();
  rmSync(folder, { recursive: true, force: true });
}

/** How often each number occurs in a column of a service's database. */
async function counts(service: string, table: string, column: string) {
  const database = await openDatabase(join(folder, service), table);
  const [name = ""] = table.split(" ");
  const { rows } = await database.query<{ value: number; count: number }>(
    `select ${column} as value, count(*)::int as count from ${name} group by ${column}`,
  );
  await database.close();
  return new Map(rows.map(({ value, count }) => [value, count]));
}
