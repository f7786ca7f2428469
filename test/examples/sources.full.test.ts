import { it } from "vitest";
import { describeWithTerraform } from "../terraform/with-terraform.js";
import { expectDelivery, isQuick, sourceExamples } from "./source-examples.js";

describeWithTerraform("each other deployed source example", () => {
  it.each(sourceExamples.filter((each) => !isQuick(each)))(
    "delivers only the matching events of $family to its service",
    expectDelivery,
  );
});
