import type {
  Column,
  Contender,
  OtherJob,
  Sample,
  Scenario,
  Settings,
  Target,
} from "./scenario.js";
import { median, quantile } from "./statistics.js";

/** The results of one contender in one column. */
export interface Measured {
  /** The median of the processes' best rounds; without fresh processes, of all rounds. */
  readonly value: number;
  /** The median of the processes' median rounds. */
  readonly typical: number;
  /** The lowest and the highest best round of a process; without fresh processes, the quartiles. */
  readonly spread: readonly [number, number];
  /** Our value divided by this one. */
  readonly oursToIt?: number;
  /** Whether the spreads overlap, so that the ratio says nothing. */
  readonly isSame?: boolean;
}

export interface ContenderResult {
  readonly name: string;
  readonly ours: boolean;
  readonly target: Target | undefined;
  readonly values: Readonly<Record<string, Measured>>;
}

/** A job that contenders did, with what was measured. */
export interface ScenarioResult {
  readonly name: string;
  readonly note?: string | undefined;
  readonly columns: readonly [Column, ...Column[]];
  readonly contenders: readonly ContenderResult[];
}

/** The samples of one process, a list for each job, with one sample a round. */
type Process = Sample[][];

/**
 * Measures the contenders in turn, so that other load on the machine affects all of them alike.
 * Contenders that can start a fresh process do so several times, interleaved with the others.
 */
export async function measure(
  scenario: Scenario,
  settings: Settings,
): Promise<readonly ScenarioResult[]> {
  const { name, columns, note, contenders, others = [] } = scenario;
  const processes = contenders.some(({ start }) => start)
    ? await inFreshProcesses(scenario, settings)
    : await inOneProcess(scenario, settings);
  const results = (job: number, { columns, targets }: Pick<OtherJob, "columns" | "targets">) => {
    const measured = new Map(
      contenders.map((each) => [each, measuredOf(columns, processes.get(each) ?? [], job)]),
    );
    const ours = contenders.find((contender) => contender.ours);
    return contenders.flatMap((each) => {
      const values = measured.get(each) ?? {};
      if (Object.keys(values).length === 0) return [];
      const target = targets[each.name];
      const compared = compare(values, ours && measured.get(ours));
      return [{ name: each.name, ours: each.ours === true, target, values: compared }];
    });
  };
  const targets = Object.fromEntries(
    contenders.flatMap(({ name, target }) => (target ? [[name, target]] : [])),
  );
  return [
    { name, columns, note, contenders: results(0, { columns, targets }) },
    ...others.map((other, index) => ({
      name: other.name,
      columns: other.columns,
      contenders: results(index + 1, other),
    })),
  ];
}

/** Each round starts with another contender. Before the first, all warm up and rest. */
async function inOneProcess(scenario: Scenario, settings: Settings) {
  const { contenders } = scenario;
  const rounds = settings.smoke ? 1 : (scenario.rounds ?? settings.processes * settings.rounds);
  const all = new Map<Contender, Process[]>();
  const warmUps = settings.smoke || scenario.rounds === 1 ? 0 : 1;
  for (let round = -warmUps; round < rounds; round += 1) {
    if (round === 0) for (const contender of contenders) await contender.rest?.();
    for (let turn = 0; turn < contenders.length; turn += 1) {
      const contender = contenders[(Math.max(0, round) + turn) % contenders.length];
      if (contender === undefined) continue;
      const jobs = [await contender.measure()].flat();
      // A round counts as a process of its own: its value is compared with those of the same round.
      if (round >= 0)
        add(
          all,
          contender,
          jobs.map((sample) => [sample]),
        );
    }
  }
  return all;
}

async function inFreshProcesses({ contenders }: Scenario, settings: Settings) {
  const { smoke, rounds, processes } = settings;
  const all = new Map<Contender, Process[]>();
  for (let process = 0; process < (smoke ? 1 : processes); process += 1) {
    for (let turn = 0; turn < contenders.length; turn += 1) {
      const contender = contenders[(process + turn) % contenders.length];
      if (contender === undefined) continue;
      await contender.start?.();
      try {
        const jobs: Process = [];
        for (let round = smoke ? 0 : -1; round < (smoke ? 1 : rounds); round += 1) {
          if (round === 0) await contender.rest?.();
          const samples = [await contender.measure()].flat();
          if (round < 0) continue;
          for (const [job, sample] of samples.entries()) {
            jobs[job] = [...(jobs[job] ?? []), sample];
          }
        }
        add(all, contender, jobs);
      } finally {
        await contender.stop?.();
      }
    }
  }
  return all;
}

function add(all: Map<Contender, Process[]>, contender: Contender, process: Process): void {
  all.set(contender, [...(all.get(contender) ?? []), process]);
}

function measuredOf(columns: readonly Column[], processes: readonly Process[], job: number) {
  const values: Record<string, Measured> = {};
  for (const { key, better } of columns) {
    const ofProcess = processes
      .map((jobs) => (jobs[job] ?? []).flatMap((sample) => sample[key] ?? []))
      .filter((rounds) => rounds.length > 0);
    if (ofProcess.length === 0) continue;
    const best = ofProcess.map((rounds) => (better === "less" ? Math.min : Math.max)(...rounds));
    const isFresh = ofProcess.some((rounds) => rounds.length > 1);
    values[key] = {
      value: median(best),
      typical: median(ofProcess.map(median)),
      spread: isFresh
        ? [Math.min(...best), Math.max(...best)]
        : [quantile(best, 0.25), quantile(best, 0.75)],
    };
  }
  return values;
}

function compare(
  values: Readonly<Record<string, Measured>>,
  ours: Readonly<Record<string, Measured>> | undefined,
): Record<string, Measured> {
  const compared = Object.entries(values).map(([key, measured]) => {
    const own = ours?.[key];
    if (own === undefined || own === measured) return [key, measured];
    const isSame = own.spread[0] <= measured.spread[1] && measured.spread[0] <= own.spread[1];
    return [key, { ...measured, oursToIt: own.value / measured.value, isSame }];
  });
  return Object.fromEntries(compared);
}
