import type { TerraformStack } from "cdktf";
import { CloudEventGridBinding, type CloudEventGridBindingProps } from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";
import { problemsOf } from "../support/synthesized.js";
import { received } from "./fixtures.js";

type Build = (scope: TerraformStack) => void;

/** What is given, and everything that synthesis says about it. */
export type Wrong = readonly [what: string, build: Build, messages: readonly string[]];

/** A binding with props as plain JavaScript gives them, which no compiler has looked at. */
export function create(scope: TerraformStack, props: object): CloudEventGridBinding {
  return new CloudEventGridBinding(scope, "orders", props as CloudEventGridBindingProps);
}

/** A binding that would be right but for the change. */
export function binding(change: object): Build {
  return (scope) => {
    create(scope, { ...received, ...change });
  };
}

/** One test per wrong input. */
export function describeWrong(subject: string, inputs: readonly Wrong[]): void {
  describe(`wrong input: ${subject}`, () => {
    it.each(inputs)("%s", (_what, build, messages) => {
      expect(problemsOf(build)).toEqual(messages);
    });
  });
}
