import {
  defaultSubscriptionName,
  showName,
  statedProblem,
  withoutRandomWords,
} from "cloud-eventgrid-binding-runtime/internal";
import {
  type Component,
  type Environment,
  type EnvironmentBinding,
  isOtherDocument,
  isPullBinding,
  isValid,
  readComponents,
  readEnvironmentBinding,
  readPullBinding,
  type Source,
} from "../bindings/index.js";
import {
  type DirectionSummary,
  summarizeBinding,
  summarizeProps,
  summarizePull,
} from "./summary.js";

export interface Finding {
  readonly line?: number;
  readonly field?: string;
  readonly rule?: string;
  readonly message: string;
}

export interface CheckedBinding {
  /** The file, or the environment's prefix. */
  readonly source: string;
  readonly component?: string;
  readonly valid: boolean;
  readonly problems: readonly Finding[];
  readonly warnings: readonly Finding[];
  readonly directions: readonly DirectionSummary[];
}

/**
 * Checks the component documents of files, in the given order.
 *
 * @returns the results, and the files of folders that contain no Event Grid binding
 */
export function checkSources(sources: readonly Source[]) {
  const skipped: string[] = [];
  const results = sources.flatMap(({ file, text, isOfFolder }) => {
    const components = readComponents(text, file);
    const [first] = components;
    if (isOfFolder && first !== undefined && isOtherDocument(first)) {
      skipped.push(file);
      return [];
    }
    const adopted = readComponents(text, file, { existingSubscription: true });
    return components.map((component, index) => checked(judgeName(component, adopted[index])));
  });
  return { results, skipped };
}

/**
 * A document may have a name that only an existing event subscription can have. Without a name of its
 * own, the event subscription gets the component's, which Azure may refuse.
 */
function judgeName(component: Component, adopted: Component | undefined): Component {
  if (adopted === undefined) return component;
  if (!isValid(component)) {
    const { problems } = component;
    const isName = ({ field }: (typeof problems)[number]) => field === "eventSubscriptionName";
    if (!problems.some(isName) || adopted.problems.some(isName)) return component;
    return { ...adopted, warnings: [...adopted.warnings, ...problems.filter(isName)] };
  }
  const { name, props } = component;
  const byDefault = defaultSubscriptionName(name);
  if (byDefault === name || props.scope === undefined || props.eventSubscriptionName !== undefined)
    return component;
  const message = `Azure refuses the name ${showName(name)} for the event subscription, which is ${showName(byDefault)} instead: set eventSubscriptionName for another`;
  const warning = statedProblem("metadata.name", { "service-name": message });
  return { ...component, warnings: [...component.warnings, warning] };
}

/** Checks the bindings that environment variables with these prefixes define. */
export function checkEnvironments(prefixes: readonly string[], env: Environment): CheckedBinding[] {
  return prefixes.map((prefix) =>
    isPullBinding(prefix, env)
      ? checkedEnvironment(readPullBinding(prefix, env), summarizePull)
      : checkedEnvironment(readEnvironmentBinding(prefix, env), summarizeBinding),
  );
}

/** The result for a component document that has been read. */
export function checked(component: Component): CheckedBinding {
  const { file, name, problems, warnings } = component;
  const directions =
    component.props === undefined ? [] : summarizeProps(component.props, component.name);
  return {
    source: file,
    ...(name !== undefined && { component: showName(name) }),
    valid: problems.length === 0,
    problems,
    warnings,
    directions: directions.map(withoutSecrets),
  };
}

function checkedEnvironment<Binding>(
  { prefix, binding, problems }: EnvironmentBinding<Binding>,
  summarize: (binding: Binding) => DirectionSummary[],
): CheckedBinding {
  return {
    source: `${showName(prefix)}_…`,
    valid: problems.length === 0,
    problems,
    warnings: [],
    directions: binding === undefined ? [] : summarize(binding).map(withoutSecrets),
  };
}

/** Many names and paths are valid, also a secret that was put into the wrong place. */
function withoutSecrets({ direction, facts }: DirectionSummary): DirectionSummary {
  const shown = Object.entries(facts).map(([name, fact]) => [name, withoutRandomWords(fact)]);
  return { direction, facts: Object.fromEntries(shown) };
}
