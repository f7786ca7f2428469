import { isObject } from "cloud-eventgrid-binding-runtime/internal";
import { parseAllDocuments } from "yaml";
import { UNKNOWN } from "../../rules/index.js";

/** A text, a number or a switch inside of a resource's attributes. */
export interface Leaf {
  /** The names that lead to it, without indices: `ingress.traffic_weight.percentage`. */
  readonly path: string;
  readonly value: unknown;
  /** The part of a YAML or JSON text that it is in. */
  readonly block: string | undefined;
  /** Tells it from other leaves of its resource. */
  readonly key: string;
}

/** Terraform nests values some ten levels deep. */
const MAX_DEPTH = 100;
/** Longer texts are one leaf. */
const MAX_TEXT = 200_000;

/** All leaves of a resource's attributes, also of those inside of YAML and JSON. */
export function leavesOf(attributes: unknown): Leaf[] {
  const leaves: Leaf[] = [];
  const walk = (
    value: unknown,
    path: string,
    place: string,
    block?: string,
    levels = MAX_DEPTH,
  ): void => {
    const down = (inner: unknown, name: string, at: string, part = block) =>
      walk(
        inner,
        name === "" ? path : path === "" ? name : `${path}.${name}`,
        at,
        part,
        levels - 1,
      );
    if (value === null || value === undefined || value === "" || levels < 0) return;
    const documents = block === undefined ? documentsIn(value) : undefined;
    if (documents !== undefined) {
      documents.forEach((document, index) => {
        const part = `${place}#${index}`;
        for (const [name, inner] of Object.entries(document)) {
          // A manifest is one block; of a chart's values it is what a name at the top has.
          down(inner, name, `${part}.${name}`, "kind" in document ? part : `${part}.${name}`);
        }
      });
    } else if (Array.isArray(value)) {
      value.forEach((inner: unknown, index) => {
        const name = nameOf(inner);
        // Most lists of texts are sets.
        const isText = typeof inner === "string" && documentsIn(inner) === undefined;
        down(inner, name ?? "", `${place}[${name ?? (isText ? "" : index)}]`);
      });
    } else if (isObject(value)) {
      for (const [name, inner] of Object.entries(value)) down(inner, name, `${place}.${name}`);
    } else {
      leaves.push({ path, value, block, key: `${place}=${String(value)}` });
    }
  };
  walk(attributes, "", "");
  return leaves;
}

/** The name of an element of a list, such as a value that is set for a chart. */
function nameOf(element: unknown): string | undefined {
  const { name, key } = isObject(element) ? element : {};
  const found = name ?? key;
  return typeof found === "string" ? found : undefined;
}

/** The objects of a longer text in YAML or JSON; undefined if it is something else. */
function documentsIn(value: unknown): object[] | undefined {
  if (typeof value !== "string" || value.length > MAX_TEXT) return undefined;
  const text = value.trim();
  const isYaml = text.includes("\n") && /^\s*([\w"'-]+\s*:|\{)/m.test(text);
  if (!isYaml && !text.startsWith("{")) return undefined;
  try {
    const documents: unknown[] = parseAllDocuments(value, { logLevel: "silent" }).flatMap(
      (document) => document.toJS() ?? [],
    );
    return documents.length > 0 && documents.every(isObject) ? documents : undefined;
  } catch {
    return undefined;
  }
}

/** The leaves that one side has and the other does not. */
export function difference(before: readonly Leaf[], after: readonly Leaf[]): Leaf[] {
  const [old, next] = [before, after].map((side) => new Set(side.map(({ key }) => key)));
  return [
    ...before.filter(({ key, value }) => !next?.has(key) || value === UNKNOWN),
    ...after.filter(({ key, value }) => !old?.has(key) || value === UNKNOWN),
  ];
}
