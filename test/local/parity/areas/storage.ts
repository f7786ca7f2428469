import type { ContainerClient } from "@azure/storage-blob";
import { type Area, eventGrid, type Row } from "../row.js";
import type { Stage } from "../stage.js";

const TYPES = eventGrid("event-schema-blob-storage", "Blob Storage events");
const EXAMPLES = eventGrid("event-schema-blob-storage", "Example events");
const PROPERTIES = eventGrid("event-schema-blob-storage", "Event properties");

/** The events of what is done in a new container of Azurite, reached through the local Azure. */
async function eventsOf(stage: Stage, act: (container: ContainerClient) => Promise<unknown>) {
  const { service, events } = await stage.storage();
  const container = service.getContainerClient(stage.newName());
  await container.create();
  await act(container);
  return (await events())
    .filter(({ subject }) => subject?.includes(`/${container.containerName}/`))
    .map(({ type, json }) => ({
      type: type.replace("Microsoft.Storage.", ""),
      data: JSON.parse(json).data,
    }));
}

function causes(
  input: string,
  documented: string,
  act: (container: ContainerClient) => Promise<unknown>,
  result: readonly string[],
  row: Partial<Row> = {},
): Row {
  return {
    source: TYPES,
    input,
    documented,
    ...row,
    run: async (stage) =>
      (await eventsOf(stage, act)).map(({ type, data }) => `${type} ${data.api}`),
    result,
  };
}

const upload = (container: ContainerClient, name = "17.json") =>
  container.getBlockBlobClient(name).upload("{}", 2);

export const storage: Area = {
  title: "Events of blobs, through Azurite",
  rows: [
    causes("Put Blob", "`BlobCreated` with the API `PutBlob`", (container) => upload(container), [
      "BlobCreated PutBlob",
    ]),
    causes(
      "Put Blob of a blob that exists",
      "`BlobCreated`: created or replaced",
      async (container) => {
        await upload(container);
        await upload(container);
      },
      ["BlobCreated PutBlob", "BlobCreated PutBlob"],
    ),
    causes(
      "Put Block, without Put Block List",
      "no event: the blob is not committed",
      (container) => container.getBlockBlobClient("17.json").stageBlock("MDE=", "{}", 2),
      [],
    ),
    causes(
      "Put Block List",
      "`BlobCreated` with the API `PutBlockList`",
      async (container) => {
        const blob = container.getBlockBlobClient("17.json");
        await blob.stageBlock("MDE=", "{}", 2);
        await blob.commitBlockList(["MDE="]);
      },
      ["BlobCreated PutBlockList"],
    ),
    causes(
      "Copy Blob",
      "`BlobCreated` with the API `CopyBlob`",
      async (container) => {
        await upload(container);
        const source = container.getBlobClient("17.json").url;
        await container.getBlobClient("18.json").syncCopyFromURL(source);
      },
      ["BlobCreated PutBlob", "BlobCreated CopyBlob"],
    ),
    causes(
      "Append Block, after the creation of the append blob",
      "open: the page names block blobs only",
      async (container) => {
        const blob = container.getAppendBlobClient("log");
        await blob.create();
        await blob.appendBlock("line", 4);
      },
      ["BlobCreated PutBlob"],
      { unknown: "`BlobCreated` for the creation, no event for what is appended" },
    ),
    causes(
      "Delete Blob",
      "`BlobDeleted` with the API `DeleteBlob`",
      async (container) => {
        await upload(container);
        await container.deleteBlob("17.json");
      },
      ["BlobCreated PutBlob", "BlobDeleted DeleteBlob"],
    ),
    causes(
      "Delete Blob of two blobs in a batch",
      "open",
      async (container) => {
        await upload(container);
        await upload(container, "18.json");
        const blobs = ["17.json", "18.json"].map((name) => container.getBlobClient(name));
        await container.getBlobBatchClient().deleteBlobs(blobs);
      },
      [
        "BlobCreated PutBlob",
        "BlobCreated PutBlob",
        "BlobDeleted DeleteBlob",
        "BlobDeleted DeleteBlob",
      ],
      { unknown: "one `BlobDeleted` for each blob" },
    ),
    causes(
      "Delete Blob of a snapshot",
      "open",
      async (container) => {
        await upload(container);
        const blob = container.getBlobClient("17.json");
        const { snapshot = "" } = await blob.createSnapshot();
        await blob.withSnapshot(snapshot).delete();
      },
      ["BlobCreated PutBlob"],
      { unknown: "no event" },
    ),
    causes(
      "Set Blob Tier",
      "`BlobTierChanged` after the change completes",
      async (container) => {
        await upload(container);
        await container.getBlobClient("17.json").setAccessTier("Cool");
      },
      ["BlobCreated PutBlob", "BlobTierChanged SetBlobTier"],
    ),
    causes(
      "Set Blob Tier from archive to hot",
      "`AsyncOperationInitiated`, and `BlobTierChanged` after the change completes",
      async (container) => {
        await upload(container);
        await container.getBlobClient("17.json").setAccessTier("Archive");
        await container.getBlobClient("17.json").setAccessTier("Hot");
      },
      [
        "BlobCreated PutBlob",
        "BlobTierChanged SetBlobTier",
        "AsyncOperationInitiated SetBlobTier",
        "BlobTierChanged SetBlobTier",
      ],
    ),
    {
      source: PROPERTIES,
      input: "`sequencer` of two events of a blob",
      documented: "a comparison of strings gives their sequence",
      run: async (stage) => {
        const [first, second] = await eventsOf(stage, async (container) => {
          await upload(container);
          await upload(container);
        });
        return first?.data.sequencer < second?.data.sequencer;
      },
      result: true,
    },
    {
      source: EXAMPLES,
      input: "Fields of `BlobDeleted`",
      documented: "no `eTag`, `contentLength` and `accessTier`",
      run: async (stage) => {
        const [, deleted] = await eventsOf(stage, async (container) => {
          await upload(container);
          await container.deleteBlob("17.json");
        });
        return Object.keys(deleted?.data);
      },
      result: [
        "api",
        "clientRequestId",
        "requestId",
        "contentType",
        "blobType",
        "url",
        "sequencer",
        "storageDiagnostics",
      ],
    },
    {
      source: EXAMPLES,
      input: "`eTag`",
      documented: "open: samples of different dates have it with and without quotes",
      unknown: "without quotes",
      run: async (stage) => {
        const [created] = await eventsOf(stage, (container) => upload(container));
        return /^0x[0-9A-F]+$/.test(created?.data.eTag);
      },
      result: true,
    },
    {
      source: EXAMPLES,
      input: "`url`",
      documented: "`https://ACCOUNT.blob.core.windows.net/CONTAINER/BLOB`",
      differs: "the address that the client has used, which can be fetched",
      run: async (stage) => {
        const { service } = await stage.storage();
        const [created] = await eventsOf(stage, (container) => upload(container));
        return created?.data.url.startsWith(service.url);
      },
      result: true,
    },
  ],
};
