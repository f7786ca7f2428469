/**
 * Component documents: the YAML or JSON in which a sidecar runtime declares a binding. They are read
 * into props and written from them. A subpath of its own, so that only its users load a YAML parser.
 */

export type { SecretReference } from "./metadata.js";
export {
  type ComponentDocument,
  type ReadOptions,
  type ResolveSecret,
  readComponentDocument,
} from "./read.js";
export { type WriteOptions, writeComponentDocument } from "./write.js";
