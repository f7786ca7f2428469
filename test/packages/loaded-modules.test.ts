import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../support/project.js";

const RUNTIME = "cloud-eventgrid-binding-runtime";

const ENTRIES = ["events", "internal", "redis", "fastify", "document", "postgres"];
const specifiers = [
  ...["cloud-eventgrid-binding", RUNTIME],
  ...ENTRIES.map((entry) => `${RUNTIME}/${entry}`),
];

/** The files that each module loads, as paths below `dist` or packages. */
const loaded = (() => {
  const program = `console.log(JSON.stringify(${JSON.stringify(specifiers)}.map((specifier) => {
    for (const file of Object.keys(require.cache)) delete require.cache[file];
    require(specifier);
    return [specifier, Object.keys(require.cache)];
  })))`;
  const output = execFileSync(process.execPath, ["-e", program], { cwd: root, encoding: "utf8" });
  return new Map<string, string[]>(JSON.parse(output));
})();
const loadedBy = (specifier: string) => loaded.get(specifier) ?? [];

const inside = (...folders: string[]) => {
  const paths = folders.map((folder) => join("runtime", "dist", folder, "/"));
  return (file: string) => paths.some((path) => file.includes(path));
};
const ofPackage = (pattern: string) => (file: string) =>
  new RegExp(`node_modules/(${pattern})/`).test(file);

it("a service loads no framework, no HTTP client and no database until it uses them", () => {
  const files = loadedBy(RUNTIME);
  expect(files.filter(inside("listener", "receiver", "publisher")).length).toBeGreaterThan(3);
  expect(files.filter(inside("postgres", "redis", "fastify"))).toEqual([]);
  expect(files.filter(ofPackage("fastify|undici|yaml|@azure"))).toEqual([]);
});

describe.each(["cloud-eventgrid-binding", `${RUNTIME}/events`, `${RUNTIME}/internal`])(
  "what imports %s",
  (specifier) => {
    it("loads neither the listener nor a client of Azure", () => {
      const files = loadedBy(specifier);
      expect(files.some(inside("events", "internal"))).toBe(true);
      const clients = inside("handling", "listener", "receiver", "publisher", "transport");
      expect(files.filter(clients)).toEqual([]);
      expect(files.filter(ofPackage("fastify|undici|@azure|@opentelemetry"))).toEqual([]);
    });
  },
);

it.each(["redis", "fastify", "document"])("%s loads nothing of outbox and inbox", (entry) => {
  expect(loadedBy(`${RUNTIME}/${entry}`).filter(inside("postgres"))).toEqual([]);
});

it("a service with outbox and inbox loads neither the listener nor the receiver nor pg", () => {
  const files = loadedBy(`${RUNTIME}/postgres`);
  expect(files.some(inside("postgres"))).toBe(true);
  expect(files.filter(inside("listener", "receiver"))).toEqual([]);
  expect(files.filter(ofPackage("pg|@electric-sql"))).toEqual([]);
});
