import { isScalar } from "yaml";
import { shownValue } from "../shown-value.js";
import type { DocumentProblem, DocumentRule } from "./problem.js";
import type { DocumentSource } from "./source.js";

/** The type of this component, in the specification's words. */
export const COMPONENT_TYPE = "bindings.cloud.eventgrid";
/** The type of this component, in the vendor's words. */
export const VENDOR_COMPONENT_TYPE = "bindings.azure.eventgrid";
/** Version of the component's API, after the group. */
export const API_VERSION = "v1alpha1";

/** What a component's name must be. */
export const COMPONENT_NAME_RULE =
  "must be the component's name: 1 to 253 characters without white space";

/** Whether a text can be a component's name. */
export function isComponentName(text: string): boolean {
  return /^\S{1,253}$/.test(text);
}

interface HeaderRule {
  readonly path: readonly string[];
  readonly rule: DocumentRule;
  readonly must: string;
  readonly holds: (text: string) => boolean;
}

const NAME: HeaderRule = {
  path: ["metadata", "name"],
  rule: "shape",
  must: COMPONENT_NAME_RULE,
  holds: isComponentName,
};

const RULES: readonly HeaderRule[] = [
  {
    path: ["apiVersion"],
    rule: "api-version",
    must: `must be the API group followed by /${API_VERSION}, such as dapr.io/${API_VERSION}`,
    holds: (text) => /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?\/v1alpha1$/i.test(text),
  },
  {
    path: ["kind"],
    rule: "kind",
    must: 'must be "Component"',
    holds: (text) => text === "Component",
  },
  NAME,
  {
    path: ["spec", "type"],
    rule: "type",
    must: `must be "${COMPONENT_TYPE}" or "${VENDOR_COMPONENT_TYPE}"`,
    holds: isComponentType,
  },
  {
    path: ["spec", "version"],
    rule: "version",
    must: 'must be "v1"',
    holds: (text) => text === "v1",
  },
];

/** Finds what is wrong with everything in a document but its metadata fields. */
export function headerProblems(source: DocumentSource): DocumentProblem[] {
  return RULES.flatMap(({ path, rule, must, holds }) => {
    const shownAs = path.join(".");
    const node = nodeAt(source, path);
    if (node === undefined) return { rule, message: `${shownAs} is missing: it ${must}` };
    const value = isScalar(node) ? node.value : [];
    if (typeof value === "string" && holds(value)) return [];
    const shown = isScalar(node) ? shownValue(value) : "no single value";
    return { line: source.line(node), rule, message: `${shownAs} ${must}, but is ${shown}` };
  });
}

/** The component's name; empty where {@link headerProblems} finds it wrong. */
export function componentName(source: DocumentSource): string {
  const node = nodeAt(source, NAME.path);
  return isScalar(node) && typeof node.value === "string" ? node.value : "";
}

/** Whether a document declares a binding of this component's type. */
export function isEventGridBinding(source: DocumentSource): boolean {
  const node = nodeAt(source, ["spec", "type"]);
  return isScalar(node) && typeof node.value === "string" && isComponentType(node.value);
}

function isComponentType(text: string): boolean {
  return [COMPONENT_TYPE, VENDOR_COMPONENT_TYPE].includes(text.toLowerCase());
}

function nodeAt(source: DocumentSource, path: readonly string[]): unknown {
  let node: unknown = source.root;
  for (const key of path) node = source.child(node, key);
  return node ?? undefined;
}
