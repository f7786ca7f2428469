import { describe, expect, it } from "vitest";
import { importsOf } from "../../architecture/imports.js";

describe("the command starts at once", () => {
  it("because it loads Node's own modules, and three small ones of the contract", () => {
    const loaded = importsOf("runtime/src/cli")
      .filter(({ typeOnly }) => !typeOnly)
      .map(({ target }) => target)
      .filter((target) => !target.startsWith("node:") && !target.startsWith("runtime/src/cli/"));
    expect([...new Set(loaded)].sort()).toEqual([
      "runtime/src/binding/cloud-environment.js",
      "runtime/src/binding/endpoint.js",
      "runtime/src/binding/shown-value.js",
    ]);
  });
});
