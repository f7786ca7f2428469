import { nearName } from "cloud-eventgrid-binding-runtime/binding";
import { describe, expect, it } from "vitest";

const known = ["path", "limits", "fetch", "timeoutMs"];

describe("the name that a misspelt one is meant for", () => {
  it.each([
    ["timeoutms", "timeoutMs"],
    ["timeout", "timeoutMs"],
    ["timeOutInMs", "timeoutMs"],
    ["timoeutMs", "timeoutMs"],
    ["limit", "limits"],
    ["time", undefined],
    ["limtis", "limits"],
    ["limist", "limits"],
    ["milits", undefined],
    ["tiemuotMs", "timeoutMs"],
    ["time0utMx", "timeoutMs"],
    ["tm0utMs", undefined],
    ["fetcher", undefined],
    ["watch", undefined],
    ["batch", undefined],
    ["Path", "path"],
    ["paths", undefined],
    ["", undefined],
  ])("%s", (name, meant) => {
    expect(nearName(name, known)).toBe(meant);
  });
});
