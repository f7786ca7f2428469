import {
  type Component,
  type Environment,
  type EnvironmentBinding,
  readComponents,
  readEnvironmentBinding,
} from "../definitions/index.js";
import { readText } from "../files.js";
import { type DirectionSummary, summarizeBinding, summarizeProps } from "./summary.js";

/** One problem or warning. */
export interface Finding {
  readonly line?: number;
  readonly field?: string;
  readonly rule?: string;
  readonly message: string;
}

/** The result for one component document or one environment. */
export interface CheckedDefinition {
  /** The file, or the environment's prefix. */
  readonly source: string;
  readonly component?: string;
  readonly valid: boolean;
  readonly problems: readonly Finding[];
  readonly warnings: readonly Finding[];
  readonly directions: readonly DirectionSummary[];
}

/** Checks the component documents of files, in the given order. */
export function checkFiles(files: readonly string[], directory: string): CheckedDefinition[] {
  return files.flatMap((file) => {
    const text = readText(directory, file);
    const adopted = readComponents(text, file, { existingSubscription: true });
    return readComponents(text, file).map((component, index) =>
      checked(withAdoption(component, adopted[index])),
    );
  });
}

/** A document may have a name that only an existing event subscription can have. */
function withAdoption(component: Component, adopted: Component | undefined): Component {
  const onlyNames = component.problems.every(({ field }) => field === "eventSubscriptionName");
  if (!onlyNames || adopted === undefined || adopted.problems.length > 0) return component;
  return { ...adopted, warnings: [...adopted.warnings, ...component.problems] };
}

/** Checks the bindings that environment variables with these prefixes define. */
export function checkEnvironments(
  prefixes: readonly string[],
  env: Environment,
): CheckedDefinition[] {
  return prefixes.map((prefix) => checkedEnvironment(readEnvironmentBinding(prefix, env)));
}

/** The result for a component document that has been read. */
export function checked({ file, name, props, problems, warnings }: Component): CheckedDefinition {
  return {
    source: file,
    ...(name !== undefined && { component: name }),
    valid: problems.length === 0,
    problems,
    warnings,
    directions: props === undefined ? [] : summarizeProps(props, name ?? ""),
  };
}

function checkedEnvironment({ prefix, binding, problems }: EnvironmentBinding): CheckedDefinition {
  return {
    source: `${prefix}_…`,
    valid: problems.length === 0,
    problems,
    warnings: [],
    directions: binding === undefined ? [] : summarizeBinding(binding),
  };
}
