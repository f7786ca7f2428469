import type { ComponentOptions, ReadComponent } from "../bindings/index.js";
import { CommandError, ExitCode, jsonText, type Terminal } from "../terminal/index.js";

/**
 * Reads the component documents of files. If any has problems, reports those of all documents and
 * ends the command.
 *
 * @returns undefined if there are problems
 */
export async function validComponents(
  files: readonly string[],
  options: ComponentOptions,
  terminal: Terminal,
  end: (exitCode: number) => void,
  asJson = false,
): Promise<readonly ReadComponent[] | undefined> {
  const { checked, checkReport } = await import("../check/index.js");
  const { isOtherDocument, isValid, readComponents, readSources } = await import(
    "../bindings/index.js"
  );
  const { out, error } = terminal;
  const sources = await readSources(files, terminal);
  const components = sources.flatMap(({ file, text, isOfFolder }) =>
    readComponents(text, file, options).filter(
      (component) => !(isOfFolder && isOtherDocument(component)),
    ),
  );
  if (components.length === 0) throw new CommandError("the files contain no Event Grid binding");
  const valid = components.filter(isValid);
  if (valid.length === components.length) return valid;
  const results = components.map(checked);
  if (asJson) out(jsonText({ ok: false, results }));
  else error(checkReport(results));
  end(ExitCode.problems);
  return undefined;
}
