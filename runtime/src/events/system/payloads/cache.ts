/** The end of a maintenance operation of a cache. */
export interface CacheOperation {
  /** Short name of the event, such as `ScalingCompleted`; also its subject. */
  name: string;
  /** RFC 3339 time of its end. */
  timestamp: string;
  /** `Succeeded` or `Failed`. */
  status: string;
}

/** The events of a cache, which the SDK does not have. */
export interface CacheEvents {
  "Microsoft.Cache.PatchingCompleted": CacheOperation;
  "Microsoft.Cache.ScalingCompleted": CacheOperation;
  "Microsoft.Cache.ImportRDBCompleted": CacheOperation;
  "Microsoft.Cache.ExportRDBCompleted": CacheOperation;
}
