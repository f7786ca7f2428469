import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  emptyDirectory,
  environmentOf,
  outputOf,
  runCommand,
  startCommand,
} from "../support/command.js";

afterEach(() => void vi.unstubAllEnvs());

describe("the command line", () => {
  it("prints help and version", async () => {
    const directory = emptyDirectory();
    expect(await outputOf(directory, "--help")).toContain('eval "$(cloud-eventgrid-local env)"');
    expect(await outputOf(directory, "help", "topics")).toContain("list, create and delete topics");
    expect(await outputOf(directory, "--version")).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("prints no control characters of its input", async () => {
    const command = runCommand(["--tenant-id", "\u001b[2J"]);
    expect(await command.exitCode).toBe(2);
    expect(command.err()).toContain('"\\u001b[2J"');
    expect(command.err()).not.toContain("\u001b");
  });

  it("reports an invalid setting with exit code 2", async () => {
    const command = runCommand(["--topic", "o", "--tenant-id", "x"]);
    expect(await command.exitCode).toBe(2);
    expect(command.err().split("\n").slice(1)).toEqual([
      '  - tenantId must be a UUID, not "x"',
      '  - topics[0].name must be 3 to 50 letters, digits or hyphens that do not begin with Microsoft-, EventGrid- or System-, not "o"',
      "",
    ]);
  });

  it.each([
    ["false", /dashboard +http\S+token=/],
    ["true", /dashboard +http:\S+\/\n/],
  ])("reads EVENTGRID_LOCAL_NO_TOKEN=%s as a boolean", async (value, printed) => {
    vi.stubEnv("EVENTGRID_LOCAL_NO_TOKEN", value);
    await runCommand().printed(printed);
  });

  it("takes every option from a variable, too", async () => {
    vi.stubEnv("EVENTGRID_LOCAL_TOPIC", "orders payments");
    vi.stubEnv("EVENTGRID_LOCAL_TOKEN", "from-variable");
    vi.stubEnv("EVENTGRID_LOCAL_TENANT_ID", "88888888-8888-4888-8888-888888888888");
    const command = runCommand();
    await command.printed(/topic payments +http/);
    expect(command.out()).toMatch(/tenant +88888888-/);
    expect(command.out()).toMatch(/dashboard +http\S+\?token=from-variable/);
  });

  it.each([
    [["fly"], "unknown command 'fly'\n(There are: start, env, publish, "],
    [["pubilsh"], "unknown command 'pubilsh'\n(Did you mean publish?)"],
    [["subscription"], "unknown command 'subscription'\n(Did you mean subscriptions?)"],
    [["subscriptions", "creat", "x"], "'subscriptions creat'\n(Did you mean create?)"],
    [["--prot", "1"], "--prot"],
    [["--port", "http"], "argument 'http' is invalid. It must be a whole number from 0 to 65535."],
    [["--ingress", "orders"], "argument 'orders' is invalid. It must be PUBLIC=TARGET."],
    [["--ingress", "http://a=http://b"], "must be https://"],
    [["--config", "missing.json"], "missing.json is invalid:\n  - the file does not exist"],
  ])("refuses the arguments %j", async (argv, message) => {
    const command = runCommand(argv);
    expect(await command.exitCode).toBeGreaterThan(0);
    expect(command.err()).toContain(message);
    expect(command.out()).toBe("");
  });
});

describe("the env command", () => {
  it("prints the environment as shell code and as JSON", async () => {
    const directory = emptyDirectory();
    const running = runCommand([], directory);
    const [block = ""] = await running.printed(/export ARM[\s\S]+CLOUD_AUTHORITY_HOST='.+'\n/);
    expect(await outputOf(directory, "env")).toBe(block);
    expect(await outputOf(directory, "env", "--shell", "powershell")).toMatch(
      /^\$env:\w+ = '.*'$/m,
    );

    expect(await environmentOf(directory)).toMatchObject({
      ARM_TENANT_ID: "11111111-1111-4111-8111-111111111111",
    });

    const proxy = await environmentOf(directory, "--proxy");
    expect(proxy).toMatchObject({
      HTTPS_PROXY: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    });
    expect(proxy).not.toHaveProperty("AZURE_AUTHORITY_HOST");
  });

  it("includes the token and the secret that clients on other machines need", async () => {
    const settings = ["--token", "t0ken", "--deployer-secret", "s3cret"];
    const running = await startCommand(["--host", "0.0.0.0", ...settings]);
    expect(await environmentOf(running.directory, "--proxy")).toMatchObject({
      HTTPS_PROXY: expect.stringMatching(/^http:\/\/local:t0ken@127\.0\.0\.1:\d+$/),
      AZURE_CLIENT_SECRET: "s3cret",
    });
  });

  it("includes the issuer of tokens in deliveries, which differs from the address for signing in", async () => {
    const running = await startCommand();
    const [, origin = ""] = await running.printed(/HTTP +(\S+)/);
    const { CLOUD_AUTHORITY_HOST, AZURE_AUTHORITY_HOST } = await environmentOf(running.directory);
    expect(CLOUD_AUTHORITY_HOST).toBe(origin);
    expect(AZURE_AUTHORITY_HOST).toMatch(/^https:/);
  });

  it("fails when no cloud runs, also after a crash, and makes the shell fail that evaluates it", async () => {
    const running = await startCommand();
    const file = join(running.directory, ".cloud-eventgrid-local", "running.json");
    const left = readFileSync(file);
    await running.interrupt();
    writeFileSync(file, left);

    const env = runCommand(["env"], running.directory);
    expect(await env.exitCode).toBe(1);
    expect(env.err()).toContain("No local Azure runs in");
    const evaluated = spawnSync("sh", ["-c", 'eval "$1" && echo goes on', "sh", env.out()]);
    expect([evaluated.status, String(evaluated.stdout)]).toEqual([1, ""]);
  });
});
