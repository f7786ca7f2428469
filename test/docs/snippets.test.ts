import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { root } from "../support/project.js";
import { forCdktf, pages, snippetsIn } from "./snippets.js";

const run = promisify(execFile);

describe("the TypeScript in the READMEs and docs", () => {
  it("compiles", async () => {
    const folder = join(root, ".cache", "snippets");
    rmSync(folder, { recursive: true, force: true });
    const snippets = pages().flatMap((page) => snippetsIn(page));
    for (const { page, line, name, code } of snippets) {
      const home = join(folder, page.replace(/\.md$/, ""));
      mkdirSync(home, { recursive: true });
      const text = `// ${page}, line ${line}\n${forCdktf(code)}\nexport {};\n`;
      writeFileSync(join(home, `${name}.ts`), text);
    }
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        extends: "../../tsconfig.base.json",
        compilerOptions: {
          composite: false,
          declaration: false,
          noEmit: true,
          noUnusedLocals: false,
          noUnusedParameters: false,
        },
        include: ["."],
      }),
    );

    const { stdout } = await run(process.execPath, [
      join(root, "node_modules/@typescript/native/bin/tsc"),
      "-p",
      folder,
    ]).catch((failure: { stdout: string }) => failure);

    expect(stdout).toBe("");
    expect(snippets.length).toBeGreaterThan(0);
  });
});

describe("the route handler of Next.js", () => {
  it("can be loaded without the environment, as `next build` loads it", async () => {
    const route = snippetsIn("docs/servers.md").find(({ name }) => name.endsWith("-route"));
    const folder = join(root, ".cache", "next-route");
    mkdirSync(folder, { recursive: true });
    const file = join(folder, "route.ts");
    writeFileSync(file, `${route?.code}\nconsole.log(typeof serve);\n`);
    const { stdout } = await run(process.execPath, ["--import", "tsx", file], { cwd: root });
    expect(stdout.trim()).toBe("function");
  });
});

describe("a page with top-level await", () => {
  const topLevelAwait =
    /^```[jt]s[^\n]*\n(?:(?!```).*\n)*?(?:await |(?:export )?const .*= await )/m;
  const texts = pages().map((page) => [page, readFileSync(join(root, page), "utf8")] as const);

  it.each(texts.filter(([, text]) => topLevelAwait.test(text)))(
    "says first that the project consists of modules: %s",
    (_, text) => {
      const notice = text.indexOf('`"type": "module"`');
      expect(notice).toBeGreaterThan(0);
      expect(notice).toBeLessThan(text.search(topLevelAwait));
    },
  );
});
