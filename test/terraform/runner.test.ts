import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  findTerraform,
  prepareProviders,
  providerSource,
  TerraformFailedError,
  TerraformMissingError,
} from "../stand-ins/src/index.js";
import {
  personalConfiguration,
  terraformEnvironment,
} from "../stand-ins/src/terraform/environment.js";
import { parseMessage } from "../stand-ins/src/terraform/messages.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cloud-eventgrid-runner-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("the Terraform program", () => {
  it("is the first executable one on the PATH", () => {
    const program = join(folder, "terraform");
    writeFileSync(program, "");
    expect(findTerraform(folder)).toBeUndefined();
    chmodSync(program, 0o755);
    expect(findTerraform(["", join(folder, "nowhere"), folder].join(delimiter))).toBe(program);
  });

  it("is requested if it is missing", () => {
    const error = new TerraformMissingError();
    expect(error.code).toBe("ERR_TERRAFORM_MISSING");
    expect(error.message).toContain("no program named terraform on the PATH. Install Terraform");
  });
});

describe("the source of the providers", () => {
  it("is read from a setting", () => {
    expect(providerSource("stand-ins")).toBe("stand-ins");
    expect(providerSource("registry")).toBe("registry");
    expect(providerSource("./mirror")).toEqual({ mirror: "./mirror" });
  });

  it("must be a directory if it is a path", async () => {
    await expect(prepareProviders({ mirror: join(folder, "none") }, {})).rejects.toThrow(
      `the mirror of Terraform providers is not a directory: ${join(folder, "none")}`,
    );
  });

  it("is only the directory if one is named", async () => {
    const providers = await prepareProviders({ mirror: folder }, { SSL_CERT_FILE: "/ca.pem" });
    expect(Object.keys(providers.environment).sort()).toEqual([
      "SSL_CERT_FILE",
      "TF_CLI_CONFIG_FILE",
    ]);
    expect(providers.initEnvironment, "downloads do not trust the local Azure").not.toHaveProperty(
      "SSL_CERT_FILE",
    );
    await providers.stop();
  });
});

describe("the environment of the program", () => {
  it("contains no credentials and no settings of the user", () => {
    const own = { PATH: "/bin", ARM_CLIENT_ID: "real", TF_LOG: "trace", SSL_CERT_FILE: "/x" };
    const environment = terraformEnvironment({ ARM_CLIENT_ID: "local" }, own);
    expect(environment).toMatchObject({ ARM_CLIENT_ID: "local", CHECKPOINT_DISABLE: "1" });
    expect(environment).not.toHaveProperty("TF_LOG");
    expect(environment).not.toHaveProperty("SSL_CERT_FILE");
    expect(environment).toHaveProperty("PATH", "/bin");
  });
});

describe("the settings of the user for downloads", () => {
  it("are mirrors, caches and certificate authorities in files that exist", () => {
    const own = {
      TF_PLUGIN_CACHE_DIR: "/cache",
      SSL_CERT_FILE: "/company.pem",
      SSL_CERT_DIR: "",
      TF_CLI_CONFIG_FILE: join(folder, "missing.tfrc"),
      ARM_CLIENT_SECRET: "real",
    };
    expect(personalConfiguration(own)).toEqual({
      TF_PLUGIN_CACHE_DIR: "/cache",
      SSL_CERT_FILE: "/company.pem",
    });
    const file = join(folder, "own.tfrc");
    writeFileSync(file, "");
    expect(personalConfiguration({ TF_CLI_CONFIG_FILE: file })).toEqual({
      TF_CLI_CONFIG_FILE: file,
    });
  });
});

describe("a message of the program", () => {
  it("is a change, the end of one, or a diagnostic", () => {
    const resource = { addr: "azurerm_resource_group.a", resource_type: "azurerm_resource_group" };
    const line = (content: object) => parseMessage(JSON.stringify(content));
    expect(
      line({ type: "planned_change", change: { resource, action: "replace", reason: "tainted" } }),
    ).toEqual({
      type: "change",
      change: {
        address: "azurerm_resource_group.a",
        type: "azurerm_resource_group",
        action: "replace",
        reason: "tainted",
      },
    });
    expect(line({ type: "apply_errored", hook: { resource, action: "create" } })).toEqual({
      type: "progress",
      progress: { address: "azurerm_resource_group.a", action: "create", succeeded: false },
    });
    expect(line({ type: "diagnostic", diagnostic: { severity: "warning", summary: "s" } })).toEqual(
      { type: "diagnostic", diagnostic: { severity: "warning", summary: "s", detail: "" } },
    );
    expect(line({ type: "version" })).toBeUndefined();
    expect(parseMessage("Terraform v1.11.4")).toBeUndefined();
  });

  it("becomes an error text with places and without warnings", () => {
    const error = new TerraformFailedError(
      "apply",
      [
        { severity: "warning", summary: "stand-in", detail: "" },
        { severity: "error", summary: "no", detail: "really", address: "azurerm_x.a" },
        { severity: "error", summary: "nor this", detail: "" },
      ],
      "output",
    );
    expect(error.code).toBe("ERR_TERRAFORM_FAILED");
    expect(error.message).toBe(
      "terraform apply failed\n\nerror: no\n  with azurerm_x.a\nreally\n\nerror: nor this",
    );
    expect(new TerraformFailedError("init", [], "output").message).toBe(
      "terraform init failed\n\noutput",
    );
  });
});
