import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../../cli/src/program.js";
import { describeWith } from "../support/describe-with.js";
import { root } from "../support/project.js";
import { cloudEventgrid } from "./built-program.js";
import { command } from "./command.js";
import { directoryWith } from "./temporary.js";

const COMMANDS = [
  "check",
  "convert",
  "dead-letters",
  "dead-letters list",
  "dead-letters show",
  "dead-letters replay",
  "doctor",
  "events",
  "explain-plan",
  "init",
  "listen",
  "probe",
  "publish",
  "tables",
];

describe("cloud-eventgrid", () => {
  it("lists its commands with --help", async () => {
    const { exitCode, out } = await command(["--help"]);
    expect(exitCode).toBe(0);
    expect(out).toContain("Usage: cloud-eventgrid [options] [command]");
    expect(out).toContain("probe");
  });

  it.each(COMMANDS)("explains %s with an example and a link, in 80 columns", async (name) => {
    const { exitCode, out } = await command([...name.split(" "), "--help"]);
    expect(exitCode).toBe(0);
    expect(out).toContain("Examples:\n  ");
    const [link = ""] = /https:\/\/\S+\/docs\/\S+$/m.exec(out) ?? [];
    const lines = out.replace(link, "").split("\n");
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    const [page = "", section] = link.replace(/^.*\/blob\/main\//, "").split("#");
    const [first = ""] = name.split(" ");
    expect(section ?? basename(page, ".md")).toBe(first === "events" ? "contracts" : first);
    const heading = section === undefined ? /^# / : `\n## ${section}\n`;
    expect(readFileSync(join(root, page), "utf8")).toMatch(heading);
  });

  it("explains a command with help, too", async () => {
    const { exitCode, out } = await command(["help", "probe"]);
    expect(exitCode).toBe(0);
    expect(out).toBe((await command(["probe", "--help"])).out);
    expect(out).toContain("Exit codes:");
  });

  it("warns of packages of another release in the project", async () => {
    const names = [".", "cdktn", "local", "runtime"].map((folder) =>
      String(JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")).name),
    );
    const manifests = names.map((name) => [
      `node_modules/${name}/package.json`,
      '{ "version": "9.9.9" }',
    ]);
    const directory = directoryWith(Object.fromEntries(manifests));
    const { exitCode, error, out } = await command(["--version"], { directory });
    expect(exitCode).toBe(0);
    const version = out.trim();
    expect(error.split("\n").sort()).toEqual(
      [
        "",
        ...names.map(
          (name) =>
            `warning: this is cloud-eventgrid ${version}, but the project has ${name} 9.9.9: npm install ${name}@${version}`,
        ),
      ].sort(),
    );
  });

  it("prints its version", async () => {
    expect((await command(["--version"])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("suggests the command that a misspelt one is probably meant for", async () => {
    const { exitCode, error } = await command(["prob"]);
    expect(exitCode).toBe(2);
    expect(error).toContain("(Did you mean probe?)");
  });

  it("exits with 2 and prints its help without a command", async () => {
    const { exitCode, error } = await command([]);
    expect(exitCode).toBe(2);
    expect(error).toContain("Usage: cloud-eventgrid");
  });

  it("prints no control characters of its input", async () => {
    const { error } = await command(["check", "orders\u001b[2J\u202e.yaml"]);
    expect(error).toContain("orders\\u001b[2J\\u202e.yaml");
    expect(error).not.toContain("\u001b");
  });

  it.each([
    [["check", "missing.yaml", "--json"], 1, /^cannot read missing.yaml: ENOENT/],
    [["probe", "--nonsense", "--json"], 2, /^unknown option '--nonsense'$/],
  ])("prints JSON when %j fails, too", async (args, code, message) => {
    const { exitCode, out, error } = await command(args);
    expect(exitCode).toBe(code);
    expect(JSON.parse(out)).toEqual({
      ok: false,
      exitCode: code,
      error: expect.stringMatching(message),
    });
    expect(error).toMatch(/^error: /);
  });

  it.each([
    [["doctor", "--event-subscription", "foo"], /az eventgrid event-subscription show prints/],
    [["doctor", "--env", "ORDERS"], /no variable begins with ORDERS_: read a file with --dotenv/],
    [["publish", "--type", "a", "--env", "ORDERS"], /read a file with --dotenv <file>, or give/],
  ])("says what to do after %j", async (args, message) => {
    expect((await command(args)).error).toMatch(message);
  });

  it("reports a defect of its own on both outputs, without secrets", async () => {
    const printed = { out: "", error: "" };
    const terminal = {
      env: {},
      directory: process.cwd(),
      input: () => Promise.reject(new TypeError("no https://a.example.com/?code=4711")),
      out: (text: string) => {
        printed.out += text;
      },
      error: (text: string) => {
        printed.error += text;
      },
    };
    expect(await run(["explain-plan", "--json"], terminal)).toBe(1);
    const error = "no https://a.example.com/?…";
    expect(JSON.parse(printed.out)).toEqual({ ok: false, exitCode: 1, error });
    expect(printed.error).toMatch(/^error: this is a defect .*\nTypeError: no https.*\?…\n +at /);
  });

  it("reports a missing file of --dotenv itself, and leaves Node out of it", async () => {
    const { exitCode, error } = await cloudEventgrid([
      ...["check", "--env", "ORDERS", "--dotenv", "missing"],
    ]);
    expect(exitCode).toBe(1);
    expect(error).toMatch(/^error: cannot read missing: ENOENT/);
  });

  it.each([
    [["--help"], 0],
    [["check", "wrong.yaml"], 3],
  ])("keeps its exit code when the reader of its output has ended: %j", async (args, expected) => {
    const cwd = directoryWith({ "wrong.yaml": "kind: Component\n" });
    const program = join(root, "cli/bin/cloud-eventgrid.js");
    const child = spawn(process.execPath, [program, ...args], { cwd });
    child.stdout.destroy();
    let errors = "";
    child.stderr.on("data", (text) => {
      errors += text;
    });
    const [exitCode] = await once(child, "close");
    expect([exitCode, errors]).toEqual([expected, ""]);
  });

  it.each(["18.20.4", "20.9.0"])("says which Node it needs, and not %s", (version) => {
    const program = JSON.stringify(join(root, "cli/bin/cloud-eventgrid.js"));
    const old = `Object.defineProperty(process.versions, "node", { value: "${version}" });`;
    const { status, stderr } = spawnSync(process.execPath, ["-e", `${old} require(${program})`], {
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([
      1,
      `cloud-eventgrid needs Node 20.19 or later, and this is ${version}\n`,
    ]);
  });

  it("has colours if FORCE_COLOR says so, and none in a pipe", async () => {
    const args = ["check", "--env", "NOTHING"];
    const { out } = await cloudEventgrid(args, { FORCE_COLOR: "1", NO_COLOR: "" });
    expect(out).toContain("  \u001b[31merror\u001b[39m ");
    expect((await cloudEventgrid(args, { FORCE_COLOR: "0" })).out).toMatch(/^ {2}error /m);
  });

  it("keeps its exit code when nobody reads its errors either", async () => {
    const args = [join(root, "cli/bin/cloud-eventgrid.js"), "check", "missing.yaml", "--json"];
    const child = spawn(process.execPath, args);
    child.stdout.destroy();
    child.stderr.destroy();
    expect(await once(child, "close")).toEqual([1, null]);
    const usage = spawn(process.execPath, [join(root, "cli/bin/cloud-eventgrid.js"), "nonsense"]);
    usage.stderr.destroy();
    expect(await once(usage, "close")).toEqual([2, null]);
  });

  it.skipIf(!existsSync("/dev/full"))("says that its output cannot be written", async () => {
    const program = join(root, "cli/bin/cloud-eventgrid.js");
    const full = openSync("/dev/full", "w");
    const child = spawn(process.execPath, [program, "tables"], { stdio: ["ignore", full, "pipe"] });
    let errors = "";
    child.stderr?.on("data", (text) => {
      errors += text;
    });
    const [exitCode] = await once(child, "close");
    closeSync(full);
    expect([exitCode, errors]).toEqual([
      1,
      expect.stringMatching(/^error: cannot write the output: ENOSPC/),
    ]);
  });
});

/** Runs a program in a terminal, types a character when it asks the first question, and prints what it says. */
const IN_A_TERMINAL = `
import os, pty, sys
key, *command = sys.argv[1:]
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(command[0], command)
output = b""
while True:
    try:
        output += os.read(terminal, 4096)
    except OSError:  # how Linux says that the program has ended
        break
    if key and b"What does it do" in output:
        os.write(terminal, bytes([int(key)]))
        key = ""
_, status = os.waitpid(pid, 0)
print(output.decode() + f"exit code {os.waitstatus_to_exitcode(status)}.")
`;

describeWith("python3", "a question of cloud-eventgrid in a terminal", () => {
  it.each([
    ["C", 3],
    ["D", 4],
  ])("ends with one line and exit code 130 when Ctrl-%s is pressed", (_, key) => {
    const program = [process.execPath, join(root, "cli/bin/cloud-eventgrid.js"), "init", "orders"];
    const args = ["-c", IN_A_TERMINAL, `${key}`, ...program];
    const printed = execFileSync("python3", args, { cwd: directoryWith({}), encoding: "utf8" });
    const lines = printed.slice(printed.indexOf("error:")).split(/\r?\n/);
    expect(lines.filter(Boolean)).toEqual(["error: interrupted", "exit code 130."]);
  });
});
