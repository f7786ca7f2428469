import { randomUUID } from "node:crypto";
import { BlobServiceClient } from "@azure/storage-blob";
import type { LocalCloud, LocalCloudOptions } from "cloud-eventgrid-local";
import { sharedAzurite } from "../../support/azurite.js";
import { startCloud } from "../support/cloud.js";

/** A cloud in front of Azurite, with the events of a storage account. */
export async function startStorage(options: LocalCloudOptions = {}, account?: string) {
  const { connectionString, blobUrl } = await sharedAzurite();
  const cloud = await startCloud({
    azurite: blobUrl,
    storageConnectionString: connectionString,
    ...options,
  });
  const scope = account ?? accountId(cloud);
  return { cloud, scope, events: await recordEvents(cloud, scope) };
}

/** The same with a new container, reached through the blob endpoint. */
export async function startContainer(options: LocalCloudOptions = {}) {
  const storage = await startStorage(options);
  const service = BlobServiceClient.fromConnectionString(storage.cloud.storageConnectionString);
  const container = service.getContainerClient(`c-${randomUUID()}`);
  await container.create();
  return { ...storage, service, container };
}

function accountId({ subscriptionId }: LocalCloud): string {
  return `/subscriptions/${subscriptionId}/resourceGroups/local/providers/Microsoft.Storage/storageAccounts/devstoreaccount1`;
}

/** @returns a function that returns all events of a storage account so far, in their sequence */
export async function recordEvents(cloud: LocalCloud, scope = accountId(cloud)) {
  const group = `/subscriptions/${cloud.subscriptionId}/resourceGroups/test`;
  const resourceId = `${group}/providers/Microsoft.ServiceBus/namespaces/test/queues/recorded`;
  const { name } = await cloud.eventSubscriptions.create({
    name: "recorder",
    scope,
    filter: { includedEventTypes: ["All"] },
    destination: { endpointType: "ServiceBusQueue", properties: { resourceId } },
  });
  return async () => {
    await cloud.drain();
    return cloud
      .messages()
      .filter(({ subscription }) => subscription === name)
      .map(({ event: { type, source, subject, json } }) => {
        return { type, source, subject, data: JSON.parse(json).data };
      })
      .sort((one, other) => (one.data.sequencer < other.data.sequencer ? -1 : 1));
  };
}
