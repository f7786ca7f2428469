import { randomUUID } from "node:crypto";
import {
  BlobClient,
  BlobServiceClient,
  BlockBlobClient,
  type ContainerClient,
  StorageSharedKeyCredential,
} from "@azure/storage-blob";
import { describe, expect, it } from "vitest";
import { sharedAzurite } from "../../support/azurite.js";
import { startContainer, startStorage } from "./start-storage.js";

const subjectOf = ({ containerName }: ContainerClient, blob: string) =>
  `/blobServices/default/containers/${containerName}/blobs/${blob}`;

describe("a blob that is written", () => {
  it("causes BlobCreated with Azure's data", async () => {
    const { container, events, scope } = await startContainer();
    const blob = container.getBlockBlobClient("orders/ü 17.json");
    const answer = await blob.upload("{}", 2, {
      blobHTTPHeaders: { blobContentType: "application/json" },
    });
    expect(await events()).toEqual([
      {
        type: "Microsoft.Storage.BlobCreated",
        source: scope,
        subject: subjectOf(container, "orders/ü 17.json"),
        data: {
          api: "PutBlob",
          clientRequestId: answer.clientRequestId,
          requestId: answer.requestId,
          eTag: answer.etag?.replaceAll('"', ""),
          contentType: "application/json",
          contentLength: 2,
          blobType: "BlockBlob",
          accessTier: "Default",
          url: blob.url,
          sequencer: expect.stringMatching(/^[0-9a-f]{32}$/),
          storageDiagnostics: { batchId: expect.any(String) },
        },
      },
    ]);
    const again = new BlobClient(String((await events())[0]?.data.url), container.credential);
    expect(String(await again.downloadToBuffer())).toBe("{}");
  });

  it("causes an event whose origin the dashboard shows", async () => {
    const { cloud, container } = await startContainer({ dashboardToken: false });
    await container.getBlockBlobClient("orders/17").upload("1", 1);
    await cloud.drain();
    const [message] = cloud.messages();
    const details = await fetch(`${cloud.httpOrigin}/local/event?number=${message?.event.id}`);
    expect(await details.json()).toMatchObject({ origin: "storage" });
  });

  it("has its length and its types in the data, however it is written", async () => {
    const { container, events } = await startContainer();
    const blocks = container.getBlockBlobClient("blocks");
    await blocks.stageBlock("MDE=", "12345", 5);
    await blocks.commitBlockList(["MDE="], {
      blobHTTPHeaders: { blobContentType: "text/plain" },
      tier: "Cool",
    });
    const copy = container.getBlobClient("copy");
    await (await copy.beginCopyFromURL(blocks.url)).pollUntilDone();
    await container.getPageBlobClient("pages").create(1024);
    await container.getPageBlobClient("pages").uploadPages("x".repeat(512), 0, 512);

    const data = { contentLength: 5, contentType: "text/plain", blobType: "BlockBlob" };
    expect((await events()).map((event) => event.data)).toMatchObject([
      { api: "PutBlockList", ...data, accessTier: "Cool", url: blocks.url },
      { api: "CopyBlob", ...data, url: copy.url },
      { api: "PutBlob", contentLength: 1024, blobType: "PageBlob" },
    ]);
  });

  it("causes no event for reads, metadata, leases and containers", async () => {
    const { container, events } = await startContainer();
    const blob = container.getBlockBlobClient("orders/17");
    await blob.upload("1", 1);
    const [created] = await events();
    await blob.setMetadata({ a: "1" });
    await blob.setHTTPHeaders({ blobContentType: "text/plain" });
    const lease = blob.getBlobLeaseClient();
    await lease.acquireLease(15);
    await lease.releaseLease();
    await blob.downloadToBuffer();
    await container.delete();
    expect(await events()).toEqual([created]);
  });

  it("causes no event if the operation fails", async () => {
    const { container, events } = await startContainer();
    const blob = container.getBlockBlobClient("orders/17");
    const refused = blob.upload("1", 1, { conditions: { ifMatch: '"0x1"' } });
    await expect(refused).rejects.toMatchObject({ statusCode: 412, code: "ConditionNotMet" });
    await expect(blob.delete()).rejects.toMatchObject({ code: "BlobNotFound" });
    const missing = container.getBlobClient("copy").syncCopyFromURL(blob.url);
    await expect(missing).rejects.toMatchObject({ statusCode: 404 });
    const stranger = new BlockBlobClient(
      blob.url,
      new StorageSharedKeyCredential("devstoreaccount1", "a2V5"),
    );
    await expect(stranger.upload("1", 1)).rejects.toMatchObject({ statusCode: 403 });
    expect(await events()).toEqual([]);
  });
});

describe("a blob that is changed or deleted", () => {
  it("causes BlobTierChanged, and AsyncOperationInitiated when it leaves the archive", async () => {
    const { container, events } = await startContainer();
    const blob = container.getBlockBlobClient("orders/17");
    await blob.upload("123", 3, { blobHTTPHeaders: { blobContentType: "text/plain" } });
    await blob.setAccessTier("Archive");
    await blob.setAccessTier("Hot");
    const data = {
      api: "SetBlobTier",
      contentType: "text/plain",
      contentLength: 3,
      blobType: "BlockBlob",
      url: blob.url,
    };
    expect((await events()).slice(1)).toMatchObject([
      {
        type: "Microsoft.Storage.BlobTierChanged",
        data: { ...data, accessTier: "Archive", previousTier: "Default" },
      },
      { type: "Microsoft.Storage.AsyncOperationInitiated", data },
      {
        type: "Microsoft.Storage.BlobTierChanged",
        data: { ...data, accessTier: "Hot", previousTier: "Archive" },
      },
    ]);
  });

  it("causes an event for each blob of a batch that succeeds", async () => {
    const { container, service, events } = await startContainer();
    const blobs = ["a", "b", "c"].map((name) => container.getBlockBlobClient(name));
    await Promise.all(blobs.map((blob) => blob.upload("1", 1)));
    await blobs[1]?.delete();
    const earlier = (await events()).length;
    const batch = service.getBlobBatchClient();
    const { subResponsesSucceededCount } = await batch.deleteBlobs(blobs);
    expect(subResponsesSucceededCount).toBe(2);
    expect((await events()).slice(earlier)).toMatchObject([
      { type: "Microsoft.Storage.BlobDeleted", subject: subjectOf(container, "a") },
      { type: "Microsoft.Storage.BlobDeleted", subject: subjectOf(container, "c") },
    ]);
  });
});

describe("subscriptions at the storage account", () => {
  it("get the events of the account that Azurite's account stands for", async () => {
    const { blobUrl } = await sharedAzurite();
    const resourceId =
      "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop/providers/Microsoft.Storage/storageAccounts/orders";
    const accounts = { devstoreaccount1: { resourceId } };
    const azurite = { url: blobUrl, accounts };
    const { cloud, events } = await startStorage({ azurite }, resourceId);
    const service = BlobServiceClient.fromConnectionString(cloud.storageConnectionString);
    const container = service.getContainerClient(`c-${randomUUID()}`);
    await container.create();
    await container.getBlockBlobClient("1").upload("1", 1);
    expect(await events()).toMatchObject([{ source: resourceId }]);
  });
});
