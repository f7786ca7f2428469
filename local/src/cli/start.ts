import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ControlPlaneOptions } from "../control-plane/index.js";
import { LocalCloudError } from "../errors.js";
import { LocalCloud } from "../local-cloud.js";
import { activityLog } from "./activity-log.js";
import { DEFAULT_CONFIGURATION_FILE, DEFAULT_DIRECTORY } from "./arguments.js";
import { banner } from "./banner.js";
import { type Configuration, readConfiguration } from "./configuration.js";
import { declare, declareSubscriptions } from "./declare.js";
import {
  findRunningInstance,
  prepareDirectory,
  removeRunningInstance,
  writeRunningInstance,
} from "./running-instance.js";
import type { Terminal } from "./terminal.js";

export interface StartOptions {
  readonly configFile: string | undefined;
  readonly quiet: boolean;
  readonly flags: Configuration;
}

/** Starts a cloud, tells what there is to know of it, and runs it until the terminal ends it. */
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
    writeRunningInstance(directory, { pid: process.pid, port, environment });
    terminal.print(banner(cloud, configuration, environment));
    const declared = declareSubscriptions(cloud, configuration, terminal);
    await Promise.race([interruption(terminal.interrupted), failureOf(declared)]);
    terminal.print("Stopping.\n");
  } finally {
    removeRunningInstance(directory);
    await cloud.stop();
  }
}

/**
 * Two addresses of Entra: programs that sign in need the one with TLS, while the tokens of
 * deliveries name the one without.
 */
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
  { quiet }: StartOptions,
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
    ...(quiet ? {} : activityLog(terminal.print, awaitedSubscriptions(configuration))),
  };
}

function awaitedSubscriptions({ eventSubscriptions = [] }: Configuration): ReadonlySet<string> {
  return new Set(eventSubscriptions.map(({ name }) => name));
}

function controlOptions(configuration: Configuration, directory: string): ControlPlaneOptions {
  const { control, httpsPort, topics = [], eventSubscriptions = [] } = configuration;
  return {
    // A subscription that has topics was registered before it got them.
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
    `A local Azure runs with ${directory} already (process ${running.pid}, port ${running.port}). Stop it, or give this one another --directory.`,
  );
}

function interruption(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Ends only by failing: declared subscriptions that are made are no reason to stop. */
async function failureOf(work: Promise<void>): Promise<void> {
  await work;
  await new Promise(() => {});
}
