import { type EnvironmentField, variableName } from "./environment-variables.js";
import { fieldProblem } from "./field-rules.js";
import type { BindingProblem } from "./problem.js";

/** The variables of a process, or something of the same form. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads one binding's variables, and collects what is wrong with them. */
export class EnvironmentReader {
  readonly problems: BindingProblem[] = [];
  readonly #prefix: string;
  readonly #env: Environment;

  constructor(prefix: string, env: Environment) {
    this.#prefix = prefix;
    this.#env = env;
  }

  /** The value, or undefined when the variable is not set. */
  optional(field: EnvironmentField): string | undefined {
    const variable = variableName(this.#prefix, field);
    const value = this.#env[variable];
    // An empty variable is how many platforms write one that is not set.
    if (value === undefined || value === "") return undefined;
    const problem = fieldProblem(field, value, { shownAs: variable });
    if (problem) this.problems.push(problem);
    return value;
  }

  /** The value; when the variable is not set, that is a problem. */
  required(field: EnvironmentField, why: string): string {
    const value = this.optional(field);
    if (value !== undefined) return value;
    const variable = variableName(this.#prefix, field);
    const message = `${variable} is not set; it is required ${why}`;
    this.problems.push({ field: variable, rule: "required", message });
    return "";
  }

  /** The value when it is one of a few; undefined when it is not set or none of them. */
  choice<Choice extends string>(
    field: EnvironmentField,
    isChoice: (value: unknown) => value is Choice,
  ): Choice | undefined {
    const value = this.optional(field);
    return isChoice(value) ? value : undefined;
  }
}
