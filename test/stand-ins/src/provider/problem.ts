/** An error or warning for the user, with its place in the configuration if it has one. */
export interface Problem {
  readonly severity?: "ERROR" | "WARNING";
  readonly summary: string;
  readonly detail?: string;
  /** Attribute and block names, and indexes of lists, from the top of the configuration. */
  readonly path?: readonly (string | number)[];
}

/** Converts a problem to the protocol's diagnostic. */
export function toDiagnostic({ severity = "ERROR", summary, detail = "", path = [] }: Problem) {
  return {
    severity,
    summary,
    detail,
    ...(path.length > 0 && { attribute: toAttributePath(path) }),
  };
}

/** A place in a configuration as the protocol writes it. */
export function toAttributePath(path: readonly (string | number)[]) {
  return {
    steps: path.map((step) =>
      typeof step === "number" ? { element_key_int: step } : { attribute_name: step },
    ),
  };
}

/** Converts an error to a problem. */
export function toProblem(error: unknown): Problem {
  return { summary: error instanceof Error ? error.message : String(error) };
}
