/** How a maintenance operation of a cache ended. */
export interface CacheOperation {
  /** The operation's short name, which is the event's subject, too: `ScalingCompleted`. */
  name: string;
  /** RFC 3339 time of its end. */
  timestamp: string;
  /** `Succeeded` or `Failed`. */
  status: string;
}

/** The events of a cache. The SDK does not list them. */
export interface CacheEvents {
  "Microsoft.Cache.PatchingCompleted": CacheOperation;
  "Microsoft.Cache.ScalingCompleted": CacheOperation;
  "Microsoft.Cache.ImportRDBCompleted": CacheOperation;
  "Microsoft.Cache.ExportRDBCompleted": CacheOperation;
}
