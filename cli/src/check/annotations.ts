import type { CheckedBinding, Finding } from "./check-bindings.js";

/**
 * The results as workflow commands of GitHub Actions, which annotate the lines of a pull request.
 *
 * @see https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
export function annotations(results: readonly CheckedBinding[]): string {
  return results
    .flatMap(({ source, problems, warnings }) => [
      ...problems.map((problem) => annotation("error", source, problem)),
      ...warnings.map((warning) => annotation("warning", source, warning)),
    ])
    .join("");
}

function annotation(level: "error" | "warning", source: string, { line, message }: Finding) {
  const place = line === undefined ? "" : `,line=${line}`;
  return `::${level} file=${property(source)}${place}::${data(message)}\n`;
}

function data(text: string): string {
  return text.replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A");
}

function property(text: string): string {
  return data(text).replace(/:/g, "%3A").replace(/,/g, "%2C");
}
