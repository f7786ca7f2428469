import type { ContainerClient } from "@azure/storage-blob";
import { type Area, eventGrid, rowsThat } from "../row.js";

const TYPES = eventGrid("event-schema-blob-storage", "Blob Storage events");
const EXAMPLES = eventGrid("event-schema-blob-storage", "Example events");
const PROPERTIES = eventGrid("event-schema-blob-storage", "Event properties");

type Step = (container: ContainerClient) => Promise<unknown>;

/** A row about the events of steps in a new container of Azurite, reached through the local Azure. */
const blobEvents = rowsThat(async (stage, steps: readonly Step[] = [upload]) => {
  const { service, events } = await stage.storage();
  const container = service.getContainerClient(stage.newName());
  await container.create();
  for (const step of steps) await step(container);
  const own = (await events()).filter(({ subject }) =>
    subject?.includes(`/${container.containerName}/`),
  );
  return own.map(({ type, json }) => ({
    address: service.url,
    type: type.replace("Microsoft.Storage.", ""),
    data: JSON.parse(json).data,
  }));
});

/** The types of the events, each with the API that caused it. */
const causesOf = (events: readonly { type: string; data: { api: string } }[]) =>
  events.map(({ type, data }) => `${type} ${data.api}`);

const blockBlob = (container: ContainerClient) => container.getBlockBlobClient("17.json");
const upload: Step = (container) => blockBlob(container).upload("{}", 2);
const uploadOther: Step = (container) => container.getBlockBlobClient("18.json").upload("{}", 2);
const stageBlock: Step = (container) => blockBlob(container).stageBlock("MDE=", "{}", 2);
const commit: Step = (container) => blockBlob(container).commitBlockList(["MDE="]);
const remove: Step = (container) => container.deleteBlob("17.json");
const tier =
  (name: string): Step =>
  (container) =>
    blockBlob(container).setAccessTier(name);

const PUT = "BlobCreated PutBlob";
const DELETED = "BlobDeleted DeleteBlob";
const TIER = "BlobTierChanged SetBlobTier";

export const storage: Area = {
  title: "Events of blobs, through Azurite",
  rows: [
    blobEvents(TYPES, "Put Blob")
      .documented("`BlobCreated` with the API `PutBlob`")
      .gives([PUT], causesOf),
    blobEvents(TYPES, "Put Blob of a blob that exists")
      .documented("`BlobCreated`: created or replaced")
      .with([upload, upload])
      .gives([PUT, PUT], causesOf),
    blobEvents(TYPES, "Put Block, without Put Block List")
      .documented("no event: the blob is not committed")
      .with([stageBlock])
      .gives([], causesOf),
    blobEvents(TYPES, "Put Block List")
      .documented("`BlobCreated` with the API `PutBlockList`")
      .with([stageBlock, commit])
      .gives(["BlobCreated PutBlockList"], causesOf),
    blobEvents(TYPES, "Copy Blob")
      .documented("`BlobCreated` with the API `CopyBlob`")
      .with([
        upload,
        (container) => container.getBlobClient("18.json").syncCopyFromURL(blockBlob(container).url),
      ])
      .gives([PUT, "BlobCreated CopyBlob"], causesOf),
    blobEvents(TYPES, "Append Block, after the creation of the append blob")
      .documented("open: the page names block blobs only")
      .unknown("`BlobCreated` for the creation, no event for what is appended")
      .with([
        (container) => container.getAppendBlobClient("log").create(),
        (container) => container.getAppendBlobClient("log").appendBlock("line", 4),
      ])
      .gives([PUT], causesOf),
    blobEvents(TYPES, "Delete Blob")
      .documented("`BlobDeleted` with the API `DeleteBlob`")
      .with([upload, remove])
      .gives([PUT, DELETED], causesOf),
    blobEvents(TYPES, "Delete Blob of two blobs in a batch")
      .open("one `BlobDeleted` for each blob")
      .with([
        upload,
        uploadOther,
        (container) => {
          const blobs = ["17.json", "18.json"].map((name) => container.getBlobClient(name));
          return container.getBlobBatchClient().deleteBlobs(blobs);
        },
      ])
      .gives([PUT, PUT, DELETED, DELETED], causesOf),
    blobEvents(TYPES, "Delete Blob of a snapshot")
      .open("no event")
      .with([
        upload,
        async (container) => {
          const { snapshot = "" } = await blockBlob(container).createSnapshot();
          await blockBlob(container).withSnapshot(snapshot).delete();
        },
      ])
      .gives([PUT], causesOf),
    blobEvents(TYPES, "Set Blob Tier")
      .documented("`BlobTierChanged` after the change completes")
      .with([upload, tier("Cool")])
      .gives([PUT, TIER], causesOf),
    blobEvents(TYPES, "Set Blob Tier from archive to hot")
      .documented("`AsyncOperationInitiated`, and `BlobTierChanged` after the change completes")
      .with([upload, tier("Archive"), tier("Hot")])
      .gives([PUT, TIER, "AsyncOperationInitiated SetBlobTier", TIER], causesOf),
    blobEvents(PROPERTIES, "`sequencer` of two events of a blob")
      .documented("a comparison of strings gives their sequence")
      .with([upload, upload])
      .gives(true, ([first, second]) => first?.data.sequencer < second?.data.sequencer),
    blobEvents(EXAMPLES, "Fields of `BlobDeleted`")
      .documented("no `eTag`, `contentLength` and `accessTier`")
      .with([upload, remove])
      .gives(
        [
          "api",
          "clientRequestId",
          "requestId",
          "contentType",
          "blobType",
          "url",
          "sequencer",
          "storageDiagnostics",
        ],
        ([, deleted]) => Object.keys(deleted?.data),
      ),
    blobEvents(EXAMPLES, "`eTag`")
      .documented("open: samples of different dates have it with and without quotes")
      .unknown("without quotes")
      .gives(true, ([created]) => /^0x[0-9A-F]+$/.test(created?.data.eTag)),
    blobEvents(EXAMPLES, "`url`")
      .documented("`https://ACCOUNT.blob.core.windows.net/CONTAINER/BLOB`")
      .differs("the address that the client has used, which can be fetched")
      .gives(true, ([created]) => created?.data.url.startsWith(created.address)),
  ],
};
