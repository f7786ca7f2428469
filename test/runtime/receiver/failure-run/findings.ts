import { type FailureRun, LOCK_MS } from "./failure-run.js";

export interface Findings {
  /** Events that no handler has finished. */
  readonly lost: readonly string[];
  /** How many events were handled again after a handler had finished, by the reason. */
  readonly repeats: Readonly<Record<string, number>>;
  readonly unexplained: readonly object[];
}

type Handled = ReturnType<FailureRun["handled"]>[number];

/** Compares what the receivers handled with the record of their requests. */
export function findingsOf(run: FailureRun): Findings {
  const byId = new Map<string, Handled[]>();
  for (const line of run.handled()) byId.set(line.id, [...(byId.get(line.id) ?? []), line]);
  const repeats: Record<string, number> = {};
  const unexplained: object[] = [];
  for (const [id, lines] of byId) {
    lines.sort((one, other) => one.at - other.at);
    for (const line of lines.slice(0, -1)) {
      const reason = whyAgain(run, line, lines);
      if (reason !== undefined) repeats[reason] = (repeats[reason] ?? 0) + 1;
      else unexplained.push({ lines, deliveries: run.recorder.deliveriesOf(id) });
    }
  }
  const ids = Array.from({ length: run.published }, (_, id) => String(id));
  const isLost = (id: string) => !byId.get(id)?.some(({ threw }) => !threw);
  return { lost: ids.filter(isLost), repeats, unexplained };
}

/** Why an event was handled again although this handler had done its work. */
function whyAgain(run: FailureRun, line: Handled, lines: readonly Handled[]): string | undefined {
  const { recorder, services, restarts, publishedAgain } = run;
  if (line.threw) return "the handler threw after its work";
  if (publishedAgain.has(line.id)) return "the event was published twice";
  const isKilled = services.some(({ killed }) => killed.has(line.pid));
  if (isKilled) return "the receiver was killed";
  const isFrozen = services.some(({ frozen }) => lines.some(({ pid }) => frozen.has(pid)));
  if (isFrozen) return "a receiver was frozen";
  const settlements = recorder
    .deliveriesOf(line.id)
    .filter(({ attempt }) => attempt === line.attempt)
    .flatMap((delivery) => delivery.settlements);
  if (settlements.some(({ succeeded }) => succeeded === true)) return undefined;
  const overlaps = ({ from, to }: { readonly from: number; readonly to: number }) =>
    from - LOCK_MS <= line.at && line.at <= to;
  if (restarts.some(overlaps)) return "the local Azure was restarted";
  return settlements.length > 0 ? "its settlement failed until the lock ran out" : undefined;
}
