import { family, type SampleOf } from "./system-event.js";

const completed =
  (name: string): SampleOf =>
  ({ time, subject = name }) => ({
    subject,
    data: { name: subject, timestamp: time, status: "Succeeded" },
  });

/** Azure Cache for Redis. */
export const cache = family({
  resourceType: "Microsoft.Cache/Redis",
  samples: {
    "Microsoft.Cache.PatchingCompleted": completed("PatchingCompleted"),
    "Microsoft.Cache.ScalingCompleted": completed("ScalingCompleted"),
    "Microsoft.Cache.ImportRDBCompleted": completed("ImportRDBCompleted"),
    "Microsoft.Cache.ExportRDBCompleted": completed("ExportRDBCompleted"),
  },
});
