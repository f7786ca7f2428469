import {
  type Problem,
  type ValidationOptions,
  validateBinding,
} from "cloud-eventgrid-binding-runtime";
import { ConfigurationError } from "cloud-eventgrid-binding-runtime/internal";

/** The problems of props, each as its field and rule. */
export function problemsWith(props: unknown, options?: ValidationOptions): string[] {
  return validateBinding(props, options).map(fieldAndRule);
}

/** The problems that a call reports in its error, each as its field and rule. */
export function problemsOf(run: () => unknown): string[] {
  return errorOf(run).problems.map(fieldAndRule);
}

/** The error that a call throws because of an invalid configuration. */
export function errorOf(run: () => unknown): ConfigurationError {
  try {
    run();
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

/** As `12 scope: uuid` for a problem on line 12 of a document. */
function fieldAndRule({ field, rule, ...other }: Problem): string {
  return `${"line" in other ? `${other.line} ` : ""}${field}: ${rule}`;
}
