import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { areas } from "../../tools/mutation/areas.js";
import { root } from "../support/project.js";

/** Folders of tests that have no counterpart: what tests share, and subjects that cross folders. */
const OF_THEIR_OWN = [
  /\/(__snapshots__|fixtures|support)$/,
  // What Event Grid documents, row by row, and the shapes of all answers.
  /^test\/local\/(parity|responses)(\/|$)/,
  // Runs of several processes.
  /^test\/runtime\/postgres\/proof$/,
  // What the identity that applies must be allowed.
  /^test\/lib\/roles\/permissions$/,
];

/** Whoever changes `x/y.ts` finds `y.test.ts` or `y/` in the folder of tests that mirrors `x`. */
it("finds a source file or folder for each folder of tests", () => {
  const folders = ["cli", "lib", "local", "runtime"].flatMap((area) =>
    readdirSync(join(root, "test", area), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ parentPath, name }) =>
        join(parentPath, name).slice(root.length).replaceAll("\\", "/"),
      ),
  );
  expect(folders.length).toBeGreaterThan(40);
  const homeless = folders.filter((folder) => {
    const path = folder.slice("test/".length);
    const inSources = path.replace(/^(cli|local|runtime)\//, "$1/src/");
    const places = [path, inSources, `${inSources}.ts`];
    return (
      !OF_THEIR_OWN.some((one) => one.test(folder)) &&
      !places.some((place) => existsSync(join(root, place)))
    );
  });
  expect(homeless).toEqual([]);
});

it("finds each file and test of the areas of the mutation tester", () => {
  const paths = Object.values(areas).flatMap(({ files, tests }) => [...files, ...tests]);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
