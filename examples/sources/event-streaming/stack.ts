import { Eventhub } from "@cdktf/provider-azurerm/lib/eventhub/index.js";
import { EventhubNamespace } from "@cdktf/provider-azurerm/lib/eventhub-namespace/index.js";
import { StorageAccount } from "@cdktf/provider-azurerm/lib/storage-account/index.js";
import { StorageContainer } from "@cdktf/provider-azurerm/lib/storage-container/index.js";
import { CloudEventGridBinding, sources } from "cloud-eventgrid-binding";
import type { Construct } from "constructs";
import { ExampleStack } from "../../example-stack.js";
import type { Place } from "../../place.js";
import { captures } from "./events.js";

/** An event hub with Capture, and a subscription to its files. */
export class EventStreamingStack extends ExampleStack {
  constructor(scope: Construct, id: string, place: Place) {
    super(scope, id, place);
    const where = this.resourceGroup();
    const account = new StorageAccount(this, "account", {
      ...where,
      name: "examplecaptures",
      accountTier: "Standard",
      accountReplicationType: "LRS",
    });
    const files = new StorageContainer(this, "files", {
      name: "captures",
      storageAccountId: account.id,
    });
    const namespace = new EventhubNamespace(this, "namespace", {
      ...where,
      name: "example-streams",
      sku: "Standard",
    });
    const hub = new Eventhub(this, "hub", {
      name: "orders",
      namespaceId: namespace.id,
      partitionCount: 2,
      messageRetention: 1,
      captureDescription: {
        enabled: true, // required: only Capture raises events
        encoding: "Avro",
        skipEmptyArchives: true,
        destination: {
          name: "EventHubArchive.AzureBlockBlob",
          storageAccountId: account.id,
          blobContainerName: files.name,
          archiveNameFormat:
            "{Namespace}/{EventHub}/{PartitionId}/{Year}/{Month}/{Day}/{Hour}/{Minute}/{Second}",
        },
      },
    });
    const binding = new CloudEventGridBinding(this, "captures", {
      ...place,
      ...sources.eventStreaming(namespace, { events: captures, hub }),
    });
    this.outputEnvironment(binding, "STREAMS");
  }
}
