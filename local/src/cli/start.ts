import { once } from "node:events";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { LocalCloudError } from "../base/index.js";
import { LocalCloud, type LocalCloudOptions } from "../index.js";
import { functionAppRoutes, reachableName } from "../network/index.js";
import { banner } from "./banner.js";
import { type Configuration, cloudSettingsIn, readConfiguration } from "./configuration.js";
import { consoleLog } from "./console-log.js";
import { Declarations } from "./declarations.js";
import { DEFAULT_DIRECTORY } from "./options.js";
import {
  findRunningInstance,
  prepareDirectory,
  removeRunningInstance,
  writeRunningInstance,
} from "./running-instance.js";
import { withAuthoritiesOf } from "./shell.js";
import type { Terminal } from "./terminal.js";

export const DEFAULT_CONFIGURATION_FILE = "cloud-eventgrid-local.json";

export interface StartOptions {
  readonly configFile: string | undefined;
  readonly quiet: boolean;
  /** Settings of the command line, which override the configuration file. */
  readonly flags: Configuration;
  /** Overrides the deployer's secret in the configuration file. */
  readonly deployerSecret: string | undefined;
}

/** Starts a cloud, prints its addresses, and runs until interrupted. */
export async function start(options: StartOptions, terminal: Terminal): Promise<void> {
  const file = resolve(terminal.directory, options.configFile ?? DEFAULT_CONFIGURATION_FILE);
  const configuration = configurationOf(options, file);
  const directory = resolve(terminal.directory, configuration.directory ?? DEFAULT_DIRECTORY);
  await refuseSecondStart(directory);
  prepareDirectory(directory);

  const cloud = await LocalCloud.start(cloudOptions(configuration, directory, options, terminal));
  try {
    const declarations = new Declarations(cloud, terminal);
    const failed = new Promise<never>((_, reject) => declarations.apply(configuration, reject));
    failed.catch(() => {});
    const environment = environmentOf(cloud, configuration);
    const port = Number(new URL(cloud.httpOrigin).port);
    const token = new URL(cloud.dashboardUrl).searchParams.get("token") ?? undefined;
    const proxyEnvironment = configuration.control === false ? {} : cloud.proxyEnvironment();
    const { pid } = process;
    const host = reachableName(configuration.host ?? "127.0.0.1");
    writeRunningInstance(directory, { pid, port, host, token, environment, proxyEnvironment });
    const printed = withAuthoritiesOf(process.env, environment, directory);
    terminal.print(banner(cloud, configuration, printed));
    const { interrupted } = terminal;
    const ended = interrupted.aborted ? undefined : once(interrupted, "abort");
    await Promise.race([ended, failed]);
    terminal.print("Stopping.\n");
  } finally {
    removeRunningInstance(directory);
    await cloud.close();
  }
}

function environmentOf(
  cloud: LocalCloud,
  { control, azurite }: Configuration,
): Record<string, string> {
  return {
    // The issuer in tokens of deliveries has the HTTP address instead of HTTPS.
    ...(control === false
      ? {}
      : { ...cloud.terraformEnvironment(), CLOUD_AUTHORITY_HOST: cloud.authorityHost }),
    ...(azurite === undefined
      ? {}
      : { AZURE_STORAGE_CONNECTION_STRING: cloud.storageConnectionString }),
  };
}

function configurationOf({ configFile, flags }: StartOptions, file: string): Configuration {
  const hasFile = configFile !== undefined || existsSync(file);
  const fromFile = hasFile ? readConfiguration(file) : {};
  const functionApps = { ...fromFile.functionApps, ...flags.functionApps };
  return {
    ...fromFile,
    ...flags,
    ingress: { ...functionAppRoutes(functionApps), ...fromFile.ingress, ...flags.ingress },
    topics: [...(fromFile.topics ?? []), ...(flags.topics ?? [])],
  };
}

function cloudOptions(
  configuration: Configuration,
  directory: string,
  { quiet, deployerSecret }: StartOptions,
  terminal: Terminal,
): LocalCloudOptions {
  const settings = cloudSettingsIn(configuration);
  const { deadLetterDirectory = join(directory, "dead-letters"), persist } = settings;
  const { control, httpsPort, topics, domains, namespaces, eventSubscriptions } = configuration;
  const declared = typeof control === "object" ? control : {};
  const secret = deployerSecret ?? declared.deployer?.secret;
  const awaited = new Set(eventSubscriptions?.map(({ name }) => name));
  return {
    ...settings,
    deadLetterDirectory: resolve(terminal.directory, deadLetterDirectory),
    persist: persist === undefined ? undefined : resolve(terminal.directory, persist),
    control: control !== false && {
      // Topics can only exist in a subscription that is registered.
      eventGridRegistered: [topics, domains, namespaces, eventSubscriptions].some(
        (each) => each !== undefined && each.length > 0,
      ),
      ...declared,
      deployer: { ...declared.deployer, secret },
      httpsPort,
      certificateDirectory: directory,
    },
    ...(quiet ? {} : consoleLog(terminal.print, awaited)),
  };
}

async function refuseSecondStart(directory: string): Promise<void> {
  const running = await findRunningInstance(directory);
  if (!running) return;
  throw new LocalCloudError(
    "ERR_ALREADY_RUNNING",
    `A local Azure already runs in ${directory} (process ${running.pid}, port ${running.port}). Stop it, or choose another --directory.`,
  );
}
