/** Runs the orders example end to end on this machine: `npm start`; `-- --help` shows its flags. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { App, LocalBackend } from "cdktf";
import { LocalCloud } from "cloud-eventgrid-local";
import { findTerraform, TerraformMissingError } from "cloud-eventgrid-stand-ins";
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
import { placeOrders, sendForgedDeliveries } from "./scenes.js";
import { OrdersStack } from "./stack.js";

const PUBLIC_URL = "https://orders.example.com/api/events";
/** Azure retries 30 s after a 503; the local Azure counts 20 s for each second. */
const CLOCK_SCALE = 20;

const flags = readFlags();
const timeline = createTimeline();
const signal = interruption();
signal.addEventListener("abort", () => {
  console.error(
    `\n${signal.reason.message}: stopping the service, the deployment and the local Azure`,
  );
});
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
const order = "the service starts before its event subscription is created";
const place: DeploymentPlace = { cloud, outdir, stack: "orders", timeline, order, signal };
const watching = watch(cloud, logFile, timeline);
let deployment: Deployment | undefined;
let failure: unknown;

try {
  chapter("Synthesize and deploy");
  synthesize();
  const { resources, lookups } = readSynthesized(outdir, "orders");
  timeline.line("synth", `${resources.length} resources, ${lookups} data sources`);
  for (const { label } of resources) timeline.detail(label);
  deployment = await chooseDeployment();
  const environment = await deployment.apply();

  chapter("Publish and deliver orders");
  const placed = await placeOrders(cloud, environment, timeline);
  timeline.line("wait", "for all deliveries; the retry comes after 30 s, which take 1.5 s here");
  await cloud.drain();

  chapter("Reject intruders");
  const refused = await sendForgedDeliveries(cloud, webhook, environment, timeline);

  if (flags.keep) await keepRunning();

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
  await cloud.close();
  if (failure === undefined || failure instanceof Interruption) {
    rmSync(outdir, { recursive: true, force: true });
  }
  reportFailure();
}

/** Leaves everything running for the reader to try, and ends the run at Ctrl-C. */
async function keepRunning(): Promise<never> {
  chapter("Running until Ctrl-C");
  const { origin, searchParams } = new URL(cloud.dashboardUrl);
  const command = "npx --no -- cloud-eventgrid-local";
  const topic = cloud.topics.list()[0]?.name;
  const order = `--type shop.order.placed --subject orders/20 --data '{"orderId":"20","article":"vase"}'`;
  timeline.line("dashboard", cloud.dashboardUrl, "good");
  timeline.line("try", "in another terminal, in this folder:");
  timeline.detail(
    `export EVENTGRID_LOCAL_URL=${origin} EVENTGRID_LOCAL_TOKEN=${searchParams.get("token")}`,
    "plain",
  );
  timeline.detail(`${command} publish --topic ${topic} ${order}`, "plain");
  timeline.detail(`curl ${new URL("/parcels/20", webhook)}`, "plain");
  timeline.detail(`${command} fault deliveries --help`, "plain");
  if (!signal.aborted) await once(signal, "abort");
  throw new Interruption("everything was removed, as asked", 0);
}

/** Starts the next chapter of the timeline, unless the run was interrupted. */
function chapter(title: string): void {
  signal.throwIfAborted();
  watching.flush();
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
    const note = terraform.note === undefined ? "" : `; ${terraform.note}`;
    const program = basename(terraform.path, ".exe");
    timeline.line(program, `${terraform.path}, providers: ${named}${note}`);
    return terraformDeployment(place, providers);
  }
  timeline.line(
    "terraform",
    providers === undefined
      ? "not used, because of --without-terraform"
      : `${new TerraformMissingError().message} Continuing without`,
  );
  const module = fileURLToPath(new URL("service.ts", import.meta.url));
  const readyUrl = new URL("/readyz", webhook).href;
  return plainDeployment(place, { address: "terraform_data.service", module, logFile, readyUrl });
}

function summarize(placed: number, refused: number, left: number): void {
  const deliveries = cloud.deliveries();
  const count = (outcome: string) => deliveries.filter((each) => each.outcome === outcome).length;
  const delivered = count("delivered");
  const retried = count("retrying");
  const lost = count("deadLettered") + count("dropped");
  const handshakes = cloud.handshakes().filter(({ succeeded }) => succeeded).length;
  timeline.line("handshakes", `${handshakes}, one for each write of the event subscription`);
  timeline.line(
    "events",
    `${placed} orders placed, ${delivered} events handled, ${retried} retried, ${lost} lost`,
  );
  timeline.line("intruders", `${refused} rejected`);
  // Each order causes two events, placed and shipped; the carrier refuses the glass once.
  const asExpected =
    handshakes === 2 &&
    delivered === 2 * placed &&
    retried === 1 &&
    lost === 0 &&
    refused === 3 &&
    left === 0;
  if (!asExpected) throw new Error("these numbers are not what the example should produce");
  timeline.line("result", "everything as expected", "good");
  timeline.line(
    "try",
    "npm start -- --keep leaves it running, with a dashboard and commands to try",
  );
}

function reportFailure(): void {
  if (failure === undefined) return;
  process.exitCode = failure instanceof Interruption ? failure.exitCode : 1;
  if (failure instanceof Interruption) {
    console.error("stopped: no process and no file of this run is left");
    return;
  }
  console.error(`\n${failure instanceof Error ? failure.message : failure}`);
  console.error(`\nThe synthesized stack, the state and the log of the service are in ${outdir}`);
}
