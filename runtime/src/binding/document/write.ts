import { Document, isScalar, visit } from "yaml";
import type { BindingProps } from "../props.js";
import { type ResolvedBinding, resolveBinding } from "../resolve.js";
import { shownValue } from "../shown-value.js";
import type { ValidationOptions } from "../validate.js";
import {
  API_VERSION,
  COMPONENT_NAME_RULE,
  COMPONENT_TYPE,
  isComponentName,
  VENDOR_COMPONENT_TYPE,
} from "./header.js";
import { ComponentDocumentError, type DocumentProblem } from "./problem.js";
import type { SecretReference } from "./secret-reference.js";
import {
  DOCUMENT_FIELDS,
  type DocumentField,
  FIELD_NAMES,
  VENDOR_CLOUDS,
  type Vocabulary,
} from "./vocabulary.js";

/** How a component document is to be written. */
export interface WriteOptions extends ValidationOptions {
  /** The component's name. */
  readonly name: string;
  /** Whose names the fields get. A Dapr sidecar reads `"vendor"`. @default "current" */
  readonly vocabulary?: Vocabulary;
  /** API group of the runtime's components. @default "dapr.io" */
  readonly componentApiGroup?: string;
  /** @default "yaml" */
  readonly format?: "yaml" | "json";
  /** Secrets that the document refers to, instead of holding them. */
  readonly secretReferences?: {
    readonly accessKey?: SecretReference;
    readonly cloudClientSecret?: SecretReference;
  };
  /** Store that the references lie in. @default the runtime's own default */
  readonly secretStore?: string;
}

type Entry =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly secretKeyRef: SecretReference };

/**
 * Writes props as a component document, which {@link readComponentDocument} reads back.
 *
 * @throws {BindingConfigurationError} when the props are not valid
 * @throws {ComponentDocumentError} when a document cannot say what the props say: `publishWith:
 * "entra"`, or an input half without a client secret
 */
export function writeComponentDocument(props: BindingProps, options: WriteOptions): string {
  const binding: ResolvedBinding = resolveBinding(props, options);
  const problems = unsayable(binding, options);
  if (problems.length > 0) throw new ComponentDocumentError(problems);

  const { vocabulary = "current", componentApiGroup = "dapr.io", secretStore } = options;
  const component = {
    apiVersion: `${componentApiGroup}/${API_VERSION}`,
    kind: "Component",
    metadata: { name: options.name },
    spec: {
      type: vocabulary === "vendor" ? VENDOR_COMPONENT_TYPE : COMPONENT_TYPE,
      version: "v1",
      metadata: DOCUMENT_FIELDS.flatMap((field) => entryOf(field, binding, options) ?? []),
    },
    ...(secretStore !== undefined && { auth: { secretStore } }),
  };
  return options.format === "json" ? `${JSON.stringify(component, null, 2)}\n` : yamlOf(component);
}

function entryOf(
  field: DocumentField,
  binding: ResolvedBinding,
  { vocabulary = "current", secretReferences = {} }: WriteOptions,
): Entry | undefined {
  const name = FIELD_NAMES[field][vocabulary];
  if (field === "accessKey" || field === "cloudClientSecret") {
    const secretKeyRef = secretReferences[field];
    if (secretKeyRef) return { name, secretKeyRef };
  }
  // The earlier release has no such field: there the fields tell the direction.
  if (field === "direction" && vocabulary === "earlier") return undefined;
  if (field === "cloudEnvironment") {
    const { cloudEnvironment: cloud } = binding;
    if (cloud === "public") return undefined;
    return { name, value: vocabulary === "vendor" ? VENDOR_CLOUDS[cloud] : cloud };
  }
  const values: Partial<Record<DocumentField, string>> = binding;
  const value = values[field];
  return value === undefined ? undefined : { name, value };
}

function unsayable(binding: ResolvedBinding, options: WriteOptions): DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  const { secretReferences = {}, name } = options;
  if (!isComponentName(name)) {
    const message = `name ${COMPONENT_NAME_RULE}, but is ${shownValue(name)}`;
    problems.push({ rule: "shape", message });
  }
  if (
    "writer" in binding &&
    binding.cloudClientSecret === undefined &&
    secretReferences.cloudClientSecret === undefined
  ) {
    const message =
      "cloudClientSecret is required in a component document with an input direction: " +
      "give it in the props, or say where it lies (secretReferences)";
    problems.push({ field: "cloudClientSecret", rule: "required", message });
  }
  if ("publishWith" in binding && binding.publishWith === "entra") {
    const message = 'a component publishes with the access key: it cannot say publishWith "entra"';
    problems.push({ field: "publishWith", rule: "unused", message });
  }
  return problems;
}

/** Values are quoted whatever they are: the component takes no numbers. */
function yamlOf(component: object): string {
  const document = new Document(component);
  visit(document, {
    Pair(_, { key, value }) {
      if (isScalar(key) && key.value === "value" && isScalar(value)) value.type = "QUOTE_DOUBLE";
    },
  });
  // Values are never folded: a placeholder in one must stay in one piece.
  return document.toString({ lineWidth: 0 });
}
