import { describe, expect, it } from "vitest";
import { placeFromEnvironment } from "../../examples/place.js";
import { Synthesized, testApp } from "../support/synthesized.js";
import { describeWithTerraform } from "../terraform/with-terraform.js";
import { live, sourceExamples } from "./source-examples.js";

describe("the stack of each source", () => {
  it.each(sourceExamples)("$family is synthesized with the events it is about", (example) => {
    const stack = new example.stack(testApp(), "example", placeFromEnvironment({}));
    const made = new Synthesized(stack);
    const subscription = made.one("azurerm_eventgrid_event_subscription");
    expect(subscription.included_event_types).toContain(example.event);
    expect(made.warnings).toEqual([]);
  });
});

/** The others are deployed by `sources.full.test.ts`. */
const quick = sourceExamples.filter(({ family }) =>
  ["object-storage", "message-queue"].includes(family),
);

describeWithTerraform("a source, deployed", () => {
  it.each(quick)(
    "$family delivers its events to its service, and only those asked for",
    live,
    120_000,
  );
});
