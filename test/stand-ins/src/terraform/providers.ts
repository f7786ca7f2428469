import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import type { AzurermRelease } from "../azurerm/releases.js";
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
 *
 * @param azurerm - the release that a stand-in serves; of real providers, the configuration decides
 */
export async function prepareProviders(
  source: ProviderSource,
  cloudEnvironment: Readonly<Record<string, string>>,
  azurerm?: AzurermRelease,
): Promise<Providers> {
  if (source === "registry") {
    const own = personalConfiguration();
    const environment = { ...own, ...cloudEnvironment };
    return { source, initEnvironment: own, environment, stop: async () => {} };
  }
  const folder = mkdtempSync(join(tmpdir(), "cloud-eventgrid-terraform-"));
  // Replaces the user's own configuration.
  const TF_CLI_CONFIG_FILE = join(folder, "terraform.tfrc");
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  if (source !== "stand-ins") {
    writeFileSync(TF_CLI_CONFIG_FILE, mirrorConfiguration(source.mirror));
    const environment = { TF_CLI_CONFIG_FILE, ...cloudEnvironment };
    const initEnvironment = { TF_CLI_CONFIG_FILE };
    return { source, initEnvironment, environment, stop: async () => removeFolder() };
  }
  writeFileSync(TF_CLI_CONFIG_FILE, "");
  writeFileSync(join(folder, "sleep"), quickSleep, { mode: 0o755 });
  const standIns = await startStandIns({ environment: cloudEnvironment, azurerm });
  const environment = {
    TF_CLI_CONFIG_FILE,
    PATH: `${folder}${delimiter}${process.env.PATH ?? ""}`,
    ...standIns.environment,
    ...cloudEnvironment,
  };
  return {
    source,
    initEnvironment: environment,
    environment,
    stop: async () => {
      standIns.stop();
      removeFolder();
    },
  };
}

/**
 * A `sleep` for provisioners that shortens times of half a minute and more, which are meant for
 * Azure, to two seconds.
 */
const quickSleep =
  '#!/bin/sh\n[ "$1" -ge 30 ] && set -- 2\nexec env PATH=/usr/bin:/bin sleep "$1"\n';

/** Configures Terraform to take all providers from that directory. */
function mirrorConfiguration(mirror: string): string {
  return `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(resolve(mirror))}\n  }\n}\n`;
}
