import type { Stage } from "./stage.js";

/** A page of Microsoft's documentation and its section that states the rule. */
export interface Source {
  /**
   * Path on https://learn.microsoft.com, for example `azure/event-grid/delivery-and-retry`, or the
   * address of another source of Microsoft's.
   */
  readonly page: string;
  /** Heading of the section. */
  readonly section: string;
  /** At most half a sentence that decides the result, where that is not obvious. */
  readonly quote?: string;
}

/** An answer of the real service that one of Microsoft's test suites contains. */
export interface Recording {
  readonly repository: string;
  /** Name of the recording. */
  readonly file: string;
  /** When it was recorded. */
  readonly year: number;
  /** Version of the API. */
  readonly version: string;
}

/** One documented or recorded behaviour of Azure. */
export interface Row {
  readonly source: Source | Recording;
  /** What happens, for example a request, without its result. Unique in its area. */
  readonly input: string;
  /** The documented or recorded result. */
  readonly documented: string;
  /** What the local Azure does instead, and why. */
  readonly differs?: string;
  /** What the documentation leaves open, and what the local Azure does. */
  readonly unknown?: string;
  /** Does it with the local Azure, and returns the result. */
  readonly run: (stage: Stage) => Promise<unknown>;
  /** The documented result of `run`, or the local one if the row `differs` or is `unknown`. */
  readonly result: unknown;
}

/** Rows about one subject: a section of docs/contributing/parity.md. */
export interface Area {
  readonly title: string;
  readonly rows: readonly Row[];
  /** Writes the rows in another form than one line for each. */
  readonly table?: () => string;
}

/** The section of a page below https://learn.microsoft.com/azure/event-grid. */
export function eventGrid(page: string, section: string): Source {
  return { page: `azure/event-grid/${page}`, section };
}

/** The kinds of sources, from the one that promises most to the one that promises least. */
export type Kind = "documented" | "published" | "recorded";

export function kindOf(source: Row["source"]): Kind {
  if ("file" in source) return "recorded";
  if (source.page.endsWith("/azure-sdk-assets")) return "recorded";
  return source.page.startsWith("https://") ? "published" : "documented";
}

export function linkTo(source: Row["source"]): string {
  if ("file" in source) {
    const { repository, file, year, version } = source;
    return `recorded: [${repository}](https://github.com/${repository}), \`${file}\`, ${year}, ${version}`;
  }
  const { page, section, quote } = source;
  const words = quote === undefined ? "" : `: “${quote}”`;
  if (page.startsWith("https://")) return `[${section}](${page})${words}`;
  const anchor = section
    .toLowerCase()
    .replace(/[^\w\s-]/g, "")
    .replaceAll(/\s/g, "-");
  return `[${section}](https://learn.microsoft.com/${page}#${anchor})${words}`;
}
