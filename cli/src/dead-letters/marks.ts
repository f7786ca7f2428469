/** Metadata of a blob with the indexes of its replayed records: "0-3,7", or one bit for each. */
const REPLAYED = "replayed";
const BITS = "bits:";
/**
 * Characters of a list that is not replaced by bits: all metadata of a blob together may have 8 KB.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/setting-and-retrieving-properties-and-metadata-for-blob-resources
 */
const LIST_LENGTH = 4096;
const REPLAYED_AT = "replayedat";
/** Metadata with the number of records, which tells without a download that all are replayed. */
const RECORDS = "records";

type Metadata = Readonly<Record<string, string>>;

/** The indexes of the records that are marked as replayed. */
export function replayedIn(metadata: Metadata): Set<number> {
  const text = String(metadata[REPLAYED]);
  const indexes = new Set<number>();
  if (text.startsWith(BITS)) {
    for (const [at, byte] of Buffer.from(text.slice(BITS.length), "base64").entries())
      for (let bit = 0; bit < 8; bit += 1) if ((byte >> bit) & 1) indexes.add(8 * at + bit);
    return indexes;
  }
  for (const range of text.split(",")) {
    const [from, to = from] = range.split("-").map((text) => Number.parseInt(text, 10));
    for (let index = Number(from); index <= Number(to); index += 1) indexes.add(index);
  }
  return indexes;
}

/** Reports whether the metadata says that every record is replayed. */
export function isReplayed(metadata: Metadata): boolean {
  const records = Number(metadata[RECORDS] ?? Number.NaN);
  return replayedIn(metadata).size === records;
}

export function withMarks(
  metadata: Metadata,
  replayed: ReadonlySet<number>,
  records: number,
): Record<string, string> {
  return {
    ...metadata,
    [REPLAYED]: marks(replayed),
    [REPLAYED_AT]: new Date().toISOString(),
    [RECORDS]: String(records),
  };
}

function marks(indexes: ReadonlySet<number>): string {
  const list = ranges(indexes);
  if (list.length <= LIST_LENGTH) return list;
  const bytes = new Uint8Array(Math.floor([...indexes].reduce((a, b) => Math.max(a, b)) / 8) + 1);
  for (const index of indexes) bytes[index >> 3] = Number(bytes[index >> 3]) | (1 << (index & 7));
  return BITS + Buffer.from(bytes).toString("base64");
}

function ranges(indexes: ReadonlySet<number>): string {
  const runs: [number, number][] = [];
  for (const index of [...indexes].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === index - 1) last[1] = index;
    else runs.push([index, index]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(",");
}
