/**
 * Runs the example end to end on this machine: `npm start` in this folder. `-- --providers=registry`
 * or `-- --providers=DIRECTORY` uses the real providers.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { App, LocalBackend } from "cdktf";
import { LocalCloud } from "cloud-eventgrid-local";
import { findTerraform, providerSource, TerraformMissingError } from "cloud-eventgrid-stand-ins";
import { freePort } from "../start/free-port.js";
import { interruption } from "../start/interruption.js";
import { down, up } from "../start/process.js";
import { terraformDeployment } from "../start/terraform-deployment.js";
import { createTimeline } from "../start/timeline.js";
import { PullContainerAppStack } from "./stack.js";

const STACK = "pull-container-app";
const ARTICLES = ["teapot", "glass", "kettle"];

if (findTerraform() === undefined) {
  console.error(new TerraformMissingError().message);
  process.exit(1);
}
const { values: flags } = parseArgs({ options: { providers: { type: "string" } } });
const timeline = createTimeline();
const signal = interruption();
const outdir = mkdtempSync(join(tmpdir(), "cloud-eventgrid-pull-"));
const logFile = join(outdir, "service.log");

timeline.chapter("A local Azure");
// An event that a handler gives back waits ten seconds, which take half a second here.
const cloud = await LocalCloud.start({ control: true, clock: { scale: 20 } });
timeline.line("cloud", `Entra, Resource Manager and Event Grid at ${cloud.httpOrigin}`);
synthesize();
const place = { cloud, outdir, stack: STACK, timeline, signal };
const deployment = await terraformDeployment(place, providerSource(flags.providers ?? "stand-ins"));

try {
  timeline.chapter("Deploy");
  const environment = await deployment.apply();
  const [namespace] = cloud.namespaces.list();
  const queue = namespace?.topics.get("orders")?.subscriptions.get("warehouse");
  if (queue === undefined) throw new Error("there is no queue");

  timeline.chapter("Run the service, to which nobody can connect");
  const healthPort = await freePort();
  await up({
    module: fileURLToPath(new URL("service.ts", import.meta.url)),
    logFile,
    readyUrl: `http://127.0.0.1:${healthPort}/readyz`,
    environment: {
      ...cloud.identityEnvironment("warehouse", { proxy: true }),
      ...environment,
      HEALTH_PORT: String(healthPort),
    },
  });
  timeline.line("service", "is ready: the namespace accepts its managed identity");

  timeline.chapter("Publish and pull orders");
  const shop = fileURLToPath(new URL("place-orders.ts", import.meta.url));
  await promisify(execFile)(process.execPath, ["--import", "tsx", shop, ...ARTICLES], {
    env: {
      ...process.env,
      ...cloud.identityEnvironment("shop", { proxy: true }),
      ...environment,
    },
    signal,
  });
  timeline.line("shop", `${ARTICLES.length} orders placed; packing the glass fails once`);
  const count = () => ({ acknowledged: 0, released: 0, ...queue.counts });
  while (count().acknowledged < ARTICLES.length) await setTimeout(50, undefined, { signal });
  const { acknowledged, released } = count();
  timeline.line("queue", `${acknowledged} acknowledged, ${released} given back before`);
  if (released !== 1) throw new Error("one event should have been given back");

  timeline.chapter("Destroy");
  await down(logFile);
  await deployment.destroy();
  const left = cloud.namespaces.list().length;
  if (left > 0) throw new Error(`${left} namespaces are left`);
  timeline.line("result", "everything as expected", "good");
  rmSync(outdir, { recursive: true });
} catch (error) {
  process.exitCode = 1;
  console.error(`\n${error instanceof Error ? error.message : error}`);
  console.error(`\nThe stack, its state and the log of the service are in ${outdir}`);
} finally {
  await down(logFile);
  await deployment.stop();
  await cloud.close();
}

function synthesize(): void {
  const app = new App({ outdir });
  const stack = new PullContainerAppStack(app, STACK, {
    cloudTenantId: cloud.tenantId,
    cloudSubscriptionId: cloud.subscriptionId,
    image: "example.azurecr.io/warehouse:1",
    roleEffectSeconds: 0,
  });
  new LocalBackend(stack, { path: join(outdir, "terraform.tfstate") });
  app.synth();
}
