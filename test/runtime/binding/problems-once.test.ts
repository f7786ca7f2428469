import { inspect } from "node:util";
import { bindingFromEnvironment } from "cloud-eventgrid-binding-runtime/binding";
import { defineEvents } from "cloud-eventgrid-binding-runtime/events";
import { createListener } from "cloud-eventgrid-binding-runtime/listener";
import { describe, expect, it } from "vitest";
import { inputProps } from "./example-props.js";

describe("an error that nobody catches", () => {
  it.each([
    ["of a binding", () => bindingFromEnvironment("ORDERS", { env: {} }), "ORDERS_TENANT_ID"],
    ["of a listener", () => createListener(inputProps, { on: {} }), "has no handler"],
    ["of a catalogue", () => defineEvents({}), "it has no event types"],
  ])("%s is printed with each problem once, and carries them all", (_, make, problem) => {
    let thrown: unknown;
    try {
      make();
    } catch (error) {
      thrown = error;
    }
    expect(inspect(thrown).split(problem)).toHaveLength(2);
    expect(thrown).toHaveProperty("problems.length", expect.any(Number));
  });
});
