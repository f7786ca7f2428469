import type { Checks, Problem } from "cloud-eventgrid-binding-runtime/internal";
import type { IConstruct } from "constructs";
import { defined, withTextTokens } from "../terraform/index.js";
import { group } from "./checks.js";

/** The props of a construct, and what is wrong with them. */
export interface Validated<Props> {
  /** Without the props that cannot be used at all, such as an object in the place of a list. */
  readonly props: Props;
  readonly problems: readonly Problem[];
}

/**
 * Validates a construct's props. Untyped tokens such as `variable.value` become strings first. Unknown
 * names are reported, which the compiler overlooks in objects that are spread into props.
 *
 * @param meaningOf explains an unknown name that means something elsewhere
 */
export function validated<Props extends object>(
  rawProps: Props,
  checks: Checks<Props>,
  meaningOf?: (name: string) => string | undefined,
): Validated<Props> {
  const props = withTextTokens(rawProps);
  const problems = group(checks, defined({ meaningOf })).problems("", props);
  const unusable = problems.filter(({ rule }) => rule === "type" || rule === "known-early");
  const usable = Object.entries(props).filter(
    ([name]) => !unusable.some(({ field }) => /^[^.[]*/.exec(field)?.[0] === name),
  );
  return { props: Object.fromEntries(usable) as Props, problems };
}

/** The problems of a method's options, named after the method. */
export function named(method: string, problems: readonly Problem[]): Problem[] {
  return problems.map((problem) => ({ ...problem, message: `${method}: ${problem.message}` }));
}

const reports = new WeakMap<IConstruct, (() => readonly Problem[])[]>();

/** Has synthesis fail with the problems that there are by then. */
export function report(construct: IConstruct, problems: () => readonly Problem[]): void {
  const all = reports.get(construct) ?? [];
  reports.set(construct, [...all, problems]);
  construct.node.addValidation({ validate: () => problems().map(({ message }) => message) });
}

/** The problems that synthesis reports for a construct. */
export function reportedBy(construct: IConstruct): Problem[] {
  return (reports.get(construct) ?? []).flatMap((problems) => problems());
}
