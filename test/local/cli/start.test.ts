import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import {
  configure,
  emptyDirectory,
  runCommand,
  runConfigured,
  startCommand,
} from "../support/command.js";
import { listen } from "../support/listen.js";

describe("the start command", () => {
  it("prints addresses, the certificate file and the environment, and exits with code 0", async () => {
    const directory = emptyDirectory();
    const command = runCommand([], directory);
    await command.printed(/AZURE_CLIENT_SECRET/);

    expect(command.out()).toMatch(/HTTP +http:\/\/127\.0\.0\.1:\d+/);
    expect(command.out()).toMatch(/HTTPS +https:\/\/localhost:\d+/);
    expect(command.out()).toContain(join(directory, ".cloud-eventgrid-local", "ca.pem"));
    expect(command.out()).toMatch(/export ARM_METADATA_HOSTNAME='localhost:\d+'/);
    expect(await command.interrupt()).toBe(0);
    expect(command.err()).toBe("");
  });

  it("excludes its files from version control and protects secrets from other users", async () => {
    const command = await startCommand();
    const state = join(command.directory, ".cloud-eventgrid-local");

    expect(readFileSync(join(state, ".gitignore"), "utf8")).toBe("*\n");
    expect(statSync(join(state, "running.json")).mode & 0o077).toBe(0);
    expect(statSync(join(state, "ca-key.pem")).mode & 0o077).toBe(0);
    await command.interrupt();
    expect(existsSync(join(state, "running.json"))).toBe(false);
  });

  it("reuses the certificate authority of the previous start", async () => {
    const directory = emptyDirectory();
    const file = join(directory, ".cloud-eventgrid-local", "ca.pem");
    const first = await startCommand([], directory);
    const certificate = readFileSync(file, "utf8");
    await first.interrupt();
    await startCommand([], directory);
    expect(readFileSync(file, "utf8")).toBe(certificate);
  });

  it("refuses to start in a directory that another cloud uses", async () => {
    const { directory } = await startCommand();
    const second = runCommand([], directory);
    expect(await second.exitCode).toBe(1);
    expect(second.err()).toMatch(/^cloud-eventgrid-local: A local Azure already runs in /);
  });

  it.each(["--port", "--https-port"])("reports that the port of %s is in use", async (flag) => {
    const [, port = ""] = (await listen(createServer())).split(":");
    const command = runCommand([flag, port]);

    expect(await command.exitCode).toBe(1);
    expect(command.err()).toContain(
      `Port ${port} of 127.0.0.1 is in use. Is another local Azure running? Port 0 chooses a free port.`,
    );
  });

  it.each([
    ["--directory", "file/below"],
    ["--directory", "file"],
    ["--directory", "dangling/below"],
    ["--directory", "/proc/x/below"],
    ["--persist", "file/below"],
    ["--persist", "file"],
    ["--persist", "dangling/below"],
    ["--persist", "/proc/x/below"],
    ["--persist", "occupied"],
  ])("reports that the directory of %s %s cannot be used", async (flag, path) => {
    const directory = emptyDirectory();
    writeFileSync(join(directory, "file"), "");
    symlinkSync("nowhere", join(directory, "dangling"));
    mkdirSync(join(directory, "occupied", "deliveries.log"), { recursive: true });
    const command = runCommand([flag, path], directory);
    expect(await command.exitCode).toBe(1);
    const shown = `The directory ${resolve(directory, path)} cannot be used: E`;
    expect(command.err()).toContain(`cloud-eventgrid-local: ${shown}`);
    expect(existsSync(join(directory, "occupied", "lock"))).toBe(false);
  });

  it("lets flags override the configuration file", async () => {
    const directory = emptyDirectory();
    const tenantId = "88888888-8888-4888-8888-888888888888";
    configure(directory, { tenantId, topics: [{ name: "from-file" }] });
    const subscriptionId = "99999999-9999-4999-8999-999999999999";
    const command = runCommand(
      ["--subscription-id", subscriptionId, "--topic", "from-flag"],
      directory,
    );
    await command.printed(/export/);

    expect(command.out()).toContain(`ARM_TENANT_ID='${tenantId}'`);
    expect(command.out()).toContain(`ARM_SUBSCRIPTION_ID='${subscriptionId}'`);
    expect(command.out()).toMatch(/topic from-file +http/);
    expect(command.out()).toMatch(/topic from-flag +http/);
  });

  it("starts without a control plane", async () => {
    const command = runConfigured({ control: false });
    await command.printed(/HTTP /);
    expect(command.out()).not.toContain("HTTPS");
    expect(command.out()).not.toContain("export");
  });
});
