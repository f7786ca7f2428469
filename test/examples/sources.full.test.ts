import { it } from "vitest";
import { describeWithTerraform } from "../terraform/with-terraform.js";
import { expectDelivery, sourceExamples } from "./source-examples.js";

describeWithTerraform("a deployed source example", () => {
  it.each(sourceExamples)(
    "delivers only the matching events of $family to its service",
    expectDelivery,
  );
});
