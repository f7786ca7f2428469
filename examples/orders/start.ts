/** The main job, end to end on this machine: `npm start`; `npm start -- --help` tells its flags. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { App, LocalBackend } from "cdktf";
import { LocalCloud } from "cloud-eventgrid-local";
import { findTerraform } from "cloud-eventgrid-stand-ins";
import type { Deployment, DeploymentPlace } from "../start/deployment.js";
import { readFlags } from "../start/flags.js";
import { freePort } from "../start/free-port.js";
import { Interruption, interruption } from "../start/interruption.js";
import { plainDeployment } from "../start/plain-deployment.js";
import { down } from "../start/process.js";
import { readSynthesized } from "../start/synthesized.js";
import { terraformDeployment } from "../start/terraform-deployment.js";
import { createTimeline } from "../start/timeline.js";
import { watch } from "../start/watch.js";
import { placeOrders, turnAwayIntruders } from "./scenes.js";
import { OrdersStack } from "./stack.js";

const PUBLIC_URL = "https://orders.example.com/api/events";
/** Azure waits 30 s before it tries again after a 503; here one second stands for twenty. */
const CLOCK_SCALE = 20;

const flags = readFlags();
const timeline = createTimeline();
const signal = interruption();
const outdir = mkdtempSync(join(tmpdir(), "cloud-eventgrid-orders-"));
const logFile = join(outdir, "service.log");
const port = await freePort();
const webhook = `http://127.0.0.1:${port}/api/events`;

timeline.chapter("A local Azure");
const cloud = await LocalCloud.start({
  control: true,
  clock: { scale: CLOCK_SCALE },
  ingress: { [new URL(PUBLIC_URL).origin]: new URL(webhook).origin },
});
timeline.line("cloud", `Entra, Resource Manager, Graph and Event Grid at ${cloud.httpOrigin}`);
const place: DeploymentPlace = { cloud, outdir, stack: "orders", timeline, signal };
const watching = watch(cloud, logFile, timeline);
let deployment: Deployment | undefined;
let failure: unknown;

try {
  chapter("Synthesize and deploy");
  synthesize();
  const { resources, lookups } = readSynthesized(outdir, "orders");
  timeline.line("synth", `${resources.length} resources, ${lookups} look-ups`);
  for (const { address } of resources) timeline.detail(address);
  deployment = await chooseDeployment();
  const environment = await deployment.apply();

  chapter("Publish orders, and have them delivered");
  const placed = await placeOrders(environment, timeline);
  await cloud.drain();

  chapter("Turn intruders away");
  const refused = await turnAwayIntruders(cloud, webhook, environment, timeline);

  chapter("Update");
  synthesize({ maxDeliveryAttempts: 10 });
  await deployment.apply();

  chapter("Destroy");
  await deployment.destroy();
  const left = cloud.eventSubscriptions.list().length + cloud.topics.list().length;
  timeline.line("destroy", left === 0 ? "nothing is left" : `${left} resources are left`);

  chapter("Summary");
  summarize(placed, refused, left);
} catch (error) {
  failure = error;
} finally {
  watching.stop();
  await down(logFile);
  await deployment?.stop();
  await cloud.stop();
  if (failure === undefined || failure instanceof Interruption) {
    rmSync(outdir, { recursive: true, force: true });
  }
  tellFailure();
}

/** Goes on to the next chapter, unless the run is to end, once the last one is told. */
function chapter(title: string): void {
  signal.throwIfAborted();
  watching.look();
  timeline.chapter(title);
}

function synthesize(changed: { maxDeliveryAttempts?: number } = {}): void {
  const app = new App({ outdir });
  const stack = new OrdersStack(app, "orders", {
    cloudTenantId: cloud.tenantId,
    cloudSubscriptionId: cloud.subscriptionId,
    cloudAuthorityHost: cloud.authorityHost,
    subscriberEndpoint: PUBLIC_URL,
    handshakePort: String(port),
    logFile,
    ...changed,
  });
  new LocalBackend(stack, { path: join(outdir, "terraform.tfstate") });
  app.synth();
}

async function chooseDeployment(): Promise<Deployment> {
  const terraform = findTerraform();
  const { providers } = flags;
  if (terraform !== undefined && providers !== undefined) {
    const named = typeof providers === "string" ? providers : `from ${providers.mirror}`;
    timeline.line("terraform", `${terraform}, providers: ${named}`);
    return terraformDeployment(place, providers);
  }
  timeline.line(
    "terraform",
    providers === undefined
      ? "left out, as asked"
      : "not on the PATH (https://developer.hashicorp.com/terraform/install): going on without it",
  );
  const module = fileURLToPath(new URL("service.ts", import.meta.url));
  return plainDeployment(place, { module, logFile, readyUrl: new URL("/readyz", webhook).href });
}

function summarize(placed: number, refused: number, left: number): void {
  const deliveries = cloud.deliveries();
  const count = (outcome: string) => deliveries.filter((each) => each.outcome === outcome).length;
  const delivered = count("delivered");
  const retried = count("retrying");
  const lost = count("deadLettered") + count("dropped");
  const handshakes = cloud.handshakes().filter(({ succeeded }) => succeeded).length;
  timeline.line("handshakes", `${handshakes}, one whenever the event subscription was written`);
  timeline.line(
    "events",
    `${placed} orders placed, ${delivered} events handled, ${retried} came again, ${lost} lost`,
  );
  timeline.line("intruders", `${refused} turned away`);
  // Each order is placed and shipped; the one of glass is refused once.
  const asExpected =
    handshakes === 2 &&
    delivered === 2 * placed &&
    retried === 1 &&
    lost === 0 &&
    refused === 3 &&
    left === 0;
  if (!asExpected) throw new Error("this is not how the story should have ended");
  timeline.line("result", "all as it should be", "good");
}

function tellFailure(): void {
  if (failure === undefined) return;
  process.exitCode = failure instanceof Interruption ? failure.exitCode : 1;
  console.error(`\n${failure instanceof Error ? failure.message : failure}`);
  if (failure instanceof Interruption) console.error("everything that was started is gone again");
  else console.error(`\nthe synthesized stack, the state and the service's log are in ${outdir}`);
}
