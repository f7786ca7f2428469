/**
 * Prints how many files of a package an event or a request passes: those of which a function runs
 * between its start and its end, as V8 counts calls. What runs when a file is loaded does not count,
 * nor do the functions that TypeScript writes for the re-exports of an `index.ts`.
 *
 *     npm run paths [-- --files]
 */
import { readFileSync } from "node:fs";
import { request } from "node:https";
import { Session } from "node:inspector/promises";
import { json } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { createListener, createReceiver } from "cloud-eventgrid-binding-runtime";
import { LocalCloud } from "cloud-eventgrid-local";

const ROOT = new URL("../../", import.meta.url).href;
const showsFiles = process.argv.includes("--files");

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

let delivered = false;
const cloud = await LocalCloud.start({
  control: { eventGridRegistered: true },
  onDelivery: ({ status }) => {
    delivered ||= status === 200;
  },
});
const { certificates, origin } = cloud.control;
const ca = readFileSync(certificates.certificateFile);
const { clientId, servicePrincipal } = cloud.applications.create({ displayName: "orders webhook" });
const tenant = cloud.directory.tenant(cloud.tenantId);
const deployer = tenant.servicePrincipals.byClientId(cloud.terraformEnvironment().ARM_CLIENT_ID);
tenant.grant(deployer, servicePrincipal, "AzureEventGridSecureWebhookSubscriber");
const listener = createListener(
  {
    cloudTenantId: cloud.tenantId,
    cloudClientId: clientId,
    cloudAuthorityHost: cloud.authorityHost,
    handshakePort: "9000",
    path: "/api/events",
  },
  { on: { "*": () => {} }, port: 0, drainLagMs: 0, logger: false },
);
const { port } = await listener.listen();
cloud.ingress.route("https://orders.example.com", `http://127.0.0.1:${port}`);
const topic = cloud.topics.create({ name: "orders", resourceGroupName: "shop" });

const token = await managementToken();
await count({ "the PUT of an event subscription": "local" }, async () => {
  const created = await putEventSubscription();
  await until(
    async () => (await call("GET", created)).properties.provisioningState === "Succeeded",
  );
});

await count({ "an accepted and delivered event": "local", "a delivery": "runtime" }, async () => {
  await publish(`${topic.endpoint}?api-version=2018-01-01`, { "aeg-sas-key": topic.accessKey });
  await until(() => delivered);
});

const namespace = cloud.namespaces.create({ name: "shop" });
const queue = await namespace.topics
  .create({ name: "orders" })
  .subscriptions.create({ name: "shipping" });
const receiver = createReceiver(
  {
    namespaceEndpoint: namespace.endpoint,
    topicName: "orders",
    eventSubscriptionName: "shipping",
    receiveWith: "accessKey",
    accessKey: namespace.accessKey,
  },
  { on: { "*": () => {} }, logger: false },
);
await receiver.start();
await until(() => receiver.isReady());
await count({ "a pulled event": "runtime" }, async () => {
  const authorization = `SharedAccessKey ${namespace.accessKey}`;
  await publish(`${namespace.endpoint}/topics/orders:publish?api-version=2024-06-01`, {
    authorization,
  });
  await until(() => queue.counts.acknowledged === 1);
});

await receiver.close();
await listener.close();
await cloud.close();

/** Runs work, and prints for each name how many files of its package ran. */
async function count(packages, work) {
  await session.post("Profiler.takePreciseCoverage");
  await work();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  for (const [name, folder] of Object.entries(packages)) {
    const files = result.filter(hasRun).flatMap(({ url }) => {
      const path = url.startsWith(ROOT) ? url.slice(ROOT.length) : "";
      return path.startsWith(`${folder}/dist/`) ? [path.replace("/dist/", "/src/")] : [];
    });
    console.log(`${String(files.length).padStart(3)}  ${name} (${folder})`);
    if (showsFiles) for (const file of files.sort()) console.log(`       ${file}`);
  }
}

/** A script is a function that begins at 0, and `get` is a getter of a re-export. */
function hasRun({ functions }) {
  return functions.some(
    ({ functionName, ranges: [{ startOffset, count }] }) =>
      startOffset > 0 && functionName !== "get" && count > 0,
  );
}

async function publish(url, headers) {
  const event = {
    specversion: "1.0",
    id: "1",
    source: "/shop",
    type: "shop.order.placed",
    data: {},
  };
  const { status } = await fetch(url, {
    method: "POST",
    headers: { ...headers, "content-type": "application/cloudevents+json" },
    body: JSON.stringify(event),
  });
  if (status !== 200) throw new Error(`publishing was answered with ${status}`);
}

async function putEventSubscription() {
  const path = `${topic.id}/providers/Microsoft.EventGrid/eventSubscriptions/orders?api-version=2025-02-15`;
  await call("PUT", path, {
    properties: {
      destination: {
        endpointType: "WebHook",
        properties: {
          endpointUrl: "https://orders.example.com/api/events",
          azureActiveDirectoryApplicationIdOrUri: clientId,
          azureActiveDirectoryTenantId: cloud.tenantId,
        },
      },
      eventDeliverySchema: "CloudEventSchemaV1_0",
      filter: {},
    },
  });
  return path;
}

async function managementToken() {
  const { ARM_CLIENT_ID, ARM_CLIENT_SECRET } = cloud.terraformEnvironment();
  const form = new URLSearchParams({
    client_id: ARM_CLIENT_ID,
    client_secret: ARM_CLIENT_SECRET,
    grant_type: "client_credentials",
    scope: "https://management.azure.com/.default",
  });
  return (await call("POST", `/${cloud.tenantId}/oauth2/v2.0/token`, form)).access_token;
}

/** A request to the control plane. */
function call(method, path, body) {
  const isForm = body instanceof URLSearchParams;
  const headers = {
    "content-type": isForm ? "application/x-www-form-urlencoded" : "application/json",
    ...(!isForm && { authorization: `Bearer ${token}` }),
  };
  return new Promise((resolve, reject) => {
    request(new URL(path, origin), { method, headers, ca }, async (response) => {
      const answer = await json(response);
      if (response.statusCode < 300) resolve(answer);
      else reject(new Error(`${method} ${path}: ${response.statusCode} ${JSON.stringify(answer)}`));
    })
      .on("error", reject)
      .end(body && (isForm ? String(body) : JSON.stringify(body)));
  });
}

async function until(holds) {
  const endsAt = Date.now() + 30_000;
  while (!(await holds())) {
    if (Date.now() > endsAt) throw new Error(`this has not come true: ${holds}`);
    await setTimeout(5);
  }
}
