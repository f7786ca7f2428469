import { describe, expect, it } from "vitest";
import { nameOf } from "./applying.js";
import { rowsByGraph, rowsByStack } from "./rows.js";
import { names, permissionRows } from "./table.js";

describe("docs/permissions.md", () => {
  it.each([
    ["By what is in the stack", rowsByStack],
    ["By use case", rowsByGraph],
  ])("lists the graphs that are tested: %s", (heading, rows) => {
    const tested = [...new Set(rows.map(({ name }) => name))];
    expect(tested).toEqual(permissionRows(heading).map(({ name }) => name));
  });

  it.each(rowsByStack)("lists the permissions that are tested: $name", ({ name, needs }) => {
    const row = permissionRows("By what is in the stack").find((each) => each.name === name);
    const { azure = [], graph = [], client = [] } = needs;
    const needed = [...azure, ...client, ...graph].map(nameOf);
    expect(needed.filter((permission) => row === undefined || !names(row, permission))).toEqual([]);
  });
});
