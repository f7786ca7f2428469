/** Deploys the stack to a local Azure, and runs the service with its managed identity: `npm start`. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { App, LocalBackend } from "cdktf";
import { LocalCloud } from "cloud-eventgrid-local";
import { findTerraform, providerSource, TerraformMissingError } from "cloud-eventgrid-stand-ins";
import { freePort } from "../start/free-port.js";
import { interruption } from "../start/interruption.js";
import { down, up } from "../start/process.js";
import { terraformDeployment } from "../start/terraform-deployment.js";
import { createTimeline } from "../start/timeline.js";
import { PublisherStack } from "./stack.js";

if (findTerraform() === undefined) {
  console.error(new TerraformMissingError().message);
  process.exit(1);
}
const { values: flags } = parseArgs({ options: { providers: { type: "string" } } });
const timeline = createTimeline();
const outdir = mkdtempSync(join(tmpdir(), "cloud-eventgrid-publisher-"));
const logFile = join(outdir, "service.log");
const cloud = await LocalCloud.start({ control: true });

const app = new App({ outdir });
const stack = new PublisherStack(app, "publisher", {
  cloudTenantId: cloud.tenantId,
  cloudSubscriptionId: cloud.subscriptionId,
});
new LocalBackend(stack, { path: join(outdir, "terraform.tfstate") });
app.synth();
const place = { cloud, outdir, stack: "publisher", timeline, signal: interruption() };
const deployment = await terraformDeployment(place, providerSource(flags.providers ?? "stand-ins"));
try {
  timeline.chapter("Deploy");
  const environment = await deployment.apply();

  timeline.chapter("Place orders");
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/orders`;
  await up({
    module: fileURLToPath(new URL("service.ts", import.meta.url)),
    logFile,
    readyUrl: url,
    environment: { ...cloud.identityEnvironment("shop"), ...environment, PORT: String(port) },
  });
  const order = JSON.stringify({ orderId: "17", article: "teapot" });
  const { status } = await fetch(url, { method: "POST", body: order });
  timeline.line("shop", `POST /orders: ${status}`, status === 202 ? "good" : "refused");
  const [topic] = cloud.topics.list();
  for (const { id, type } of topic?.events() ?? []) {
    timeline.line("topic", `accepted ${type} with the id ${id}, without an access key`);
  }
  timeline.chapter("Destroy");
  await deployment.destroy();
  await down(logFile);
  rmSync(outdir, { recursive: true });
} finally {
  await down(logFile);
  await deployment.stop();
  await cloud.close();
}
