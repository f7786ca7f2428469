/** Metadata of a blob that lists the indexes of its replayed records: "0-3,7". */
const REPLAYED = "replayed";
const REPLAYED_AT = "replayedat";
/** Metadata with the number of records, which tells without a download that all are replayed. */
const RECORDS = "records";

type Metadata = Readonly<Record<string, string>>;

/** The indexes of the records that are marked as replayed. */
export function replayedIn(metadata: Metadata): Set<number> {
  const indexes = new Set<number>();
  for (const range of String(metadata[REPLAYED]).split(",")) {
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
    [REPLAYED]: ranges(replayed),
    [REPLAYED_AT]: new Date().toISOString(),
    [RECORDS]: String(records),
  };
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
