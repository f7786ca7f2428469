import { type Problem, statedProblem } from "../errors.js";
import {
  choiceRule,
  patternRule,
  predicateRule,
  problemsOf,
  type Rule,
  showValue,
} from "../validation/index.js";
import { type DocumentSource, documentError, yaml } from "./source.js";

/** The type of this component in the specification. */
export const COMPONENT_TYPE = "bindings.cloud.eventgrid";
/** The type of this component in the vendor's runtime. */
export const VENDOR_COMPONENT_TYPE = "bindings.azure.eventgrid";
/** Version of the component's API, after the group. */
export const API_VERSION = "v1alpha1";

export const componentNameRule = patternRule({
  requirement: {
    "component-name": "must be 1 to 253 printable ASCII characters without white space",
  },
  pattern: "^[!-~]{1,253}$",
  explain: (value, shown) => {
    const [character] = String(value).match(/[^!-~]/u) ?? [];
    return character && `${shown} has the character ${JSON.stringify(character)}`;
  },
});

const headerRules: Readonly<Record<string, Rule>> = {
  apiVersion: predicateRule({
    requirement: {
      "api-version": `must be the API group followed by /${API_VERSION}, such as dapr.io/${API_VERSION}`,
    },
    test: (value) => /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?\/v1alpha1$/i.test(String(value)),
  }),
  kind: { ...choiceRule("Component"), name: "kind" },
  "metadata.name": componentNameRule,
  "spec.type": predicateRule({
    requirement: { "component-type": `must be "${COMPONENT_TYPE}" or "${VENDOR_COMPONENT_TYPE}"` },
    test: isComponentType,
  }),
  "spec.version": { ...choiceRule("v1"), name: "version" },
};

/** Reports what is wrong with a document apart from its metadata fields. */
export function headerProblems(source: DocumentSource): Problem[] {
  const short = containerAppsType(source);
  if (short !== undefined) {
    const message =
      "the document has the form of Azure Container Apps (componentType, secretRef): write it as a " +
      "component with apiVersion, kind, metadata.name and spec, and each secretRef as a secretKeyRef";
    return [{ line: source.line(short), ...statedProblem("componentType", { shape: message }) }];
  }
  return Object.entries(headerRules).flatMap(([field, rule]): Problem[] => {
    const node = source.at(...field.split("."));
    if (node === undefined || node === null) {
      return [statedProblem(field, { required: `${field} is required: it ${rule.requirement}` })];
    }
    const value = yaml().isScalar(node) ? node.value : yaml().isMap(node) ? {} : [];
    const line = source.line(node);
    return problemsOf(rule, field, value).map((problem) => ({ line, ...problem }));
  });
}

/** The type in the form of Azure Container Apps, or of its resource in a template. */
function containerAppsType(source: DocumentSource): unknown {
  if (source.at("spec") !== undefined) return undefined;
  return source.at("componentType") ?? source.at("properties", "componentType");
}

/** The component's name; empty if {@link headerProblems} reports it. */
export function componentName(source: DocumentSource): string {
  return source.text(source.at("metadata"), "name") ?? "";
}

/** Reports whether a document has the vendor's type, so that it probably uses the vendor's field names. */
export function hasVendorType(source: DocumentSource): boolean {
  return source.text(source.at("spec"), "type")?.toLowerCase() === VENDOR_COMPONENT_TYPE;
}

/**
 * Chooses the document to read: the only one, or the only Event Grid binding among several.
 *
 * @throws {ConfigurationError} when none or more than one qualifies
 */
export function chooseComponent(
  sources: readonly DocumentSource[],
  fileName: string | undefined,
): DocumentSource {
  const bindings = sources.filter((source) => {
    const type = source.at("spec", "type") ?? containerAppsType(source);
    return yaml().isScalar(type) && isComponentType(type.value);
  });
  const [chosen, another] = sources.length === 1 ? sources : bindings;
  if (chosen !== undefined && another === undefined) return chosen;
  const names = bindings.map((source) => showValue(componentName(source))).join(", ");
  const message =
    chosen === undefined
      ? "it contains no Event Grid binding"
      : `it contains ${bindings.length} Event Grid bindings (${names}): pass the text of one`;
  throw documentError([statedProblem("document", { component: message })], {
    fileName,
  });
}

function isComponentType(value: unknown): boolean {
  return [COMPONENT_TYPE, VENDOR_COMPONENT_TYPE].includes(String(value).toLowerCase());
}
