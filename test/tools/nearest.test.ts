import { describe, expect, it } from "vitest";
import { testsNearest } from "../../tools/tests/nearest.js";

describe("the tests nearest to a source file", () => {
  it("are the test of its name", () => {
    expect(testsNearest("runtime/src/handling/middleware.ts")).toEqual([
      "test/runtime/handling/middleware.test.ts",
    ]);
  });

  it("are those of its folder if none has its name, without the long ones", () => {
    const tests = testsNearest("lib/topic/custom-topic.ts");
    expect(tests).toContain("test/lib/topic/problems.test.ts");
    expect(tests.filter((test) => !/^test\/lib\/topic\/[^/]+\.test\.ts$/.test(test))).toEqual([]);
  });

  it("are those of the folder above if its own has none", () => {
    const tests = testsNearest("runtime/src/events/envelope/attributes.ts");
    expect(tests).toContain("test/runtime/events/envelope.test.ts");
  });

  it("are those of its subject for a command", () => {
    expect(testsNearest("cli/src/commands/convert.ts")).toEqual(["test/cli/convert.test.ts"]);
  });

  it("are the file itself for a test", () => {
    expect(testsNearest("test/runtime/time.test.ts")).toEqual(["test/runtime/time.test.ts"]);
  });
});
