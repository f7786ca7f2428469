import { it } from "vitest";
import { describeWithTerraform } from "../terraform/with-terraform.js";
import { live, sourceExamples } from "./source-examples.js";

describeWithTerraform("each source, deployed", () => {
  it.each(sourceExamples)(
    "$family delivers its events to its service, and only those asked for",
    live,
    120_000,
  );
});
