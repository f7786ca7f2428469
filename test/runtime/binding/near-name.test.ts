import { nearName } from "cloud-eventgrid-binding-runtime/binding";
import { describe, expect, it } from "vitest";

const known = ["path", "limits", "timeoutMs"];

describe("the name that a misspelt one is meant for", () => {
  it.each([
    ["timeoutms", "timeoutMs"],
    ["timeout", "timeoutMs"],
    ["timeOutInMs", "timeoutMs"],
    ["timoeutMs", "timeoutMs"],
    ["limit", "limits"],
    ["time", undefined],
    ["milits", "limits"],
    ["tilimit", undefined],
    ["Path", "path"],
    ["paths", undefined],
    ["", undefined],
  ])("%s", (name, meant) => {
    expect(nearName(name, known)).toBe(meant);
  });
});
