import type { Column, Sample, Scenario, Settings, Target } from "./scenario.js";
import { median, quantile } from "./statistics.js";

/** The results of one contender in one column. */
export interface Measured {
  readonly median: number;
  /** Lower and upper quartile. */
  readonly spread: readonly [number, number];
  /** Median of our value divided by this value, round by round. */
  readonly oursToIt?: number;
}

export interface ContenderResult {
  readonly name: string;
  readonly ours: boolean;
  readonly target?: Target;
  readonly values: Readonly<Record<string, Measured>>;
}

export interface ScenarioResult {
  readonly name: string;
  readonly note?: string;
  readonly columns: readonly [Column, ...Column[]];
  readonly contenders: readonly ContenderResult[];
}

/**
 * Measures the contenders in turn. Each round starts with another one, so that other load on the
 * machine affects all of them alike. Before the first round every contender warms up and rests.
 */
export async function measure(
  scenario: Scenario,
  settings: Settings,
): Promise<readonly ContenderResult[]> {
  const { contenders } = scenario;
  const rounds = settings.smoke ? 1 : (scenario.rounds ?? settings.rounds);
  const samples = new Map<string, Sample[]>(contenders.map(({ name }) => [name, []]));
  const warmUps = settings.smoke || scenario.rounds === 1 ? 0 : 1;
  for (let round = -warmUps; round < rounds; round += 1) {
    if (round === 0) for (const contender of contenders) await contender.rest?.();
    for (let turn = 0; turn < contenders.length; turn += 1) {
      const contender = contenders[(Math.max(0, round) + turn) % contenders.length];
      if (contender === undefined) continue;
      const sample = await contender.measure();
      if (round >= 0) samples.get(contender.name)?.push(sample);
    }
  }
  const ours = contenders.find((contender) => contender.ours)?.name;
  return contenders.map(({ name, target, ours: isOurs = false }) => ({
    name,
    ours: isOurs,
    ...(target !== undefined && { target }),
    values: valuesOf(scenario, samples.get(name) ?? [], ours ? samples.get(ours) : undefined),
  }));
}

function valuesOf(
  { columns }: Scenario,
  samples: readonly Sample[],
  ours: readonly Sample[] | undefined,
): Record<string, Measured> {
  const values: Record<string, Measured> = {};
  for (const { key } of columns) {
    const measured = samples.flatMap((sample) => sample[key] ?? []);
    if (measured.length === 0) continue;
    const ratios = samples.flatMap((sample, round) => {
      const own = ours?.[round]?.[key];
      const value = sample[key];
      return own === undefined || value === undefined ? [] : own / value;
    });
    values[key] = {
      median: median(measured),
      spread: [quantile(measured, 0.25), quantile(measured, 0.75)],
      ...(ratios.length > 0 && { oursToIt: median(ratios) }),
    };
  }
  return values;
}
