import type { Delivery, Stage } from "./stage.js";

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

/** What a row says in words; `gives` completes it. */
export interface Words<Data, Outcome> {
  /** What the local Azure does instead, and why. */
  differs(local: string): Words<Data, Outcome>;
  /** What the local Azure does where the documentation leaves it open. */
  unknown(local: string): Words<Data, Outcome>;
  /** What is done, where rows of this kind do the same with other data. */
  with(data: Data): Words<Data, Outcome>;
  /** @param show what of the outcome the result is, by default the outcome itself */
  gives(result: unknown, show?: (outcome: Outcome) => unknown): Row;
}

/**
 * Rows that do the same with other data. Each reads as a sentence:
 * `row(source, input).documented("…").with(data).gives(result, (outcome) => …)`.
 */
export function rowsThat<Data, Outcome>(
  act: (stage: Stage, data?: Data) => Outcome | Promise<Outcome>,
) {
  return (source: Row["source"], input: string) => {
    const words = (
      finding: Pick<Row, "documented" | "differs" | "unknown">,
      data?: Data,
    ): Words<Data, Outcome> => ({
      differs: (differs) => words({ ...finding, differs }, data),
      unknown: (unknown) => words({ ...finding, unknown }, data),
      with: (other) => words(finding, other),
      gives: (result, show = (outcome) => outcome) => ({
        source,
        input,
        ...finding,
        run: async (stage) => show(await act(stage, data)),
        result,
      }),
    });
    return {
      documented: (documented: string) => words({ documented }),
      /** Nothing documents the result. */
      open: (local: string) => words({ documented: "open", unknown: local }),
    };
  };
}

/** A row with an act of its own. */
export const row = rowsThat((stage) => stage);

/** A row about events that are published to a new topic and delivered until nothing is pending. */
export const delivery = rowsThat((stage, of?: Delivery) => stage.deliver(of));

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
