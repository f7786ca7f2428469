import type { BindingProps } from "cloud-eventgrid-binding-runtime/binding";
import {
  ComponentDocumentError,
  type DocumentProblem,
  readComponentDocument,
  type SecretReference,
} from "cloud-eventgrid-binding-runtime/document";
import { parseAllDocuments } from "yaml";

/** One component document of a file, or the reasons why it cannot be read. */
export interface Component {
  readonly file: string;
  /** The component's name, when it can be read. */
  readonly name?: string;
  /** The binding's props. A secret that the document refers to has a placeholder as its value. */
  readonly props?: BindingProps;
  readonly problems: readonly DocumentProblem[];
  readonly warnings: readonly DocumentProblem[];
  /** The secrets that the document refers to, by field. */
  readonly references: Readonly<Partial<Record<SecretField, SecretReference>>>;
}

/** The fields that hold secrets. */
export type SecretField = "accessKey" | "cloudClientSecret";

export interface ComponentOptions {
  /** @see ReadOptions.writer */
  readonly writer?: "deployer" | "client";
  /** @see ReadOptions.existingSubscription */
  readonly existingSubscription?: boolean;
}

/** Reads every Event Grid binding of a text with one or several documents. */
export function readComponents(
  text: string,
  file: string,
  options: ComponentOptions = {},
): Component[] {
  const names = bindingNames(text);
  if (names.length < 2) return [readComponent(text, file, options)];
  return names.map((component) => readComponent(text, file, { ...options, component }));
}

function readComponent(
  text: string,
  file: string,
  options: ComponentOptions & { readonly component?: string },
): Component {
  const placeholders = new Map<string, SecretReference>();
  const resolveSecret = ({ name, key }: SecretReference) => {
    const placeholder = `reference-${placeholders.size + 1}`;
    placeholders.set(placeholder, { name, key });
    return placeholder;
  };
  try {
    const { name, props, warnings } = readComponentDocument(text, { ...options, resolveSecret });
    const accessKey = placeholders.get(props.accessKey ?? "");
    const cloudClientSecret = placeholders.get(props.cloudClientSecret ?? "");
    const references = {
      ...(accessKey && { accessKey }),
      ...(cloudClientSecret && { cloudClientSecret }),
    };
    const plain = plainSecrets(props, references);
    return { file, name, props, problems: [], warnings: [...warnings, ...plain], references };
  } catch (error) {
    if (!(error instanceof ComponentDocumentError)) throw error;
    const { warnings } = error;
    const problems = error.problems.map(namingOptions);
    const name = options.component;
    return { file, ...(name !== undefined && { name }), problems, warnings, references: {} };
  }
}

/** The option of the runtime has a name of its own on the command line. */
function namingOptions(problem: DocumentProblem): DocumentProblem {
  const message = problem.message.replace(
    "(existingSubscription)",
    "(convert --adopt, synth --adopted)",
  );
  return { ...problem, message };
}

function plainSecrets(
  props: BindingProps,
  references: Component["references"],
): (DocumentProblem & { readonly rule: "secret" })[] {
  const fields: readonly SecretField[] = ["accessKey", "cloudClientSecret"];
  return fields
    .filter((field) => props[field] !== undefined && references[field] === undefined)
    .map((field) => ({
      field,
      rule: "secret",
      message: `${field} is in the document as plain text: use a secretKeyRef`,
    }));
}

/** The names of the Event Grid bindings in a text, as far as it can be parsed. */
function bindingNames(text: string): string[] {
  return parseAllDocuments(text).flatMap((document) => {
    const type = document.getIn(["spec", "type"]);
    const name = document.getIn(["metadata", "name"]);
    const isBinding = /^bindings\.(cloud|azure)\.eventgrid$/i.test(String(type));
    return isBinding && typeof name === "string" ? [name] : [];
  });
}
