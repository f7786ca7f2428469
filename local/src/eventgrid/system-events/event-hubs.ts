import { family, partsOfSubject } from "./system-event.js";

/** Event Hubs; the namespace has Capture enabled. */
export const eventHubs = family({
  resourceType: "Microsoft.EventHub/namespaces",
  samples: {
    "Microsoft.EventHub.CaptureFileCreated": (source) => {
      const { name, time } = source;
      const subject = "eventhubs/orders";
      const [hub] = partsOfSubject(source, subject, /^eventhubs\/([^/]+)$/i);
      const file = time.slice(0, 19).replace(/[-T:]/g, "/");
      return {
        subject,
        data: {
          fileUrl: `https://captures.blob.core.windows.net/capture/${name}/${hub}/1/${file}.avro`,
          fileType: "AzureBlockBlob",
          partitionId: "1",
          sizeInBytes: 249168,
          eventCount: 1500,
          firstSequenceNumber: 2400,
          lastSequenceNumber: 3899,
          firstEnqueueTime: time,
          lastEnqueueTime: time,
        },
      };
    },
  },
});
