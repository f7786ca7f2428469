import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as routes from "cloud-eventgrid/routes";
import * as constructs from "cloud-eventgrid-binding";
import * as runtime from "cloud-eventgrid-binding-runtime";
import * as documents from "cloud-eventgrid-binding-runtime/document";
import * as events from "cloud-eventgrid-binding-runtime/events";
import * as postgres from "cloud-eventgrid-binding-runtime/postgres";
import * as redis from "cloud-eventgrid-binding-runtime/redis";
import { expect, it } from "vitest";
import { root } from "../support/project.js";

it("docs/options.md lists every exported error class, with its code", () => {
  const [, page = ""] = readFileSync(join(root, "docs/options.md"), "utf8").split("\n## Errors\n");
  const rows = [...page.matchAll(/^\| `(\w+)` \| `(.*?)`/gm)];
  const described = rows.map(([, name = ""]) => name);
  const entries = [runtime, documents, events, postgres, redis, routes];
  const classes = [...entries, constructs, constructs.sources]
    .flatMap((all) => Object.entries<unknown>(all))
    .filter((entry): entry is [string, new (...args: unknown[]) => { readonly code: string }] =>
      isErrorClass(entry[1]),
    );
  const exported = classes.map(([name]) => name);
  expect(exported).toContain("ConfigurationError");
  expect(described.toSorted()).toEqual([...new Set(exported)].toSorted());
  const codes = new Map(classes.map(([name, Class]) => [name, new Class([], []).code]));
  for (const [, name = "", code = ""] of rows)
    if (!code.endsWith("…")) expect([name, codes.get(name)]).toEqual([name, code]);
});

it("docs/publisher.md lists every code of a PublishError", () => {
  const page = readFileSync(join(root, "docs/publisher.md"), "utf8");
  const source = readFileSync(join(root, "runtime/src/publisher/errors.ts"), "utf8");
  const [, union = ""] = source.split("export type PublishErrorCode =");
  const codes = [...union.matchAll(/"(ERR_\w+)"/g)].map(([, code = ""]) => code);
  expect(codes.length).toBeGreaterThan(0);
  expect(codes.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
});

function isErrorClass(value: unknown): boolean {
  return (
    typeof value === "function" &&
    Reflect.get(value, "prototype") instanceof events.CloudEventGridError
  );
}
