import { componentName, isEventGridBinding } from "./header.js";
import { ComponentDocumentError } from "./problem.js";
import type { DocumentSource } from "./source.js";

/**
 * Chooses the document to read: the one of the given name, or else the only one, or else the only
 * binding of Event Grid among several.
 *
 * @throws {ComponentDocumentError} when that leaves none, or more than one
 */
export function chooseComponent(
  sources: readonly DocumentSource[],
  name: string | undefined,
  fileName: string | undefined,
): DocumentSource {
  const bindings = sources.filter(isEventGridBinding);
  const candidates =
    name !== undefined
      ? bindings.filter((source) => componentName(source) === name)
      : sources.length === 1
        ? sources
        : bindings;
  const [chosen, another] = candidates;
  if (chosen !== undefined && another === undefined) return chosen;

  const names = bindings.map((source) => JSON.stringify(componentName(source))).join(", ");
  const which = name === undefined ? "" : ` named ${JSON.stringify(name)}`;
  const message =
    chosen === undefined
      ? `it holds no binding of Event Grid${which}${names === "" ? "" : `, but ${names}`}`
      : `it holds ${candidates.length} bindings of Event Grid${which} (${names}): ` +
        "say which one to read (component), or give one at a time";
  throw new ComponentDocumentError([{ rule: "shape", message }], fileName);
}
