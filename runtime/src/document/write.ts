import {
  type BindingProps,
  type NamedField,
  type ResolvedBinding,
  resolveBinding,
  type ValidationOptions,
  type Vocabulary,
} from "../binding/index.js";
import { type Problem, problem } from "../errors.js";
import { problemsOf } from "../validation/index.js";
import { API_VERSION, COMPONENT_TYPE, componentNameRule, VENDOR_COMPONENT_TYPE } from "./header.js";
import { documentFields, nameIn, type SecretReference, VENDOR_CLOUDS } from "./metadata.js";
import { documentError, yaml } from "./source.js";

/** How a component document is written. */
export interface WriteOptions extends ValidationOptions {
  /** The component's name. */
  readonly name: string;
  /** The field names to use. A Dapr sidecar reads `"vendor"`. @default "current" */
  readonly vocabulary?: Vocabulary;
  /** API group of the runtime's components. @default "dapr.io" */
  readonly componentApiGroup?: string;
  /** @default "yaml" */
  readonly format?: "yaml" | "json";
  /** Secrets to refer to instead of writing their values. @default values are written */
  readonly secretReferences?: {
    readonly accessKey?: SecretReference;
    readonly cloudClientSecret?: SecretReference;
  };
  /** Store of the references. @default the sidecar runtime's default */
  readonly secretStore?: string;
}

type Entry =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly secretKeyRef: SecretReference };

/**
 * Writes props as a component document, which {@link readComponentDocument} reads back.
 *
 * @throws {ConfigurationError} when the props are not valid, or a document cannot express them:
 * `publishWith: "entra"`, or an input direction without a client secret
 */
export function writeComponentDocument(props: BindingProps, options: WriteOptions): string {
  const binding = resolveBinding(props, options);
  const problems = inexpressible(binding, options);
  if (problems.length > 0) throw documentError(problems);

  const { vocabulary = "current", componentApiGroup = "dapr.io", secretStore } = options;
  const isShared = (field: NamedField) => field.direction === "both";
  const entries = [
    ...documentFields.filter((field) => !isShared(field)),
    ...documentFields.filter(isShared),
  ];
  const component = {
    apiVersion: `${componentApiGroup}/${API_VERSION}`,
    kind: "Component",
    metadata: { name: options.name },
    spec: {
      type: vocabulary === "vendor" ? VENDOR_COMPONENT_TYPE : COMPONENT_TYPE,
      version: "v1",
      metadata: entries.flatMap((field) => entryOf(field, binding, options) ?? []),
    },
    ...(secretStore !== undefined && { auth: { secretStore } }),
  };
  return options.format === "json" ? `${JSON.stringify(component, null, 2)}\n` : yamlOf(component);
}

function entryOf(
  field: NamedField,
  binding: ResolvedBinding,
  { vocabulary = "current", secretReferences = {} }: WriteOptions,
): Entry | undefined {
  const name = nameIn(vocabulary, field);
  if (name === undefined) return undefined;
  const references: Readonly<Record<string, SecretReference>> = secretReferences;
  const secretKeyRef = references[field.name];
  if (secretKeyRef) return { name, secretKeyRef };
  const values: Readonly<Record<string, string>> = { ...binding };
  const value = values[field.name];
  if (value === undefined || value === field.defaultValue) return undefined;
  const isCloud = field.name === "cloudEnvironment" && vocabulary === "vendor";
  return { name, value: isCloud ? VENDOR_CLOUDS[binding.cloudEnvironment] : value };
}

function inexpressible(binding: ResolvedBinding, options: WriteOptions): Problem[] {
  const { secretReferences = {}, name } = options;
  const problems: Problem[] = [...problemsOf(componentNameRule, "name", name)];
  if (
    "writer" in binding &&
    binding.cloudClientSecret === undefined &&
    secretReferences.cloudClientSecret === undefined
  ) {
    const message =
      "is required in a component document with an input direction: " +
      "set it in the props, or refer to it with secretReferences";
    problems.push(problem("cloudClientSecret", { required: message }));
  }
  if ("publishWith" in binding && binding.publishWith === "entra") {
    const message =
      'cannot be "entra" in a component document: components publish with the access key';
    problems.push(problem("publishWith", { unused: message }));
  }
  return problems;
}

/** Quotes every value, because components accept strings only. */
function yamlOf(component: object): string {
  const document = new (yaml().Document)(component);
  yaml().visit(document, {
    Pair(_, { key, value }) {
      if (yaml().isScalar(key) && key.value === "value" && yaml().isScalar(value))
        value.type = "QUOTE_DOUBLE";
    },
  });
  // Values are not folded, so that a token in one stays intact.
  return document.toString({ lineWidth: 0 });
}
