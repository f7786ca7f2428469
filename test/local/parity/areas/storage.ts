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

type Step = (container: ContainerClient) => Promise<unknown>;

/** The events that operations cause, one after the other. */
function causes(
  input: string,
  documented: string,
  steps: readonly Step[],
  result: readonly string[],
  row: Partial<Row> = {},
): Row {
  return {
    source: TYPES,
    input,
    documented,
    ...row,
    run: async (stage) => {
      const events = await eventsOf(stage, async (container) => {
        for (const step of steps) await step(container);
      });
      return events.map(({ type, data }) => `${type} ${data.api}`);
    },
    result,
  };
}

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
    causes("Put Blob", "`BlobCreated` with the API `PutBlob`", [upload], [PUT]),
    causes(
      "Put Blob of a blob that exists",
      "`BlobCreated`: created or replaced",
      [upload, upload],
      [PUT, PUT],
    ),
    causes(
      "Put Block, without Put Block List",
      "no event: the blob is not committed",
      [stageBlock],
      [],
    ),
    causes(
      "Put Block List",
      "`BlobCreated` with the API `PutBlockList`",
      [stageBlock, commit],
      ["BlobCreated PutBlockList"],
    ),
    causes(
      "Copy Blob",
      "`BlobCreated` with the API `CopyBlob`",
      [
        upload,
        (container) => container.getBlobClient("18.json").syncCopyFromURL(blockBlob(container).url),
      ],
      [PUT, "BlobCreated CopyBlob"],
    ),
    causes(
      "Append Block, after the creation of the append blob",
      "open: the page names block blobs only",
      [
        (container) => container.getAppendBlobClient("log").create(),
        (container) => container.getAppendBlobClient("log").appendBlock("line", 4),
      ],
      [PUT],
      { unknown: "`BlobCreated` for the creation, no event for what is appended" },
    ),
    causes(
      "Delete Blob",
      "`BlobDeleted` with the API `DeleteBlob`",
      [upload, remove],
      [PUT, DELETED],
    ),
    causes(
      "Delete Blob of two blobs in a batch",
      "open",
      [
        upload,
        uploadOther,
        (container) => {
          const blobs = ["17.json", "18.json"].map((name) => container.getBlobClient(name));
          return container.getBlobBatchClient().deleteBlobs(blobs);
        },
      ],
      [PUT, PUT, DELETED, DELETED],
      { unknown: "one `BlobDeleted` for each blob" },
    ),
    causes(
      "Delete Blob of a snapshot",
      "open",
      [
        upload,
        async (container) => {
          const { snapshot = "" } = await blockBlob(container).createSnapshot();
          await blockBlob(container).withSnapshot(snapshot).delete();
        },
      ],
      [PUT],
      { unknown: "no event" },
    ),
    causes(
      "Set Blob Tier",
      "`BlobTierChanged` after the change completes",
      [upload, tier("Cool")],
      [PUT, TIER],
    ),
    causes(
      "Set Blob Tier from archive to hot",
      "`AsyncOperationInitiated`, and `BlobTierChanged` after the change completes",
      [upload, tier("Archive"), tier("Hot")],
      [PUT, TIER, "AsyncOperationInitiated SetBlobTier", TIER],
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
        const [created] = await eventsOf(stage, upload);
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
        const [created] = await eventsOf(stage, upload);
        return created?.data.url.startsWith(service.url);
      },
      result: true,
    },
  ],
};
