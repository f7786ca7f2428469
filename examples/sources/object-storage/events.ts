import { defineEvents, systemEvents } from "cloud-eventgrid-binding-runtime/events";

/** Files that are created and deleted. */
export const blobs = defineEvents(
  systemEvents("Microsoft.Storage.BlobCreated", "Microsoft.Storage.BlobDeleted"),
);
