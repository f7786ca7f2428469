import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { inDirectory, LocalCloudError } from "../base/index.js";
import type { DeadLetter, PendingDelivery } from "../eventgrid/index.js";
import type { Route } from "../http/index.js";
import { DeliveryJournal, notStored } from "./delivery-journal.js";
import { keepCopy } from "./record-log.js";
import { StateFile, type StatePart } from "./state-file.js";

/**
 * Changes that were made by calls instead of requests are saved within this time. A write that failed
 * is repeated after it.
 */
const SAVE_INTERVAL_MS = 250;

/** Saves the state before the response to a request that may have changed it. */
export function savingRoute(route: Route, save: () => void): Route {
  return (exchange) => {
    const mayChange = exchange.method !== "GET" && exchange.method !== "HEAD";
    return route(mayChange ? { ...exchange, onRespond: save } : exchange);
  };
}

/** Keeps a cloud's state in a directory: its resources and its undelivered events. */
export class Persistence {
  readonly journal: DeliveryJournal;
  #state: StateFile | undefined;
  #timer: NodeJS.Timeout | undefined;
  #resources: readonly object[] = [];
  #stopped = false;
  #isFailing = false;

  /** @throws LocalCloudError `ERR_DIRECTORY` or `ERR_PERSISTED_STATE_IN_USE` */
  constructor(
    private readonly directory: string,
    deadLetters: () => readonly DeadLetter[],
  ) {
    this.journal = inDirectory(directory, () => {
      lock(directory);
      try {
        return new DeliveryJournal(this.#logFile, deadLetters);
      } catch (error) {
        unlock(directory);
        throw error;
      }
    });
  }

  /**
   * Restores the parts and saves them from now on.
   *
   * @throws LocalCloudError `ERR_PERSISTED_STATE`
   */
  start(parts: Readonly<Record<string, StatePart>>): void {
    const state = new StateFile(this.#stateFile, parts);
    state.load();
    if (state.exists && this.journal.isNew) {
      process.emitWarning(
        `${this.#logFile} is missing or empty, although ${this.#stateFile} exists: undelivered events and dead letters are lost. To deliver them, stop the local Azure and restore the log from a copy.`,
      );
    }
    // Only now: a state that cannot be read must not be overwritten when the cloud stops.
    this.#state = state;
    this.#timer = setInterval(() => this.#saveOrWarn(), SAVE_INTERVAL_MS).unref();
  }

  get #stateFile(): string {
    return join(this.directory, "state.json");
  }

  /** Reports undelivered events whose event subscriptions the state lacks, and keeps a copy of them. */
  setAside(unknown: readonly PendingDelivery[]): void {
    if (unknown.length === 0) return;
    const copy = keepCopy(this.#logFile);
    for (const { event, subscriptionId } of unknown) {
      this.journal.settled([event], subscriptionId);
    }
    process.emitWarning(
      `${this.#stateFile} does not contain the event subscriptions of ${unknown.length} undelivered events. ${copy} keeps the events: to deliver them, restore both files.`,
    );
  }

  get #logFile(): string {
    return join(this.directory, "deliveries.log");
  }

  /** Writes everything. A full disk is reported once. */
  #saveOrWarn(): void {
    const failures = [() => this.save(), () => this.journal.flush()].flatMap((write) => {
      try {
        write();
        return [];
      } catch (error) {
        return [error];
      }
    });
    const [failure] = failures;
    if (failure instanceof Error && !this.#isFailing) {
      process.emitWarning(`${this.directory}: ${failure.message}`);
    }
    this.#isFailing = failures.length > 0;
  }

  /** @throws ServiceError 503 if the state cannot be written */
  save(): void {
    try {
      this.#state?.save();
    } catch (cause) {
      throw notStored(cause);
    }
  }

  /**
   * Called before events are accepted. Saves the state if resources were added or replaced since the
   * last call, so that no event is accepted for a topic or subscription that the file lacks.
   *
   * @throws ServiceError 503 if the state or earlier records of the journal cannot be written
   */
  prepare(resources: readonly object[]): void {
    this.journal.retry();
    const isSame =
      resources.length === this.#resources.length &&
      resources.every((each, index) => each === this.#resources[index]);
    if (isSame) return;
    this.save();
    this.#resources = resources;
  }

  /** Saves everything before the cloud stops. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    clearInterval(this.#timer);
    this.#saveOrWarn();
    this.#state = undefined;
    this.journal.close();
    unlock(this.directory);
  }
}

/** Directories that clouds of this process use. */
const locked = new Set<string>();

/**
 * A crash leaves the lock file behind, so the lock is valid only while its process runs. In a
 * container the next process often has the same process ID.
 *
 * @throws LocalCloudError `ERR_PERSISTED_STATE_IN_USE`
 */
function lock(directory: string): void {
  const owner = ownerOf(directory);
  if (locked.has(resolve(directory)) || (owner !== process.pid && isRunning(owner))) {
    throw new LocalCloudError(
      "ERR_PERSISTED_STATE_IN_USE",
      `The process ${owner} already keeps its state in ${directory}. Stop it, or choose another directory. If it is not a local Azure, delete ${lockFile(directory)}.`,
    );
  }
  writeFileSync(lockFile(directory), String(process.pid));
  locked.add(resolve(directory));
}

function unlock(directory: string): void {
  locked.delete(resolve(directory));
  rmSync(lockFile(directory), { force: true });
}

function lockFile(directory: string): string {
  return join(directory, "lock");
}

function ownerOf(directory: string): number {
  try {
    return Number(readFileSync(lockFile(directory), "utf8"));
  } catch {
    return 0;
  }
}

function isRunning(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    return process.kill(pid, 0) && !isZombie(pid);
  } catch (error) {
    // The process is running, but belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** A killed process whose parent has not collected it yet; some containers never do. */
function isZombie(pid: number): boolean {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
