import { setTimeout } from "node:timers/promises";
import { type Assessment, assess } from "./assessment.js";
import { type HandshakeOptions, sendHandshake } from "./handshake.js";

/** How often and how long to probe a webhook. */
export interface ProbeOptions extends Omit<HandshakeOptions, "timeout"> {
  readonly attempts: number;
  /** Milliseconds between the end of one handshake and the next. */
  readonly interval: number;
  /** Milliseconds for the whole probe; no handshake takes longer. */
  readonly timeout: number;
  /** Timeout of one handshake in milliseconds. */
  readonly attemptTimeout: number;
  /** Whether a failure is worth another attempt. @default every failure */
  readonly retryWhen?: (attempt: Attempt) => boolean;
  /** Called after each attempt, with the milliseconds until the next one if there is one. */
  readonly onAttempt?: (attempt: Attempt, next: number | undefined) => void;
  /** A monotonic clock in milliseconds. @default performance.now */
  readonly now?: () => number;
  /** @default a timer */
  readonly sleep?: (milliseconds: number) => Promise<void>;
}

export interface Attempt extends Assessment {
  /** Counted from 1. */
  readonly attempt: number;
  readonly durationMs: number;
  /** The header `Date` of the answer. */
  readonly date: string | undefined;
  /** The IP address that answered; undefined through a proxy. */
  readonly address: string | undefined;
}

export interface ProbeResult {
  readonly last: Attempt;
  readonly attempts: readonly Attempt[];
}

/**
 * Repeats the handshake until the webhook consents, or until attempts or time are used up. Every
 * failure is retried, because names, certificates and routes all appear during a deployment.
 *
 * @returns every attempt, and the last one, which decides
 */
export async function probe(url: URL, options: ProbeOptions): Promise<ProbeResult> {
  const { now = () => performance.now(), sleep = setTimeout, interval, onAttempt } = options;
  const end = now() + options.timeout;
  const attempts: Attempt[] = [];
  for (;;) {
    const start = now();
    const timeout = Math.max(1, Math.min(options.attemptTimeout, end - start));
    const result = await sendHandshake(url, { ...options, timeout });
    const durationMs = Math.round(now() - start);
    const attempt = attempts.length + 1;
    const last: Attempt = {
      attempt,
      durationMs,
      ...assess(result, options.origin),
      date: result.kind === "answer" ? result.headers.date : undefined,
      address: result.kind === "answer" ? result.address : undefined,
    };
    attempts.push(last);
    const again =
      last.outcome !== "consent" &&
      attempt < options.attempts &&
      now() + interval < end &&
      (options.retryWhen?.(last) ?? true);
    onAttempt?.(last, again ? interval : undefined);
    if (!again) return { last, attempts };
    await sleep(interval);
  }
}
