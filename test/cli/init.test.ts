import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { run } from "../../cli/src/program.js";
import { root } from "../support/project.js";
import { command } from "./command.js";
import { contentsOf } from "./generated-project.js";
import { directoryWith } from "./temporary.js";

const { version } = JSON.parse(readFileSync(join(root, "cli/package.json"), "utf8"));

/** By options, the files that not every project has, and the choices of the templates. */
const PROJECTS = {
  "--direction publish":
    'publisher entra stackIdentity group sameAccount topic cdktn direction: "output"',
  "--direction receive --source topic --app standalone --host none":
    'src/handlers.ts storage.ts receives subscribed group sameAccount application ownTopic topic events doctor cdktn direction: "input"',
  "--direction receive --source storage --app fastify --host container-apps":
    '.dockerignore Dockerfile container-app.ts src/handlers.ts storage.ts receives subscribed image group sameAccount application storage inContainerApp endpoint fastify doctor cdktn direction: "input"',
  "--direction receive --source storage --app standalone --host kubernetes":
    '.dockerignore Dockerfile manifests/shop.yaml src/handlers.ts storage.ts receives subscribed group sameAccount application storage doctor cdktn direction: "input"',
  "--direction both --source topic --app standalone --host container-apps --cdk cdktf":
    '.dockerignore Dockerfile container-app.ts src/handlers.ts src/publisher.test.ts storage.ts receives subscribed image published publisher entra appIdentity group sameAccount application ownTopic topic inContainerApp endpoint events doctor direction: "input, output"',
  "--direction both --source topic --app express --host kubernetes":
    '.dockerignore Dockerfile manifests/shop.yaml src/handlers.ts src/publisher.test.ts storage.ts receives subscribed published publisher entra stackIdentity workloadIdentity group sameAccount application ownTopic topic events express doctor cdktn direction: "input, output"',
  "--direction both --source storage --app fastify --host none":
    'src/handlers.ts src/publisher.test.ts storage.ts receives subscribed published publisher entra stackIdentity group sameAccount application storage fastify doctor cdktn direction: "input, output"',
  "--pull": "src/handlers.ts storage.ts receives receiver group sameAccount events doctor cdktn",
  "--pull --host container-apps":
    ".dockerignore Dockerfile receiver-app.ts src/handlers.ts storage.ts receives pull image group sameAccount events doctor cdktn",
};

describe("cloud-eventgrid init", () => {
  it.each(Object.entries(PROJECTS))("writes with %s: %s", async (options, contents) => {
    const directory = directoryWith();
    const args = ["init", "shop", ...options.split(" "), "--yes"];
    expect(await command(args, { directory })).toMatchObject({ exitCode: 0, error: "" });
    expect(contentsOf(join(directory, "shop"))).toBe(contents);
  });

  it("uses the first choices when nobody can answer", async () => {
    const directory = directoryWith();
    const { exitCode, out } = await command(["init", "orders", "--json"], { directory });
    expect(exitCode).toBe(0);
    expect(JSON.parse(out).files).toEqual([
      ".gitignore",
      "README.md",
      "cdktf.json",
      "main.ts",
      "package.json",
      "pnpm-workspace.yaml",
      "src/events.ts",
      "src/handlers.ts",
      "src/service.test.ts",
      "src/service.ts",
      "src/start.ts",
      "stack.ts",
      "storage.ts",
      "tsconfig.build.json",
      "tsconfig.json",
    ]);
  });

  it.each(["file", "file/orders", "dangling/orders", "/proc/x/orders"])(
    "reports that it cannot create the folder %s",
    async (folder) => {
      const directory = directoryWith({ file: "" });
      symlinkSync("nowhere", join(directory, "dangling"));
      const { exitCode, error } = await command(["init", folder, "--yes"], { directory });
      expect(exitCode).toBe(1);
      expect(error).toMatch(/^error: (cannot write .+: )?E[A-Z]+: /);
      expect(error).not.toContain("    at ");
    },
  );

  it("prints a command that changes to the folder, even if its name has a space", async () => {
    const directory = directoryWith();
    const { out } = await command(["init", "My orders", "--yes"], { directory });
    expect(out).toContain('Next: cd "My orders" && npm install && npm test');
  });

  it("asks for a name if the folder's has no Latin letter", async () => {
    const { exitCode, error } = await command(["init", "注文", "--yes"], {
      directory: directoryWith(),
    });
    expect(exitCode).toBe(2);
    expect(error).toContain("choose another with --name");
  });

  it("refuses options of a webhook in a project that only publishes", async () => {
    const args = ["init", "orders", "--direction", "publish", "--host", "kubernetes", "--yes"];
    const { exitCode, error } = await command(args, { directory: directoryWith() });
    expect(exitCode).toBe(2);
    expect(error).toContain("leave out --host, or use --direction both");
  });

  it("creates a service that pulls, and asks only for its host and cdk", async () => {
    const directory = directoryWith();
    const answers = ["container-apps", "cdktn"];
    const created = await command(["init", "orders", "--pull"], { directory, answers });
    expect([created.exitCode, created.error]).toEqual([0, ""]);
    expect(created.out.match(/\?/g)).toHaveLength(2);
    const read = (file: string) => readFileSync(join(directory, "orders", file), "utf8");
    expect(read("stack.ts")).toContain("receiver = service.principalId");
    expect(read("receiver-app.ts")).not.toContain("ingress: {");
    expect(read("README.md")).toContain("add `registry` to the app in `receiver-app.ts`");
    expect(read("README.md")).not.toContain("container-app.ts");
    expect(read("README.md")).not.toContain("in Entra");
    const { dependencies, devDependencies } = JSON.parse(read("package.json"));
    expect(dependencies).toHaveProperty("@azure/identity");
    expect(dependencies).not.toHaveProperty("fastify");
    expect(devDependencies).not.toHaveProperty("@azure/identity");
  });

  it.each([
    [["--source", "storage", "--app", "fastify"], "leave out --source and --app"],
    [["--host", "kubernetes"], "--pull goes with --host none or container-apps"],
  ])("refuses --pull with %j", async (options, message) => {
    const args = ["init", "orders", "--pull", "--yes", ...options];
    const { exitCode, error } = await command(args, { directory: directoryWith() });
    expect(exitCode).toBe(2);
    expect(error).toContain(message);
  });

  it("installs packed packages of a folder, and copies them to where the image is built", async () => {
    const names = ["cloud-eventgrid", "cloud-eventgrid-binding-cdktn"];
    const more = ["cloud-eventgrid-binding-runtime", "cloud-eventgrid-local"];
    const files = [...names, ...more].map((name) => [`packed/${name}-${version}.tgz`, name]);
    const directory = directoryWith(Object.fromEntries(files));
    const args = ["init", "orders", "--host", "kubernetes", "--packages", "packed", "--yes"];
    expect((await command(args, { directory })).exitCode).toBe(0);
    const read = (file: string) => readFileSync(join(directory, "orders", file), "utf8");
    const { dependencies } = JSON.parse(read("package.json"));
    const file = `packages/cloud-eventgrid-binding-runtime-${version}.tgz`;
    expect(dependencies["cloud-eventgrid-binding-runtime"]).toBe(`file:${file}`);
    expect(read(file)).toBe("cloud-eventgrid-binding-runtime");
    expect(read("Dockerfile")).toContain("COPY packages ./packages\n");
  });

  it.each([
    ["npm or npx", "package.json", { dependencies: { "cloud-eventgrid": "file:packed/$" } }],
    ["pnpm", "package.json", { devDependencies: { "cloud-eventgrid": "file:packed/$" } }],
    ["Yarn", "package.json", { dependencies: { "cloud-eventgrid": "file:./packed/$" } }],
    [
      "npm globally",
      "node_modules/.package-lock.json",
      { packages: { "node_modules/cloud-eventgrid": { resolved: "file:packed/$" } } },
    ],
  ])(
    "installs the packages from the files that the command was installed from with %s",
    async (_, manifest, contents) => {
      const text = JSON.stringify(contents).replace("$", `cloud-eventgrid-${version}.tgz`);
      const packed = ["cloud-eventgrid", "cloud-eventgrid-binding-cdktn"]
        .concat("cloud-eventgrid-binding-runtime", "cloud-eventgrid-local")
        .map((name) => [`packed/${name}-${version}.tgz`, name]);
      const directory = directoryWith({ ...Object.fromEntries(packed), [manifest]: text });
      const installedIn = join(directory, "node_modules/cloud-eventgrid/dist/project");
      const replacements = { installedIn };
      const created = await command(["init", "orders", "--yes"], { directory, replacements });
      expect([created.exitCode, created.error]).toEqual([0, ""]);
      const read = (file: string) => readFileSync(join(directory, "orders", file), "utf8");
      const { dependencies, resolutions } = JSON.parse(read("package.json"));
      const { overrides } = parse(read("pnpm-workspace.yaml"));
      const file = `file:packages/cloud-eventgrid-binding-runtime-${version}.tgz`;
      for (const specifiers of [dependencies, overrides, resolutions]) {
        expect(specifiers).toMatchObject({ "cloud-eventgrid-binding-runtime": file });
      }
      expect(read(file.replace("file:", ""))).toBe("cloud-eventgrid-binding-runtime");
    },
  );

  it("uses npm's registry if it was installed from there", async () => {
    const text = JSON.stringify({ devDependencies: { "cloud-eventgrid": "^0.1.0" } });
    const directory = directoryWith({ "package.json": text });
    const replacements = { installedIn: join(directory, "node_modules/cloud-eventgrid/dist") };
    const { out } = await command(["init", "orders", "--yes"], { directory, replacements });
    expect(out).not.toContain("npm run pack");
    const manifest = readFileSync(join(directory, "orders/package.json"), "utf8");
    expect(JSON.parse(manifest).resolutions).toBeUndefined();
  });

  it("says how a clone of the repository installs its own packages", async () => {
    const { out } = await command(["init", "orders", "--yes"], { directory: directoryWith() });
    expect(out).toContain("run npm run pack in it, and add --packages with the folder");
  });

  it("lists the packages that a folder lacks", async () => {
    const directory = directoryWith({ "packed/README.md": "" });
    const args = ["init", "orders", "--direction", "publish", "--packages", "packed", "--yes"];
    const { exitCode, error } = await command(args, { directory });
    expect(exitCode).toBe(1);
    expect(error).toContain(`cloud-eventgrid-binding-cdktn-${version}.tgz`);
    expect(error).toContain("npm run pack");
  });

  it("uses its own release of the packages", async () => {
    const directory = directoryWith();
    await command(["init", "orders", "--yes"], { directory });
    const { dependencies } = JSON.parse(
      readFileSync(join(directory, "orders/package.json"), "utf8"),
    );
    expect(dependencies["cloud-eventgrid-binding-runtime"]).toBe(`^${version}`);
  });

  it("asks for what is not given, and asks again after an unknown choice", async () => {
    const directory = directoryWith();
    const asked: string[] = [];
    const answers = ["send", "both", "storage", "", "kub", ""];
    const exitCode = await run(["init", "orders"], {
      env: {},
      directory,
      out: () => undefined,
      error: () => undefined,
      ask: async (question) => {
        asked.push(question.split(" (")[0] ?? "");
        return answers.shift() ?? "";
      },
    });
    expect(exitCode).toBe(0);
    expect(asked).toEqual([
      "What does it do?",
      "What does it do?",
      "Where do the events come from?",
      "What serves the webhook?",
      "Where does it run?",
      "Which cdk?",
    ]);
    expect(readFileSync(join(directory, "orders/stack.ts"), "utf8")).toContain(
      "sources.objectStorage(",
    );
    expect(readFileSync(join(directory, "orders/manifests/orders.yaml"), "utf8")).toContain(
      "kind: Ingress",
    );
  });

  it.each([
    ["--direction", "sideways"],
    ["--endpoint", "http://orders.example.com"],
    ["--endpoint", "https://orders.example.com/?code=secret"],
  ])("exits with 2 for %s %s", async (...option) => {
    const directory = directoryWith();
    expect((await command(["init", "orders", ...option], { directory })).exitCode).toBe(2);
  });

  it("refuses a folder that is not empty before it asks", async () => {
    const directory = directoryWith({ "orders/notes.txt": "" });
    const { exitCode, out, error } = await command(["init", "orders"], { directory, answers: [] });
    expect([exitCode, out]).toEqual([1, ""]);
    expect(error).toBe("error: orders is not empty: choose another folder, or add --force\n");
  });
});
