import type { IConstruct } from "constructs";
import { withTextTokens } from "./text-tokens.js";
import { type Known, unknownOptions, unknownProps } from "./unknown-props.js";
import { isObject, received } from "./value-rule.js";

/** A construct's props, and what is wrong with how they are given. */
export interface GivenProps<Props> {
  readonly props: Props;
  readonly problems: readonly string[];
}

/** The props; where plain JavaScript gives none, they are empty, so that all that misses is told. */
export function givenProps<Props extends object>(
  construct: IConstruct,
  given: Props,
  known: Known,
): GivenProps<Props> {
  const props = withTextTokens(given);
  if (isObject(props)) return { props, problems: unknownProps(construct, props, known) };
  const problem = `the props must be an object, but are ${received(props)}`;
  return { props: {} as Props, problems: [problem] };
}

/** What is wrong with how options are given, which nobody else reads. */
export function optionProblems(options: unknown, known: Known): string[] {
  if (isObject(options)) return unknownOptions(options, known);
  return [`the options must be an object, but are ${received(options)}`];
}
