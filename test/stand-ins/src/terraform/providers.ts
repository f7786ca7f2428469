import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { startStandIns } from "../stand-ins.js";
import { personalConfiguration } from "./environment.js";

/**
 * Where Terraform's providers come from: stand-ins in this process; the real ones, downloaded from
 * the registry; or the real ones from a directory (a filesystem mirror, as made by
 * `terraform providers mirror`).
 */
export type ProviderSource = "stand-ins" | "registry" | { readonly mirror: string };

/**
 * Parses a source of providers: `stand-ins`, `registry`, or the path of a directory with providers.
 */
export function providerSource(text: string): ProviderSource {
  return text === "stand-ins" || text === "registry" ? text : { mirror: text };
}

/** Providers that are ready for use, and the environment variables that make Terraform use them. */
export interface Providers {
  readonly source: ProviderSource;
  /** For `init`, which may download: has no variables of the local Azure. */
  readonly initEnvironment: Readonly<Record<string, string>>;
  /** For all other commands: also has the variables of the cloud. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/**
 * Prepares providers that act on the cloud of `cloudEnvironment`, the variables that the real
 * providers read (see {@link startStandIns}). Providers of every source use the same cloud.
 */
export async function prepareProviders(
  source: ProviderSource,
  cloudEnvironment: Readonly<Record<string, string>>,
): Promise<Providers> {
  if (source === "registry") {
    const own = personalConfiguration();
    const environment = { ...own, ...cloudEnvironment };
    return { source, initEnvironment: own, environment, stop: async () => {} };
  }
  if (source !== "stand-ins") {
    const file = configurationFile(mirrorConfiguration(source.mirror));
    const initEnvironment = { TF_CLI_CONFIG_FILE: file.path };
    const environment = { ...initEnvironment, ...cloudEnvironment };
    return { source, initEnvironment, environment, stop: async () => file.remove() };
  }
  const standIns = await startStandIns({ environment: cloudEnvironment });
  const file = configurationFile("");
  const environment = {
    TF_CLI_CONFIG_FILE: file.path,
    PATH: `${quickSleep(file.folder)}${delimiter}${process.env.PATH ?? ""}`,
    ...standIns.environment,
    ...cloudEnvironment,
  };
  return {
    source,
    initEnvironment: environment,
    environment,
    stop: async () => {
      standIns.stop();
      file.remove();
    },
  };
}

/** Writes a configuration file for Terraform that replaces the user's own. */
function configurationFile(text: string) {
  const folder = mkdtempSync(join(tmpdir(), "cloud-eventgrid-terraform-"));
  const path = join(folder, "terraform.tfrc");
  writeFileSync(path, text);
  return { path, folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * Installs a `sleep` for provisioners that shortens times of half a minute and more, which are
 * meant for Azure, to two seconds.
 *
 * @returns the folder that it is in
 */
function quickSleep(folder: string): string {
  const script = '#!/bin/sh\n[ "$1" -ge 30 ] && set -- 2\nexec env PATH=/usr/bin:/bin sleep "$1"\n';
  writeFileSync(join(folder, "sleep"), script, { mode: 0o755 });
  return folder;
}

/** Configures Terraform to take all providers from that directory. */
function mirrorConfiguration(mirror: string): string {
  const path = resolve(mirror);
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Error(`the mirror of Terraform providers is not a directory: ${path}`);
  }
  return `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(path)}\n  }\n}\n`;
}
