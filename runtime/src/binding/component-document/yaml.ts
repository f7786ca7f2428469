import { documentError } from "./component-document-error.js";

/**
 * The YAML parser, which reads JSON as well. An optional peer: most services never read or write a
 * document.
 *
 * @throws {ConfigurationError} when it is not installed
 */
export function yaml(): typeof import("yaml") {
  // Bundlers accept that an optional package is missing only if `require` is in a `try`.
  try {
    return require("yaml");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND")) {
      throw error;
    }
    const message = "the package yaml is not installed: npm install yaml";
    const headline = "Component documents cannot be read or written";
    throw documentError([{ field: "yaml", rule: "installed", message }], { headline });
  }
}
