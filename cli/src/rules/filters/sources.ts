import { isOfType } from "../../resource-id.js";
import { Comparison, OTHER_TYPES } from "./compare.js";
import { type FilterCondition, filterConditions } from "./event-filter.js";

/** The beginning of the subjects of all events of blobs. */
export const BLOB_SUBJECT = "/blobServices/default/containers/";

/**
 * What holds for every event of a type from a source: storage accounts give the subjects of their blobs'
 * events one beginning.
 *
 * @see https://learn.microsoft.com/azure/event-grid/event-schema-blob-storage
 */
export function impliedBy(type: unknown, source: unknown): FilterCondition[] {
  const isBlob =
    typeof type === "string" &&
    type.startsWith("Microsoft.Storage.") &&
    /Blob(Created|Deleted|Renamed|Tier)|Directory/.test(type);
  if (!isBlob || !isOfType(String(source), "Microsoft.Storage/storageAccounts")) return [];
  return filterConditions({ subjectBeginsWith: BLOB_SUBJECT });
}

/**
 * Containers have lower-case names.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/naming-and-referencing-containers--blobs--and-metadata
 */
const CAPITAL = new RegExp(`^${BLOB_SUBJECT}[^/]*[A-Z]`);

const SCHEMAS = ["CloudEventSchemaV1_0", "EventGridSchema"] as const;

/** Whether it is certain that no event of a type passes a filter; without a type, no event of any. */
export function passesNever(filter: unknown, type: string | undefined, source: unknown): boolean {
  const implied = impliedBy(type, source);
  const { subjectBeginsWith: begin, isSubjectCaseSensitive } = Object(filter);
  const isCapital = isSubjectCaseSensitive === true && CAPITAL.test(String(begin));
  if (isCapital && implied.length > 0) return true;
  const comparison = new Comparison(filter, {}, SCHEMAS, []);
  return comparison.relation(type ?? OTHER_TYPES, implied).before === "none";
}

/** Whether it is certain that no event passes both filters. */
export function areDisjoint(a: unknown, b: unknown): boolean {
  return new Comparison(a, b, SCHEMAS, []).relation(OTHER_TYPES).both === "none";
}
