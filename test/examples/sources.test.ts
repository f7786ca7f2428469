import { describe, expect, it } from "vitest";
import { placeFromEnvironment } from "../../examples/place.js";
import { Synthesized, testApp } from "../support/synthesized.js";
import { sourceExamples } from "./source-examples.js";

describe("the stack of a source example", () => {
  it.each(sourceExamples)("subscribes to the events of $family, without a warning", (example) => {
    const stack = new example.stack(testApp(), "example", placeFromEnvironment({}));
    const made = new Synthesized(stack);
    const subscription = made.one("azurerm_eventgrid_event_subscription");
    expect(subscription.included_event_types).toContain(example.event);
    expect(made.warnings).toEqual([]);
  });
});
