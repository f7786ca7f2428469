import type { TerraformStack } from "cdktf";
import { CloudEventGridBinding, type CloudEventGridBindingProps } from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";
import { reportedBy } from "../../lib/validation/index.js";
import { stackWithProviders, synthesize } from "../support/synthesized.js";
import { received } from "./fixtures.js";

type Build = (scope: TerraformStack) => void;

/** A title, the constructs to create, and the problems that synthesis reports. */
export type Case = readonly [title: string, build: Build, problems: readonly string[]];

/** Creates a binding with props that the compiler has not checked. */
export function create(scope: TerraformStack, props: object): CloudEventGridBinding {
  return new CloudEventGridBinding(scope, "orders", props as CloudEventGridBindingProps);
}

/** A valid binding that receives events, with a change. */
export function binding(change: object): Build {
  return (scope) => {
    create(scope, { ...received, ...change });
  };
}

/** Every problem that synthesis reports, as "field: rule". */
export function problemsOf(build: Build): string[] {
  const stack = stackWithProviders();
  build(stack);
  const problems = stack.node.findAll().flatMap(reportedBy);
  if (problems.length > 0) expect(() => synthesize(stack)).toThrow(problems[0]?.message);
  return problems.map(({ field, rule }) => `${field}: ${rule}`);
}

/** The messages of all problems that synthesis reports. */
export function messagesOf(build: Build): string[] {
  const stack = stackWithProviders();
  build(stack);
  return stack.node.findAll().flatMap((one) => reportedBy(one).map(({ message }) => message));
}

/** Declares a test for each case. */
export function describeProblems(subject: string, cases: readonly Case[]): void {
  describe(subject, () => {
    it.each(cases)("%s", (_title, build, problems) => {
      expect(problemsOf(build)).toEqual(problems);
    });
  });
}
