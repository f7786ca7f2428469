import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sources } from "cloud-eventgrid-binding";
import { systemEventTypes } from "cloud-eventgrid-binding-runtime/events";
import { expect, it } from "vitest";
import { root } from "../support/project.js";

const page = (name: string) => readFileSync(join(root, "docs", name), "utf8");

it("docs/sources.md has a row for each source", () => {
  const rows = [...page("sources.md").matchAll(/^\| `sources\.(\w+)\(/gm)].map(([, name]) => name);
  expect(rows.toSorted()).toEqual(
    Object.keys(sources)
      .filter((name) => name !== "resource")
      .toSorted(),
  );
});

it("the pages count the services and their event types as they are", () => {
  const services = Object.keys(systemEventTypes).length;
  const types = Object.values(systemEventTypes).flat().length;
  const counted = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && !name.startsWith("contributing"))
    .flatMap((name) => [...page(name).matchAll(/(?:(\d+) types of )?(\d+) services/g)]);
  expect(counted.length).toBeGreaterThan(1);
  for (const [text, ofTypes = String(types), ofServices] of counted) {
    expect([text, ofTypes, ofServices]).toEqual([text, String(types), String(services)]);
  }
});
