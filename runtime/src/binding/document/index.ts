/**
 * Component documents: the YAML or JSON in which a sidecar runtime declares a binding. They are
 * read into props and written from them. On a subpath of its own, so that only who deals in
 * documents loads the YAML parser.
 */
export { ComponentDocumentError, type DocumentProblem, type DocumentRule } from "./problem.js";
export {
  type ComponentDocument,
  type ReadOptions,
  readComponentDocument,
} from "./read.js";
export type { ResolveSecret, SecretReference } from "./secret-reference.js";
export type { Vocabulary } from "./vocabulary.js";
export { type WriteOptions, writeComponentDocument } from "./write.js";
