import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EventgridEventSubscription } from "@cdktf/provider-azurerm/lib/eventgrid-event-subscription/index.js";
import { StorageAccount } from "@cdktf/provider-azurerm/lib/storage-account/index.js";
import { App, LocalBackend } from "cdktf";
import {
  CloudEventGridBinding,
  CloudEventGridNamespace,
  CloudEventGridPullBinding,
  CloudEventGridTopic,
  WebhookApplication,
  where,
} from "cloud-eventgrid-binding";
import { prepareProviders, Terraform } from "cloud-eventgrid-stand-ins";
import { ExampleStack } from "../../examples/example-stack.js";
import { orders as orderEvents } from "../../examples/orders/events.js";
import { PullContainerAppStack } from "../../examples/pull-container-app/stack.js";
import { AzapiResource, azapiProvider } from "../../lib/terraform/azapi.js";
import type { Connection } from "./connection.js";
import type { Options } from "./options.js";
import type { Progress } from "./results.js";
import { failureOf, type Translation } from "./translation.js";

interface Place {
  readonly cloudTenantId: string;
  readonly cloudSubscriptionId: string;
  readonly resourceGroupName: string;
  readonly location: string;
  /** Its public URL, if there may be an application for it. */
  readonly webhook: string | undefined;
}

/** Makes one of the stacks, before or after its change. */
type Build = (app: App, id: string, place: Place, isChanged: boolean) => ExampleStack;

/** The orders example. Its events also go to a storage queue, which needs no webhook. */
const orders: Build = (app, id, place, isChanged) => {
  const { resourceGroupName, location, webhook: subscriberEndpoint, ...account } = place;
  const stack = new ExampleStack(app, id, place);
  const topic = new CloudEventGridTopic(stack, "topic", { resourceGroupName, location });
  const maxDeliveryAttempts = isChanged ? 5 : 30;
  if (subscriberEndpoint !== undefined) {
    const displayName = `${resourceGroupName}-orders`;
    new CloudEventGridBinding(stack, "orders", {
      ...account,
      subscriberEndpoint,
      handshakePort: "8080",
      application: new WebhookApplication(stack, "webhook", { displayName }),
      scope: topic.id,
      events: orderEvents,
      retryPolicy: { maxDeliveryAttempts },
    });
  }
  const storage = new StorageAccount(stack, "account", {
    ...{ resourceGroupName, location, name: accountName(place, "orders") },
    accountTier: "Standard",
    accountReplicationType: "LRS",
  });
  const queue = new AzapiResource(stack, "queue", {
    provider: azapiProvider(stack, undefined),
    type: "Microsoft.Storage/storageAccounts/queueServices/queues@2023-01-01",
    parentId: `${storage.id}/queueServices/default`,
    name: "orders",
    body: { properties: {} },
  });
  new EventgridEventSubscription(stack, "queued", {
    name: "queued",
    scope: topic.id,
    eventDeliverySchema: "CloudEventSchemaV1_0",
    storageQueueEndpoint: { storageAccountId: storage.id, queueName: "orders" },
    retryPolicy: { maxDeliveryAttempts, eventTimeToLive: 60 },
    dependsOn: [queue],
  });
  return stack;
};

/** The pull example in the group of the run, without container apps: there is no image for them. */
const pull: Build = (app, id, place, isChanged) => {
  const { resourceGroupName, location } = place;
  class Pull extends PullContainerAppStack {
    protected override resourceGroup() {
      return { resourceGroupName, location };
    }
  }
  const stack = new Pull(app, id, { ...place, image: "none" });
  for (const child of ["app", "apps"]) stack.node.tryRemoveChild(child);
  const account = stack.node.findChild("account");
  if (account instanceof StorageAccount) {
    account.name = accountName(place, "pull");
    account.tags = { changed: String(isChanged) };
  }
  return stack;
};

/** A namespace, a topic and a queue with all settings. */
const settings: Build = (app, id, place, isChanged) => {
  const { resourceGroupName, location } = place;
  const stack = new ExampleStack(app, id, place);
  const tags = { changed: String(isChanged) };
  const allowedAddresses = ["203.0.113.0/24", ...(isChanged ? [] : ["198.51.100.0/24"])];
  const common = { resourceGroupName, location, tags, allowedAddresses };
  new CloudEventGridTopic(stack, "topic", {
    ...common,
    localAuthEnabled: isChanged,
    identity: { type: "SystemAssigned" },
  });
  const namespace = new CloudEventGridNamespace(stack, "events", { ...common, capacity: 1 });
  new CloudEventGridPullBinding(stack, "pull", {
    topic: namespace.addTopic("orders", { eventRetentionDays: isChanged ? 7 : 3 }),
    eventSubscriptionName: "pull",
    events: orderEvents,
    filters: [where("subject").stringBeginsWith("orders/")],
    receiveLockSeconds: isChanged ? 60 : 90,
    maxDeliveryCount: 3,
    eventTimeToLiveMinutes: 90,
  });
  return stack;
};

/** A name of a storage account, which is unique in Azure. */
const accountName = ({ resourceGroupName }: Place, purpose: string) =>
  `${resourceGroupName.replace("-", "")}${purpose}`;

/** Applies, plans, changes, plans and destroys each stack. */
export async function runStacks(
  { providers: source, withEntra, webhook }: Options,
  progress: Progress,
  connection: Connection,
  translation: Translation,
): Promise<void> {
  const { interrupted: signal } = connection.surroundings;
  const { subscription, group, region } = progress.run;
  const { tenantId } = Object(await connection.done("GET", `/subscriptions/${subscription}`));
  const place: Place = {
    cloudTenantId: tenantId,
    cloudSubscriptionId: subscription,
    resourceGroupName: group,
    location: region,
    webhook: withEntra ? webhook : undefined,
  };
  const providers = await prepareProviders(source, providerVariables(place));
  for (const [input, build] of Object.entries({ orders, pull, settings })) {
    const stack = { area: "Stacks", input };
    if (progress.has(stack)) continue;
    const folder = mkdtempSync(join(tmpdir(), "azure-stack-"));
    const id = `${group}-${input}`;
    const write = (isChanged: boolean) => {
      const app = new App({ outdir: folder });
      new LocalBackend(build(app, id, place, isChanged), { path: join(folder, "tfstate") });
      app.synth();
    };
    try {
      const directory = join(folder, "stacks", id);
      await cycle(new Terraform({ directory, providers, signal }), write);
      progress.add({ ...stack, status: "same" });
    } catch (error) {
      if (signal.aborted) break;
      progress.add({ ...stack, ...failureOf(error, translation) });
    } finally {
      rmSync(folder, { recursive: true });
    }
    console.log(`stack ${input}`);
  }
  await providers.stop();
}

async function cycle(terraform: Terraform, write: (isChanged: boolean) => void): Promise<void> {
  const expectEmpty = async (when: string) => {
    const { changes } = await terraform.plan();
    const addresses = changes.map(({ address }) => address).join(", ");
    if (changes.length > 0) throw new Error(`The plan after the ${when} has ${addresses}.`);
  };
  write(false);
  await terraform.init();
  await terraform.apply();
  await expectEmpty("apply");
  write(true);
  const { changes } = await terraform.apply();
  if (changes.length === 0) throw new Error("The change changed nothing.");
  await expectEmpty("change");
  await terraform.destroy();
  const left = await terraform.state();
  if (left.length > 0) throw new Error(`Left: ${left.map(({ address }) => address).join(", ")}.`);
}

/** The account of az, or that of the environment under the names that the providers read. */
function providerVariables(place: Place): Record<string, string> {
  const own = Object.entries(process.env).filter(([name]) => /^(ARM|AZURE|SSL_CERT)_/.test(name));
  const renamed = own.map(([name, value]) => [name.replace(/^AZURE_/, "ARM_"), value]);
  return {
    ARM_TENANT_ID: place.cloudTenantId,
    ...Object.fromEntries([...renamed, ...own]),
    ARM_SUBSCRIPTION_ID: place.cloudSubscriptionId,
  };
}
