import { Tokenization } from "cdktf";
import type { IConstruct } from "constructs";
import { withTextTokens } from "../terraform/index.js";
import { type Known, unknownOptions, unknownProps } from "./unknown-names.js";
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
  if (isObject(given) && !Tokenization.isResolvable(given)) {
    const props = fieldsOf(given, known);
    return { props, problems: unknownProps(construct, props, known) };
  }
  const problem = `the props must be an object, but are ${received(withTextTokens(given))}`;
  return { props: {} as Props, problems: [problem] };
}

/** What props say, whatever they are an instance of: a class may have some of them by getters. */
function fieldsOf<Props extends object>(given: Props, known: Known): Props {
  const inherited = Object.keys(known).filter((name) => name in given);
  const names = [...new Set([...Object.keys(given), ...inherited])];
  const fields = names.map((name) => [name, withTextTokens(Reflect.get(given, name))] as const);
  return Object.fromEntries(fields) as Props;
}

/** What is wrong with how options are given, which nobody else reads. */
export function optionProblems(options: unknown, known: Known): string[] {
  if (isObject(options)) return unknownOptions(options, known);
  return [`the options must be an object, but are ${received(options)}`];
}
