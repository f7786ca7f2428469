import { StorageAccount } from "@cdktf/provider-azurerm/lib/storage-account/index.js";
import { StorageContainer } from "@cdktf/provider-azurerm/lib/storage-container/index.js";
import { CloudEventGridBinding, sources } from "cloud-eventgrid-binding";
import type { Construct } from "constructs";
import { ExampleStack } from "../../example-stack.js";
import type { Place } from "../../place.js";
import { blobs } from "./events.js";

/** A storage account, and a subscription to CSV files in its inbox. */
export class ObjectStorageStack extends ExampleStack {
  constructor(scope: Construct, id: string, place: Place) {
    super(scope, id, place);
    const where = this.resourceGroup();
    const account = new StorageAccount(this, "account", {
      ...where,
      name: "exampleinbox",
      accountTier: "Standard",
      accountReplicationType: "LRS",
    });
    const container = new StorageContainer(this, "inbox", {
      name: "inbox",
      storageAccountId: account.id,
    });
    const binding = new CloudEventGridBinding(this, "blobs", {
      ...place,
      ...sources.objectStorage(account, { events: blobs, container, blobSuffix: ".csv" }),
    });
    this.outputEnvironment(binding, "STORAGE");
  }
}
