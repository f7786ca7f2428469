import { type FailureRun, LOCK_MS } from "./failure-run.js";
import type { Delivery, Recorder } from "./recorder.js";

export interface Findings {
  /** Events that no handler has finished. */
  readonly lost: readonly string[];
  /** How many events were handled again after a handler had finished, by the reason. */
  readonly repeats: Readonly<Record<string, number>>;
  readonly unexplained: readonly object[];
  /** How many deliveries were not the first, by what had ended the lock before. */
  readonly redeliveries: Readonly<Record<string, number>>;
  /** Deliveries of events whose lock had neither run out nor been released. */
  readonly early: readonly object[];
}

/** Compares what the receivers handled with the record of their requests. */
export function findingsOf(run: FailureRun): Findings {
  const { recorder } = run;
  const handled = run.handled();
  const finished = new Set(handled.filter(({ threw }) => !threw).map(({ id }) => id));
  const ids = Array.from({ length: run.published }, (_, id) => String(id));
  const repeats: Record<string, number> = {};
  const unexplained: object[] = [];
  for (const lines of groups(handled)) {
    lines.sort((one, other) => one.at - other.at);
    for (const line of lines.slice(0, -1)) {
      const reason = whyAgain(run, line, lines);
      if (reason === undefined) unexplained.push({ lines, ...aboutEvent(recorder, line.id) });
      else repeats[reason] = (repeats[reason] ?? 0) + 1;
    }
  }
  return {
    lost: ids.filter((id) => !finished.has(id)),
    repeats,
    unexplained,
    ...redeliveriesOf(run),
  };
}

type Handled = ReturnType<FailureRun["handled"]>[number];

/** Why an event was handled again although this handler had done its work. */
function whyAgain(run: FailureRun, line: Handled, lines: readonly Handled[]): string | undefined {
  const { recorder, services, restarts, publishedAgain } = run;
  if (line.threw) return "the handler threw after its work";
  if (publishedAgain.has(line.id)) return "the event was published twice";
  const isKilled = services.some(({ killedAt }) => killedAt.has(line.pid));
  if (isKilled) return "the receiver was killed";
  const frozen = services.flatMap((service) => service.frozen.map(({ pid }) => pid));
  if (lines.some(({ pid }) => frozen.includes(pid))) return "a receiver was frozen";
  const settlements = recorder.deliveries
    .filter(({ id, attempt }) => id === line.id && attempt === line.attempt)
    .flatMap(({ lockToken }) => recorder.settlements.get(lockToken) ?? []);
  if (settlements.some(({ succeeded }) => succeeded === true)) return undefined;
  const overlaps = ({ from, to }: { readonly from: number; readonly to: number }) =>
    from - LOCK_MS <= line.at && line.at <= to;
  if (restarts.some(overlaps)) return "the local Azure was restarted";
  return settlements.length > 0 ? "its settlement failed until the lock ran out" : undefined;
}

/** Why each event was delivered again: the end of the lock that the delivery before had. */
function redeliveriesOf({ recorder, restarts }: FailureRun) {
  const redeliveries = { released: 0, lockExpired: 0, restarted: 0, responseLost: 0 };
  const early: object[] = [];
  const reasonOf = (delivery: Delivery, before: Delivery | undefined) => {
    // Nobody has seen the delivery before.
    if (!before) return "responseLost";
    const settlements = recorder.settlements.get(before.lockToken) ?? [];
    const isReleased = settlements.some(
      ({ operation, succeeded }) => operation === "release" && succeeded !== false,
    );
    if (isReleased) return "released";
    if (restarts.some(({ to }) => before.at <= to && to <= delivery.at)) return "restarted";
    // A delivery is recorded when its response arrives, some time after the lock began.
    return delivery.at - before.at >= LOCK_MS / 2 ? "lockExpired" : undefined;
  };
  for (const deliveries of groups(recorder.deliveries)) {
    for (const delivery of deliveries) {
      if (delivery.attempt === 1) continue;
      const before = deliveries.findLast(
        ({ attempt, at }) => attempt === delivery.attempt - 1 && at <= delivery.at,
      );
      const reason = reasonOf(delivery, before);
      if (reason) redeliveries[reason] += 1;
      else early.push({ before, delivery, ...aboutEvent(recorder, delivery.id) });
    }
  }
  return { redeliveries, early };
}

function aboutEvent({ deliveries, settlements }: Recorder, eventId: string) {
  return {
    record: deliveries
      .filter(({ id }) => id === eventId)
      .map((delivery: Delivery) => ({
        ...delivery,
        settlements: settlements.get(delivery.lockToken),
      })),
  };
}

function groups<T extends { readonly id: string }>(items: readonly T[]): T[][] {
  const byId = new Map<string, T[]>();
  for (const item of items) {
    const group = byId.get(item.id);
    if (group) group.push(item);
    else byId.set(item.id, [item]);
  }
  return [...byId.values()];
}
