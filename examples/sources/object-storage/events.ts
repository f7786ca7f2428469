import { defineEvents, systemEvents } from "cloud-eventgrid-binding-runtime/events";

/** What becomes of the files in an inbox. */
export const blobs = defineEvents(
  systemEvents("Microsoft.Storage.BlobCreated", "Microsoft.Storage.BlobDeleted"),
);
