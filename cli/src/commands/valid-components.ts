import type { Component, ComponentOptions } from "../definitions/index.js";
import { ExitCode, jsonText, type Terminal } from "../terminal.js";

/**
 * Reads the component documents of files. If any has problems, reports those of all documents and
 * ends the command.
 *
 * @returns undefined if there are problems
 */
export async function validComponents(
  files: readonly string[],
  options: ComponentOptions,
  { directory, out, error }: Terminal,
  end: (exitCode: number) => void,
  asJson = false,
): Promise<readonly Component[] | undefined> {
  const { checked, checkReport } = await import("../check/index.js");
  const { readComponents } = await import("../definitions/index.js");
  const { readText } = await import("../files.js");
  const components = files.flatMap((file) =>
    readComponents(readText(directory, file), file, options),
  );
  if (components.every(({ problems }) => problems.length === 0)) return components;
  const results = components.map(checked);
  if (asJson) out(jsonText({ ok: false, results }));
  else error(checkReport(results));
  end(ExitCode.problems);
  return undefined;
}
