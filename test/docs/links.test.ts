import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../support/project.js";
import { pages } from "./snippets.js";

const examplePages = readdirSync(join(root, "examples"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".md") && !file.includes("node_modules"))
  .map((file) => join("examples", file));

/** Links to files that are not part of a published package. */
const OWN_REPOSITORY =
  /^https:\/\/github\.com\/cloud-eventgrid\/cloud-eventgrid-binding\/(tree|blob)\/main\//;

/** The line that these pages share. */
const NOTICE = `
> Not published on npm yet: [install from files](https://github.com/cloud-eventgrid/cloud-eventgrid-binding/blob/main/docs/packages.md) only.
`;

/** These name the commands to avoid, or install files. */
const NAMED_AS_UNSAFE = [
  "docs/packages.md",
  "tools/release/pack.mjs",
  "test/docs/links.test.ts",
  "test/packages/packed.full.test.ts",
];

/** Folders that are not in the repository: what is installed, built or written by tools. */
const NOT_OURS = /^(node_modules|dist|coverage|azure-report|cdktf\.out|\.terraform|\.git|\.cache)$/;

/** The files of the repository below a folder. git may not be installed. */
function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isFile()) return path;
    return entry.isDirectory() && !NOT_OURS.test(entry.name) ? filesIn(path) : [];
  });
}

/** The anchors that GitHub creates for headings, and those of the parity table's rows. */
function anchors(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replace(/\s/g, "-"),
  );
  const rows = [...text.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id = ""]) => id);
  return [...headings, ...rows];
}

function brokenLinks(page: string): string[] {
  const text = readFileSync(join(root, page), "utf8").replace(/^```[\s\S]*?^```$/gm, "");
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target.replace(OWN_REPOSITORY, "/"))
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [path = "", anchor] = target.split("#");
      const file = path === "" ? page : join(path.startsWith("/") ? "." : dirname(page), path);
      if (!existsSync(join(root, file))) return true;
      if (anchor === undefined) return false;
      return !anchors(readFileSync(join(root, file), "utf8")).includes(anchor);
    });
}

describe("the documentation", () => {
  it.each([...pages(), ...examplePages, "CHANGELOG.md", "CONTRIBUTING.md"])(
    "has no broken link in %s",
    (page) => {
      expect(brokenLinks(page)).toEqual([]);
    },
  );

  it("is where messages and help texts say", () => {
    const sources = ["lib", "runtime/src", "cli/src", "local/src", "create/src"]
      .filter((folder) => existsSync(join(root, folder)))
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
          .filter((file) => /\.tsx?$/.test(file) && !file.includes("node_modules"))
          .map((file) => readFileSync(join(root, folder, file), "utf8")),
      );
    const named = sources.flatMap((text) =>
      [...text.matchAll(/\/blob\/main\/(docs\/[\w/-]+\.md)/g)].map(([, page = ""]) => page),
    );
    expect(named).toContain("docs/local-azure-reference.md");
    expect(named.filter((page) => !existsSync(join(root, page)))).toEqual([]);
  });

  it("names only files and folders that exist in the pages for contributors", () => {
    const files = filesIn("");
    const inRepository = (path: string) =>
      files.some((file) => `/${file}/`.includes(`/${path.replace(/\/$/, "")}/`));
    const folders = "runtime|lib|cli|create|cdktn|local|terraform|test|tools|examples|bench|docs";
    const path = new RegExp(`\`((?:${folders})/[\\w./-]+|[\\w/-]+\\.(?:ts|mjs))\``, "g");
    const contributing = pages().filter((page) => page.startsWith("docs/contributing/"));
    const named = ["CONTRIBUTING.md", ...contributing].flatMap((page) =>
      [...readFileSync(join(root, page), "utf8").matchAll(path)].map(([, file = ""]) => file),
    );
    expect(named).toContain("runtime/src/publisher/create-publisher.ts");
    const written = "bench/results/GROUP.json";
    expect(named.filter((file) => file !== written && !inRepository(file))).toEqual([]);
  });

  it("says on each page that installs a package how to do so before they are published, and not after", () => {
    const isReleased = /^## \d/m.test(readFileSync(join(root, "CHANGELOG.md"), "utf8"));
    const installs = /\bnpm (install|create) .*cloud-eventgrid/;
    const wrong = pages()
      .map((page) => [page, readFileSync(join(root, page), "utf8")] as const)
      .filter(([page]) => page !== "docs/packages.md")
      .filter(([, text]) =>
        isReleased ? text.includes(NOTICE) : installs.test(text) && !text.includes(NOTICE),
      );
    expect(wrong.map(([page]) => page)).toEqual([]);
  });

  it("lets npx run only what is installed, because others could publish a package of our names", () => {
    const downloading = /npx (--yes|-y)\b|npx cloud-eventgrid|npx --package cloud-eventgrid/;
    const unsafe = filesIn("")
      .filter((file) => /\.(md|tsx?|mjs|json|tf|ya?ml)$/.test(file))
      .filter((file) => !NAMED_AS_UNSAFE.includes(file))
      .filter((file) => downloading.test(readFileSync(join(root, file), "utf8")));
    expect(unsafe).toEqual([]);
  });

  it("separates npx's own options from the command's, whichever npm runs it", () => {
    const read = (page: string) => readFileSync(join(root, page), "utf8");
    const affected = [...pages(), ...examplePages].filter((page) =>
      /npx --no (?!-- )/.test(read(page)),
    );
    expect(affected).toEqual([]);
  });

  it("mentions only npm scripts that exist", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    const own = new Set([
      "install",
      "start",
      "test",
      "pack",
      "publish",
      "ci",
      // Of generated projects.
      "synth",
      "deploy",
      "destroy",
      ...Object.keys(scripts),
    ]);
    const named = [...pages(), ...examplePages, "CONTRIBUTING.md"].flatMap((page) =>
      [...readFileSync(join(root, page), "utf8").matchAll(/npm run ([\w:]+)/g)].map(
        ([, name]) => name,
      ),
    );
    expect(named.filter((name) => name === undefined || !own.has(name))).toEqual([]);
    expect(named).toContain("test:full");
  });
});
