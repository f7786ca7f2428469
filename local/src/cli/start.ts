import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { LocalCloudError } from "../base/index.js";
import type { ControlPlaneOptions } from "../control-plane/index.js";
import { LocalCloud, type LocalCloudOptions } from "../index.js";
import { functionAppRoutes } from "../network/index.js";
import { banner } from "./banner.js";
import { type Configuration, readConfiguration } from "./configuration.js";
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
  /** What only the command line sets. */
  readonly access: Pick<
    LocalCloudOptions,
    "dashboardToken" | "persist" | "host" | "hostNames" | "proxyForward"
  >;
  /** Overrides the deployer's secret in the configuration file. */
  readonly deployerSecret: string | undefined;
}

/** Starts a cloud, prints its addresses, and runs until interrupted. */
export async function start(options: StartOptions, terminal: Terminal): Promise<void> {
  const file = fileOf(options, terminal.directory);
  const text = textOf(file);
  const configuration = configurationOf(options, terminal.directory);
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
    writeRunningInstance(directory, { pid, port, token, environment, proxyEnvironment });
    const printed = withAuthoritiesOf(process.env, environment, directory);
    terminal.print(banner(cloud, configuration, printed));
    const unwatch = watchConfiguration(options, text, declarations, terminal);
    await Promise.race([interruption(terminal.interrupted), failed]).finally(unwatch);
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

function fileOf({ configFile }: StartOptions, directory: string): string {
  return resolve(directory, configFile ?? DEFAULT_CONFIGURATION_FILE);
}

function configurationOf(options: StartOptions, directory: string): Configuration {
  const { configFile, flags } = options;
  const file = fileOf(options, directory);
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
  options: StartOptions,
  terminal: Terminal,
) {
  const { quiet, access } = options;
  const { persist } = access;
  const { tenantId, subscriptionId, port, clock, ingress, control } = configuration;
  const { deadLetterDirectory = join(directory, "dead-letters") } = configuration;
  const { storageConnectionString, azurite, blobPort } = configuration;
  return {
    tenantId,
    subscriptionId,
    port,
    clock,
    ingress,
    deadLetterDirectory: resolve(terminal.directory, deadLetterDirectory),
    storageConnectionString,
    azurite,
    blobPort,
    control: control === false ? false : controlOptions(configuration, directory, options),
    ...access,
    persist: persist === undefined ? undefined : resolve(terminal.directory, persist),
    ...(quiet ? {} : consoleLog(terminal.print, awaitedSubscriptions(configuration))),
  };
}

/** Real milliseconds between looks at the configuration file. */
const WATCH_INTERVAL_MS = 500;

/**
 * Applies changes of the configuration file while the cloud runs. An invalid file changes nothing.
 *
 * @param text what the file contained at the start
 * @returns a function that ends it
 */
function watchConfiguration(
  options: StartOptions,
  text: string,
  declarations: Declarations,
  terminal: Terminal,
): () => void {
  const file = fileOf(options, terminal.directory);
  const printError = (error: unknown) =>
    terminal.printError(`${error instanceof Error ? error.message : error}\n`);
  let lastText = text;
  // Polling sees a file that an editor replaces, and one on a container's volume.
  const timer = setInterval(() => {
    const newText = textOf(file);
    if (newText === lastText) return;
    lastText = newText;
    try {
      const configuration = configurationOf(options, terminal.directory);
      const needsRestart = declarations.needsRestart(configuration);
      declarations.apply(configuration, printError);
      terminal.print("The configuration has changed and is in effect.\n");
      if (needsRestart.length > 0) {
        terminal.print(`Restart for the changes of ${needsRestart.join(", ")}.\n`);
      }
    } catch (error) {
      printError(error);
    }
  }, WATCH_INTERVAL_MS).unref();
  return () => clearInterval(timer);
}

/** Empty if the file does not exist. */
function textOf(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

function awaitedSubscriptions({ eventSubscriptions = [] }: Configuration): ReadonlySet<string> {
  return new Set(eventSubscriptions.map(({ name }) => name));
}

function controlOptions(
  configuration: Configuration,
  directory: string,
  { deployerSecret }: StartOptions,
): ControlPlaneOptions {
  const {
    control,
    httpsPort,
    topics = [],
    domains = [],
    namespaces = [],
    eventSubscriptions = [],
  } = configuration;
  const declared = typeof control === "object" ? control : {};
  const { deployer } = declared;
  return {
    // Topics can only exist in a subscription that is registered.
    eventGridRegistered: [topics, domains, namespaces, eventSubscriptions].some(
      ({ length }) => length > 0,
    ),
    ...declared,
    deployer: { ...deployer, secret: deployerSecret ?? deployer?.secret },
    httpsPort,
    certificateDirectory: directory,
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

function interruption(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
