import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type DeliveryAttempt, LocalCloud } from "cloud-eventgrid-local";
import { finished, signIn } from "../../local/support/management-client.js";
import { confirmValidation, Webhook } from "../../local/support/webhook.js";
import { prepareProviders, Terraform } from "../../stand-ins/src/index.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { source } from "../../terraform/with-terraform.js";
import { ACCOUNT, type Applier, attributesOf, type Configured, ORIGIN, refuses } from "./pairs.js";

const SCHEMAS = { cloud: "CloudEventSchemaV1_0", grid: "EventGridSchema" } as const;

async function start(beforeConsent?: () => Promise<void>) {
  const webhook = await Webhook.start();
  webhook.answer = async (request) => {
    if (request.headers["aeg-event-type"] === "Notification") {
      return { status: refuses(request.body) ? 400 : 200 };
    }
    await beforeConsent?.();
    return confirmValidation(request);
  };
  const attempts: DeliveryAttempt[] = [];
  const cloud = await LocalCloud.start({
    control: true,
    deadLetterDirectory: temporaryFolder(),
    ingress: { [ORIGIN]: webhook.url },
    onDelivery: (attempt) => void attempts.push(attempt),
  });
  const stop = async () => {
    await cloud.close();
    await webhook[Symbol.asyncDispose]();
  };
  return { cloud, attempts, stop };
}

/** Writes event subscriptions to Resource Manager, and plans as Terraform prints it. */
export async function resourceManager(): Promise<Applier & AsyncDisposable> {
  const { cloud, attempts, stop } = await start();
  const call = await signIn(cloud);
  await call(
    "POST",
    `/subscriptions/${cloud.subscriptionId}/providers/Microsoft.EventGrid/register?api-version=2022-09-01`,
  );
  const topics = {
    cloud: cloud.topics.create({ name: "cloud", inputSchema: SCHEMAS.cloud }),
    grid: cloud.topics.create({ name: "grid", inputSchema: SCHEMAS.grid }),
  };
  const idOf = ({ topic, name }: Configured) =>
    `${topics[topic].id}/providers/Microsoft.EventGrid/eventSubscriptions/${name}`;
  let present: readonly Configured[] = [];
  return {
    cloud,
    attempts,
    topics,
    [Symbol.asyncDispose]: stop,
    async apply(configured) {
      for (const one of present) {
        const next = configured.find(({ name }) => name === one.name);
        // A new delivery schema replaces the subscription.
        if (next?.schema !== one.schema) {
          cloud.eventSubscriptions.delete(topics[one.topic].id, one.name);
        }
      }
      for (const one of configured) {
        const answer = await call("PUT", idOf(one), { properties: propertiesOf(one) });
        if (answer.status >= 300) throw new Error(JSON.stringify([one, answer.body]));
        if (answer.headers["azure-asyncoperation"] !== undefined) await finished(call, answer);
      }
      present = configured;
    },
    async plan({ before, after }) {
      const names = [...new Set([...before, ...after].map(({ name }) => name))];
      const changes = names.map((name) => {
        const [old, next] = [before, after].map((all) => all.find((one) => one.name === name));
        const isReplaced = old !== undefined && next !== undefined && old.schema !== next.schema;
        const actions = isReplaced
          ? ["delete", "create"]
          : [old === undefined ? "create" : next === undefined ? "delete" : "update"];
        const side = (one?: Configured) => one && attributesOf(one, topics[one.topic].id);
        const change = { actions, before: side(old) ?? null, after: side(next) ?? null };
        return changeOf(`azurerm_eventgrid_event_subscription.${name}`, change);
      });
      const known = (["cloud", "grid"] as const).map((name) => {
        const state = { id: topics[name].id, input_schema: SCHEMAS[name] };
        const change = { actions: ["no-op"], before: state, after: state };
        return changeOf(`azurerm_eventgrid_topic.${name}`, change);
      });
      return JSON.stringify({ format_version: "1.2", resource_changes: [...known, ...changes] });
    },
  };
}

function changeOf(address: string, change: object): object {
  const [type, name] = address.split(".");
  return { address, type, name, mode: "managed", change };
}

function propertiesOf({ url, schema, filter, deadLetter }: Configured): object {
  const destination = { endpointType: "WebHook", properties: { endpointUrl: url } };
  const container = { resourceId: ACCOUNT, blobContainerName: "dead" };
  return {
    destination,
    eventDeliverySchema: schema,
    filter,
    ...(deadLetter && {
      deadLetterDestination: { endpointType: "StorageBlob", properties: container },
    }),
  };
}

/**
 * Applies with Terraform, whose own plans are explained.
 *
 * @param beforeConsent called in each handshake
 */
export async function terraform(
  beforeConsent?: () => Promise<void>,
): Promise<Applier & AsyncDisposable> {
  const { cloud, attempts, stop } = await start(beforeConsent);
  const providers = await prepareProviders(source, cloud.terraformEnvironment());
  const directory = temporaryFolder();
  const program = new Terraform({ directory, providers });
  const group = `/subscriptions/${cloud.subscriptionId}/resourceGroups/shop`;
  const write = (configured: readonly Configured[]) => {
    const configuration = JSON.stringify(configurationOf(configured));
    writeFileSync(join(directory, "main.tf.json"), configuration);
  };
  write([]);
  await program.init();
  await program.apply();
  return {
    cloud,
    attempts,
    topics: {
      cloud: { id: `${group}/providers/Microsoft.EventGrid/topics/cloud` },
      grid: { id: `${group}/providers/Microsoft.EventGrid/topics/grid` },
    },
    async [Symbol.asyncDispose]() {
      await providers.stop();
      await stop();
    },
    async apply(configured) {
      write(configured);
      await program.apply();
    },
    async plan({ after }) {
      write(after);
      return program.planJson();
    },
  };
}

function configurationOf(configured: readonly Configured[]): object {
  const location = "westeurope";
  const topic = (name: "cloud" | "grid") => ({
    name,
    location,
    resource_group_name: "${azurerm_resource_group.shop.name}",
    input_schema: SCHEMAS[name],
  });
  const subscriptions = configured.map((one) => [
    one.name,
    attributesOf(one, `\${azurerm_eventgrid_topic.${one.topic}.id}`),
  ]);
  return {
    terraform: { required_providers: { azurerm: { source: "hashicorp/azurerm" } } },
    provider: {
      azurerm: [
        {
          features: [{}],
          resource_provider_registrations: "none",
          resource_providers_to_register: ["Microsoft.EventGrid"],
        },
      ],
    },
    resource: {
      azurerm_resource_group: { shop: { name: "shop", location } },
      azurerm_eventgrid_topic: { cloud: topic("cloud"), grid: topic("grid") },
      ...(subscriptions.length > 0 && {
        azurerm_eventgrid_event_subscription: Object.fromEntries(subscriptions),
      }),
    },
  };
}
