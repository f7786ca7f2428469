import { setTimeout as sleep } from "node:timers/promises";
import { Azure, type AzureDependencies } from "../azure/index.js";
import type { CloudName } from "../cloud.js";
import { aligned, ExitCode, shownUrl, type Terminal } from "../terminal/index.js";
import { LocalDelivery, loadLocalCloud } from "./delivery.js";
import { type LocalService, readLocalService, type ServiceFlags } from "./local-service.js";
import { Recording } from "./recording.js";
import { Session } from "./session.js";
import {
  EXPIRY_MINUTES,
  type FilterFlags,
  listSubscriptions,
  newName,
  openAccount,
  originOf,
  owner,
  QueueSource,
  readAccountId,
  readFilter,
  readScope,
  type Scope,
  type SubscriptionServices,
} from "./source/index.js";

export interface ListenFlags extends FilterFlags, ServiceFlags {
  readonly scope: string;
  readonly storageAccount?: string;
  readonly cloud: CloudName;
  readonly tenant?: string;
  readonly record?: string;
  readonly localPort?: number;
  readonly clean?: true;
}

/** Dependencies that tests replace. */
export interface ListenEnvironment extends AzureDependencies {
  readonly now?: () => number;
  /** Waits; the signal ends it early. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Seconds until the queue hands out a message again that was not settled. */
  readonly visibilitySeconds?: number;
}

/** Waits at most so long. It does not reject when the signal ends it. */
const waitFor: NonNullable<ListenEnvironment["wait"]> = (milliseconds, signal) =>
  sleep(milliseconds, undefined, { signal }).catch(() => undefined);

/**
 * Delivers the events of a scope to a service on this machine until the command is interrupted.
 *
 * @returns the exit code
 */
export async function listen(
  terminal: Terminal,
  webhook: string | undefined,
  flags: ListenFlags,
  environment: ListenEnvironment,
): Promise<number> {
  const scope = readScope(flags.scope);
  const filter = readFilter(flags);
  const service = readLocalService(webhook, flags, terminal);
  const accountId = readAccountId(flags.storageAccount);
  const interruption = terminal.interruption?.() ?? new AbortController().signal;
  const local = await loadLocalCloud();
  terminal.progress("signing in");
  const azure = await Azure.signIn(flags.cloud, flags.tenant, terminal.env, environment);
  const caller = await azure.caller();
  const { now = Date.now, wait = waitFor, visibilitySeconds } = environment;
  // Clean-up waits too, after the interruption.
  const never = new AbortController().signal;
  const services: SubscriptionServices = {
    azure,
    caller,
    now,
    wait: (milliseconds) => wait(milliseconds, interruption.aborted ? never : interruption),
  };
  const subscriptions = await listSubscriptions(azure, scope, caller);
  noteLeft(
    terminal.error,
    subscriptions.filter(({ name }) => originOf(name) === "ended"),
  );
  const account = await openAccount(azure, accountId, caller, terminal.env);
  const options = { filter, labels: ["cloud-eventgrid listen", owner], visibilitySeconds };
  const source = new QueueSource(account, scope, newName(), options, services);
  const recording =
    flags.record === undefined
      ? undefined
      : new Recording(terminal.directory, flags.record, scope.id);
  const delivery = await LocalDelivery.start(local, {
    service,
    tenantId: service.tenantId ?? caller.tenantId,
    port: flags.localPort,
    onAttempt: (attempt) => session.attempted(attempt),
  });
  const session = new Session({
    terminal,
    source,
    service,
    delivery,
    recording,
    now,
    wait,
    interruption,
  });
  let left: readonly string[] = [];
  try {
    terminal.progress("creating the event subscription");
    await source.open();
    terminal.out(banner(scope, service, source, delivery));
    await session.run();
  } finally {
    terminal.progress("deleting the event subscription");
    left = await source.close();
    await delivery.stop();
    recording?.close();
    for (const text of left) terminal.error(`Not deleted: ${text}\n`);
    if (left.length > 0) terminal.error(LEFT_BEHIND);
  }
  terminal.out(session.summary());
  return left.length > 0 ? ExitCode.problems : ExitCode.ok;
}

const LEFT_BEHIND = `An event subscription expires within ${EXPIRY_MINUTES} minutes; listen --clean deletes the rest.\n`;

/** Names the event subscriptions that a `listen` has left behind. */
function noteLeft(
  error: Terminal["error"],
  subscriptions: readonly { readonly name: string }[],
): void {
  if (subscriptions.length === 0) return;
  const names = subscriptions.map(({ name }) => name).join(", ");
  error(`Note: a listen that was killed left ${names} behind. Delete it with --clean.\n`);
}

function banner(
  scope: Scope,
  service: LocalService,
  source: QueueSource,
  { dashboardUrl, authorityHost, tenantId }: LocalDelivery,
): string {
  const rows = [
    ["scope", scope.id],
    ...source.rows,
    ["service", shownUrl(service.url)],
    ["dashboard", dashboardUrl],
    ["tokens", `from ${authorityHost}, tenant ${tenantId}, application ${service.applicationId}`],
  ];
  const table = aligned(rows)
    .map((row) => `  ${row}\n`)
    .join("");
  const { issuerVariable: variable } = service;
  const assignment =
    process.platform === "win32"
      ? `$env:${variable} = '${authorityHost}'`
      : `export ${variable}='${authorityHost}'`;
  return `Listening until Ctrl-C.\n\n${table}\nStart the service with the issuer of these tokens:\n\n  ${assignment}\n\n`;
}
