import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { LocalCloudError } from "../base/index.js";
import type { ControlPlaneOptions } from "../control-plane/index.js";
import { LocalCloud } from "../index.js";
import { activityLog } from "./activity-log.js";
import { banner } from "./banner.js";
import { type Configuration, readConfiguration } from "./configuration.js";
import { declare, declareSubscriptions } from "./declare.js";
import { DEFAULT_DIRECTORY } from "./options.js";
import {
  findRunningInstance,
  prepareDirectory,
  removeRunningInstance,
  writeRunningInstance,
} from "./running-instance.js";
import type { Terminal } from "./terminal.js";

export const DEFAULT_CONFIGURATION_FILE = "cloud-eventgrid-local.json";

export interface StartOptions {
  readonly configFile: string | undefined;
  readonly quiet: boolean;
  /** Settings of the command line, which override the configuration file. */
  readonly flags: Configuration;
  /** The dashboard's token; `false` for none. @default a random one */
  readonly token: string | false | undefined;
}

/** Starts a cloud, prints its addresses, and runs until interrupted. */
export async function start(options: StartOptions, terminal: Terminal): Promise<void> {
  const configuration = configurationOf(options, terminal.directory);
  const directory = resolve(terminal.directory, configuration.directory ?? DEFAULT_DIRECTORY);
  await refuseSecondStart(directory);
  prepareDirectory(directory);

  const cloud = await LocalCloud.start(cloudOptions(configuration, directory, options, terminal));
  try {
    declare(cloud, configuration);
    const environment = configuration.control === false ? {} : environmentOf(cloud);
    const port = Number(new URL(cloud.httpOrigin).port);
    const token = new URL(cloud.dashboardUrl).searchParams.get("token") ?? undefined;
    const proxyEnvironment = configuration.control === false ? {} : cloud.proxyEnvironment();
    const { pid } = process;
    writeRunningInstance(directory, { pid, port, token, environment, proxyEnvironment });
    terminal.print(banner(cloud, configuration, environment));
    const declared = declareSubscriptions(cloud, configuration, terminal);
    await Promise.race([interruption(terminal.interrupted), failureOf(declared)]);
    terminal.print("Stopping.\n");
  } finally {
    removeRunningInstance(directory);
    await cloud.stop();
  }
}

/** Adds the issuer in tokens of deliveries, which has the HTTP address instead of HTTPS. */
function environmentOf(cloud: LocalCloud): Record<string, string> {
  return { ...cloud.terraformEnvironment(), CLOUD_AUTHORITY_HOST: cloud.authorityHost };
}

function configurationOf({ configFile, flags }: StartOptions, directory: string): Configuration {
  const byDefault = resolve(directory, DEFAULT_CONFIGURATION_FILE);
  const file = configFile === undefined ? byDefault : resolve(directory, configFile);
  if (configFile === undefined && !existsSync(file)) return flags;
  const fromFile = readConfiguration(file);
  return {
    ...fromFile,
    ...flags,
    ingress: { ...fromFile.ingress, ...flags.ingress },
    topics: [...(fromFile.topics ?? []), ...(flags.topics ?? [])],
  };
}

function cloudOptions(
  configuration: Configuration,
  directory: string,
  { quiet, token }: StartOptions,
  terminal: Terminal,
) {
  const { tenantId, subscriptionId, port, clock, ingress, control } = configuration;
  const { deadLetterDirectory = join(directory, "dead-letters") } = configuration;
  return {
    ...(tenantId === undefined ? {} : { tenantId }),
    ...(subscriptionId === undefined ? {} : { subscriptionId }),
    port: port ?? 0,
    clock: clock ?? "real",
    ingress: ingress ?? {},
    deadLetterDirectory: resolve(terminal.directory, deadLetterDirectory),
    control: control === false ? false : controlOptions(configuration, directory),
    ...(token === undefined ? {} : { dashboardToken: token }),
    ...(quiet ? {} : activityLog(terminal.print, awaitedSubscriptions(configuration))),
  };
}

function awaitedSubscriptions({ eventSubscriptions = [] }: Configuration): ReadonlySet<string> {
  return new Set(eventSubscriptions.map(({ name }) => name));
}

function controlOptions(configuration: Configuration, directory: string): ControlPlaneOptions {
  const { control, httpsPort, topics = [], eventSubscriptions = [] } = configuration;
  return {
    // Topics can only exist in a subscription that is registered.
    eventGridRegistered: topics.length + eventSubscriptions.length > 0,
    ...(typeof control === "object" ? control : {}),
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

/** Rejects when the work fails, and otherwise never settles. */
async function failureOf(work: Promise<void>): Promise<void> {
  await work;
  await new Promise(() => {});
}
