import {
  BindingConfigurationError,
  type ValidationOptions,
  validateBinding,
} from "cloud-eventgrid-binding-runtime/binding";
import { ComponentDocumentError } from "cloud-eventgrid-binding-runtime/document";

/** What a user reads about a set of props. */
export function messagesFor(props: unknown, options?: ValidationOptions): string[] {
  return validateBinding(props, options).map((problem) => problem.message);
}

/** What a user reads in the error that a call throws, problem by problem. */
export function messagesOf(run: () => unknown): string[] {
  try {
    run();
  } catch (error) {
    if (error instanceof BindingConfigurationError) return error.problems.map((p) => p.message);
    if (error instanceof ComponentDocumentError) {
      return error.problems.map(({ line, message }) => `${line ?? "-"}: ${message}`);
    }
    throw error;
  }
  throw new Error("nothing was thrown");
}
