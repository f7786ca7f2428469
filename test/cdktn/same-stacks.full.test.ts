import { execFile } from "node:child_process";
import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { snippetsIn } from "../docs/snippets.js";
import type { EmptyProject } from "../packages/packed.js";
import { root } from "../support/project.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { cdktnProjectWithExamples, forCdktn } from "./project.js";

/** The programs that synthesize the examples, and the bindings that have snapshots. */
const programs = [
  ...readdirSync(join(root, "examples"), { recursive: true, encoding: "utf8" })
    .filter((file) => /^[\w-]+\/main\.ts$/.test(file))
    .map((file) => join("examples", file)),
  "test/cdktn/shapes.ts",
];

interface Stack {
  readonly terraform: { readonly required_providers: Readonly<Record<string, object>> };
}

type Stacks = Readonly<Record<string, Stack>>;

/**
 * Runs the programs in a folder: in one process, because loading a cdk and its providers takes longer
 * than to synthesize. Returns the stacks of each.
 */
async function synthesized(folder: string): Promise<ReadonlyMap<string, Stacks>> {
  const outdir = temporaryFolder();
  const modules = programs.map((file, i) => [
    pathToFileURL(join(folder, file)),
    join(outdir, `${i}`),
  ]);
  const program = `for (const [url, outdir] of ${JSON.stringify(modules)}) {
    process.env.CDKTF_OUTDIR = outdir;
    await import(url);
  }`;
  const args = ["--import", "tsx", "--input-type=module", "--eval", program];
  await promisify(execFile)(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env.PATH },
  });
  return new Map(programs.map((file, i) => [file, stacksIn(join(outdir, `${i}`), folder)]));
}

/** Stacks by name, without the project's own paths. */
function stacksIn(outdir: string, folder: string): Stacks {
  const paths = [folder, root].map((path) => realpathSync(path));
  // As file URLs, too.
  const places = paths.flatMap((path) => [path, pathToFileURL(path).href.slice("file://".length)]);
  const anywhere = (value: unknown) =>
    typeof value === "string"
      ? places.reduce((text, place) => text.replaceAll(place, "/project"), value)
      : value;
  const stacks = join(outdir, "stacks");
  return Object.fromEntries(
    readdirSync(stacks).map((name) => {
      const text = readFileSync(join(stacks, name, "cdk.tf.json"), "utf8");
      return [name, JSON.parse(text, (key, value) => (key === "//" ? undefined : anywhere(value)))];
    }),
  );
}

function withoutProviders(stacks: Stacks) {
  return Object.fromEntries(
    Object.entries(stacks).map(([name, { terraform, ...stack }]) => {
      const { required_providers: _, ...rest } = terraform;
      return [name, { ...stack, terraform: rest }];
    }),
  );
}

describe("stacks synthesized with cdktf and with cdktn", () => {
  let project: EmptyProject;
  let stacks: Record<"cdktf" | "cdktn", ReadonlyMap<string, Stacks>>;
  beforeAll(async () => {
    project = await cdktnProjectWithExamples();
    stacks = { cdktf: await synthesized(root), cdktn: await synthesized(project.folder) };
  });

  it("compile with cdktn, and so does the code in the pages about the constructs", async () => {
    const files = readdirSync(join(root, "examples"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith("/stack.ts"))
      .map((file) => `examples/${file}`);
    const snippets = [
      "construct",
      "event-subscription",
      "namespaces",
      "sources",
      "permissions",
      "private-networks",
      "adoption",
    ].flatMap((page) =>
      snippetsIn(`docs/${page}.md`).map(({ name, code }) => {
        const file = `docs/${page}/${name}.ts`;
        project.write(file, forCdktn(`${code}\nexport {};\n`));
        return file;
      }),
    );
    expect(files).toContain("examples/orders/stack.ts");
    expect(snippets.length).toBeGreaterThan(10);
    project.write("docs/package.json", '{ "type": "module" }');
    const imports = [...files, ...snippets].map(
      (file) => `import "./${file.replace(/ts$/, "js")}";\n`,
    );
    const options = { module: "nodenext", types: ["node"], skipLibCheck: true };
    expect(await project.compile("all.mts", imports.join(""), options)).toBe("");
  });

  it.each(programs)("are the same apart from metadata and provider versions: %s", (program) => {
    const cdktf = stacks.cdktf.get(program) ?? {};
    const cdktn = stacks.cdktn.get(program) ?? {};
    expect(Object.keys(cdktf)).not.toEqual([]);
    expect(withoutProviders(cdktn)).toEqual(withoutProviders(cdktf));
    for (const { terraform } of Object.values(cdktn)) {
      expect(terraform.required_providers.azurerm).toMatchObject({ version: "4.73.0" });
    }
    for (const { terraform } of Object.values(cdktf)) {
      expect(terraform.required_providers.azurerm).toMatchObject({ version: "4.55.0" });
    }
  });
});
