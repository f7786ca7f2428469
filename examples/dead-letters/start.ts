/** Rejects an order, stores it as a dead letter, repairs the service and replays it: `npm start`. */
import { execFile, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { createListener, createPublisher, RejectEvent } from "cloud-eventgrid-binding-runtime";
import { LocalCloud } from "cloud-eventgrid-local";
import { createTimeline } from "../start/timeline.js";
import { subscribeWebhook, webhookBinding } from "../start/webhook-binding.js";

const timeline = createTimeline();
const { resolve } = createRequire(import.meta.url);

// Azurite is the storage account, with its data in memory.
const ports = ["--blobPort", "0", "--queuePort", "0", "--tablePort", "0"];
const options = ["--inMemoryPersistence", "--disableTelemetry", "--skipApiVersionCheck", ...ports];
const azurite = spawn(process.execPath, [resolve("azurite/dist/src/azurite.js"), ...options], {
  stdio: ["ignore", "pipe", "inherit"],
});
let blobs: string | undefined;
for await (const line of createInterface({ input: azurite.stdout })) {
  blobs = /Blob service is successfully listening at (\S+)/.exec(line)?.[1];
  if (blobs) break;
}
azurite.stdout.resume();
const account = "devstoreaccount1";
// The key that Azurite's documentation publishes.
const key =
  "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
const storageConnectionString = `DefaultEndpointsProtocol=http;AccountName=${account};AccountKey=${key};BlobEndpoint=${blobs}/${account};`;

const cloud = await LocalCloud.start({ clock: "stepped", storageConnectionString });
const topic = cloud.topics.create({ name: "orders" });
const binding = webhookBinding(cloud, topic, "orders webhook");

let isRepaired = false;
const listener = createListener(binding, {
  on: {
    "shop.order.placed": ({ subject }) => {
      if (!isRepaired) throw new RejectEvent("no such article");
      timeline.line("service", `${subject} handled`, "good");
    },
  },
  port: 0,
  drainLagMs: 0,
  logger: false,
});
const { port } = await listener.listen();
await subscribeWebhook(cloud, topic, {
  port,
  name: "orders",
  clientId: binding.cloudClientId,
  deadLetterDestination: {
    endpointType: "StorageBlob",
    properties: { blobContainerName: "dead-letters" },
  },
});

const publisher = createPublisher(binding, { source: "/shop" });
await publisher.create({ type: "shop.order.placed", subject: "orders/17", data: {} });
await cloud.drain();
const [letter] = cloud.deadLetters();
timeline.line("event grid", `dead letter: ${letter?.deadletterreason}`, "refused");

timeline.chapter("Look at it, repair the service, and replay");
const run = async (...args: string[]) => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [resolve("cloud-eventgrid/bin/cloud-eventgrid.js"), "dead-letters", ...args],
    {
      env: {
        ...process.env,
        AZURE_STORAGE_CONNECTION_STRING: storageConnectionString,
        ORDERS_TOPIC_ENDPOINT: topic.endpoint,
        ORDERS_ACCESS_KEY: topic.accessKey,
      },
    },
  );
  timeline.line("command", `cloud-eventgrid dead-letters ${args.join(" ")}`);
  for (const line of stdout.trim().split("\n")) timeline.detail(line);
};
await run("list", "--container", "dead-letters", "--by", "reason,type");
isRepaired = true;
await run("replay", "--container", "dead-letters", "--env", "ORDERS", "--yes");
await cloud.drain();

await publisher.close();
await listener.close();
await cloud.close();
azurite.kill();
