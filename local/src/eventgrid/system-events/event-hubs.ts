import { family } from "./system-event.js";

/** Event Hubs; the namespace has Capture enabled. */
export const eventHubs = family({
  resourceType: "Microsoft.EventHub/namespaces",
  samples: {
    "Microsoft.EventHub.CaptureFileCreated": ({ name, time }) => ({
      subject: "eventhubs/orders",
      data: {
        fileUrl: `https://captures.blob.core.windows.net/capture/${name}/orders/1/2026/01/31/07/15/00.avro`,
        fileType: "AzureBlockBlob",
        partitionId: "1",
        sizeInBytes: 249168,
        eventCount: 1500,
        firstSequenceNumber: 2400,
        lastSequenceNumber: 3899,
        firstEnqueueTime: time,
        lastEnqueueTime: time,
      },
    }),
  },
});
