import type { Attributes, Meter, MetricOptions } from "@opentelemetry/api";

interface Cell {
  readonly attributes: Attributes;
  count: number;
}

/** The counts of each counter of a meter, by the text of their attributes. */
const cellsOfMeter = new WeakMap<Meter, Map<string, Map<string, Cell>>>();

/**
 * A counter that is read when metrics are collected: an `add` of OpenTelemetry's own takes
 * microseconds, because it makes a key of the attributes. Counters of one meter with the same name
 * count together.
 */
export class CollectedCounter {
  readonly #shared: Map<string, Cell>;
  readonly #own = new WeakMap<Attributes, Cell>();

  constructor(meter: Meter, name: string, options: MetricOptions) {
    const counters = cellsOfMeter.get(meter) ?? new Map<string, Map<string, Cell>>();
    cellsOfMeter.set(meter, counters);
    const known = counters.get(name);
    this.#shared = known ?? new Map();
    if (known) return;
    const cells = this.#shared;
    counters.set(name, cells);
    meter.createObservableCounter(name, options).addCallback((result) => {
      for (const { attributes, count } of cells.values()) result.observe(count, attributes);
    });
  }

  /** @param attributes the same object for the same attributes, as far as possible */
  add(count: number, attributes: Attributes): void {
    let cell = this.#own.get(attributes);
    if (cell === undefined) {
      cell = this.#cell(attributes);
      this.#own.set(attributes, cell);
    }
    cell.count += count;
  }

  #cell(attributes: Attributes): Cell {
    const key = JSON.stringify(Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1)));
    const known = this.#shared.get(key);
    if (known) return known;
    const cell = { attributes, count: 0 };
    this.#shared.set(key, cell);
    return cell;
  }
}
