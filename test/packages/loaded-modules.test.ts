import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../support/project.js";

/** The files that an entry point of the runtime package loads, as paths below `dist` or packages. */
function loadedBy(entry: string): string[] {
  const program = `require(${JSON.stringify(`cloud-eventgrid-binding-runtime/${entry}`.replace(/\/$/, ""))});
    console.log(JSON.stringify(Object.keys(require.cache)))`;
  const output = execFileSync(process.execPath, ["-e", program], { cwd: root, encoding: "utf8" });
  return JSON.parse(output);
}

const inside = (folder: string) => (file: string) => file.includes(join("dist", folder, "/"));

it("a service that pulls events loads neither Fastify nor the listener", () => {
  const files = loadedBy("receiver");
  expect(files.some(inside("receiver"))).toBe(true);
  expect(files.filter(inside("listener"))).toEqual([]);
  expect(files.filter(inside("publisher"))).toEqual([]);
  expect(files.filter((file) => /node_modules\/(fastify|undici)\//.test(file))).toEqual([]);
});

it.each(["", "listener", "receiver", "publisher", "redis", "testing", "fastify"])(
  "a service that imports %j loads nothing of outbox and inbox",
  (entry) => {
    expect(loadedBy(entry).filter(inside("postgres"))).toEqual([]);
  },
);

it("a service with outbox and inbox loads neither the listener nor the receiver nor pg", () => {
  const files = loadedBy("postgres");
  expect(files.some(inside("postgres"))).toBe(true);
  expect(files.filter(inside("listener"))).toEqual([]);
  expect(files.filter(inside("receiver"))).toEqual([]);
  expect(files.filter((file) => /node_modules\/(pg|@electric-sql)\//.test(file))).toEqual([]);
});

it("a service that only has a webhook loads neither the receiver nor its transport", () => {
  const files = loadedBy("listener");
  expect(files.some(inside("listener"))).toBe(true);
  expect(files.filter(inside("receiver"))).toEqual([]);
  expect(files.filter(inside("transport"))).toEqual([]);
});
