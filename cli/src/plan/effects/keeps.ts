import type { Finding } from "../finding.js";
import type { Dependency } from "../graph/index.js";
import { comparable, type Side, same, type Use, value } from "../terraform/index.js";

/** Whether what arrived before a change arrives afterwards, too; undefined if nobody can tell. */
export type Keeps = (before: Side, after: Side, dependency: Dependency) => boolean | undefined;

/** What deliveries make of a setting of a resource that they depend on. */
export interface Neighbour {
  readonly types: RegExp;
  /** The names of the setting: those of azurerm or azuread, and those of Resource Manager for azapi. */
  readonly attributes: readonly string[];
  readonly uses: readonly Use[];
  readonly keeps: Keeps;
  /** The check, where it is not that of what needs the resource. */
  readonly check?: Finding["check"];
  /** What is wrong when it does not. */
  readonly says: string;
  /** Whether it is only possible then that events are lost: whom it cuts off is not in the plan. */
  readonly isOpen?: true;
}

/** Compares by a question that each side answers: whoever was refused before loses nothing. */
export function passing(
  passes: (side: Side, dependency: Dependency) => boolean | undefined,
): Keeps {
  return (before, after, dependency) =>
    passes(before, dependency) === false || passes(after, dependency);
}

/** A number or a duration of each pair of names must not become smaller; with -1, not larger. */
export function isLarger(...pairs: readonly (readonly (string | -1)[])[]): Keeps {
  return (before, after) => {
    const verdicts = pairs.map((names) => {
      const sign = names.includes(-1) ? -1 : 1;
      const texts = names.filter((name) => typeof name === "string");
      const [old, next] = [before, after].map((side) => value(side, ...texts));
      if (same(old, next)) return true;
      const [a, b] = [comparable(old), comparable(next)];
      return a === undefined || b === undefined ? undefined : sign * b >= sign * a;
    });
    return verdicts.includes(false) ? false : verdicts.includes(undefined) ? undefined : true;
  };
}
