/**
 * The main job, end to end on this machine: `npm start`
 *
 *     --providers=registry     the real azurerm and azuread providers, downloaded by Terraform
 *     --providers=DIRECTORY    the real ones, from a filesystem mirror of Terraform
 *     --without-terraform      makes the event subscription straight from what was synthesized
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { App, LocalBackend } from "cdktf";
import { LocalCloud } from "cloud-eventgrid-local";
import { findTerraform, providerSource } from "cloud-eventgrid-stand-ins";
import type { Deployment, DeploymentPlace } from "../start/deployment.js";
import { freePort } from "../start/free-port.js";
import { plainDeployment } from "../start/plain-deployment.js";
import { down } from "../start/process.js";
import { readSynthesized } from "../start/synthesized.js";
import { terraformDeployment } from "../start/terraform-deployment.js";
import { createTimeline } from "../start/timeline.js";
import { watch } from "../start/watch.js";
import { placeOrders, turnAwayIntruders } from "./scenes.js";
import { OrdersStack } from "./stack.js";

const { values: flags } = parseArgs({
  options: {
    providers: { type: "string", default: "stand-ins" },
    "without-terraform": { type: "boolean", default: false },
  },
});
const PUBLIC_URL = "https://orders.example.com/api/events";
/** Azure waits 30 s before it tries again after a 503; here one second stands for twenty. */
const CLOCK_SCALE = 20;

const timeline = createTimeline();
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
const place: DeploymentPlace = { cloud, outdir, stack: "orders", timeline };
let deployment: Deployment | undefined;
process.once("SIGINT", () => void down(logFile).finally(() => process.exit(130)));
const watching = watch(cloud, logFile, timeline);

try {
  timeline.chapter("Synthesize and deploy");
  synthesize();
  const { resources, lookups } = readSynthesized(outdir, "orders");
  timeline.line("synth", `${resources.length} resources, ${lookups} look-ups`);
  for (const { address } of resources) timeline.detail(address);
  deployment = await chooseDeployment();
  const environment = await deployment.apply();
  watching.look();
  timeline.line("plan", `once more: ${await deployment.plannedChanges()} changes`);

  timeline.chapter("Publish orders, and have them delivered");
  const placed = await placeOrders(environment, timeline);
  await cloud.drain();
  watching.look();

  timeline.chapter("Turn intruders away");
  const refused = await turnAwayIntruders(cloud, webhook, environment, timeline);
  watching.look();

  timeline.chapter("Update");
  synthesize({ maxDeliveryAttempts: 10 });
  await deployment.apply();
  watching.look();

  timeline.chapter("Destroy");
  await deployment.destroy();
  const left = cloud.eventSubscriptions.list().length + cloud.topics.list().length;
  timeline.line("destroy", left === 0 ? "nothing is left" : `${left} resources are left`);
  watching.stop();

  summarize(placed, refused, left);
} catch (error) {
  watching.stop();
  console.error(`\n${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
  await deployment?.destroy().catch(() => {});
} finally {
  await down(logFile);
  await deployment?.stop();
  await cloud.stop();
  rmSync(outdir, { recursive: true, force: true });
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
  if (terraform !== undefined && !flags["without-terraform"]) {
    const source = providerSource(flags.providers);
    const named = typeof source === "string" ? source : `from ${source.mirror}`;
    timeline.line("terraform", `${terraform}, providers: ${named}`);
    return terraformDeployment(place, source);
  }
  timeline.line(
    "terraform",
    terraform === undefined
      ? "not on the PATH (https://developer.hashicorp.com/terraform/install): going on without it"
      : "left out, as asked",
  );
  const module = fileURLToPath(new URL("service.ts", import.meta.url));
  return plainDeployment(place, { module, logFile, readyUrl: new URL("/readyz", webhook).href });
}

function summarize(placed: number, refused: number, left: number): void {
  const deliveries = cloud.deliveries();
  const delivered = deliveries.filter(({ outcome }) => outcome === "delivered").length;
  const retried = deliveries.filter(({ outcome }) => outcome === "retrying").length;
  const lost =
    cloud.deadLetters().length + deliveries.filter(({ outcome }) => outcome === "dropped").length;
  const handshakes = cloud.handshakes().filter(({ succeeded }) => succeeded).length;
  timeline.chapter("Summary");
  timeline.line("handshakes", `${handshakes}, one per apply that wrote the event subscription`);
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
  timeline.line(
    "result",
    asExpected ? "all as it should be" : "not as it should be",
    asExpected ? "good" : "refused",
  );
  if (!asExpected) process.exitCode = 1;
}
