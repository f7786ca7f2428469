import type { Finding } from "../finding.js";
import type { Dependency } from "../graph/index.js";
import { comparable, type Side, same, type Use, value } from "../terraform/index.js";

/** Tells whether events still arrive after a change as they did before; undefined if nobody can. */
export type Keeps = (before: Side, after: Side, dependency: Dependency) => boolean | undefined;

/** A setting that matters to deliveries, of a resource that they depend on. */
export interface Neighbour {
  readonly types: RegExp;
  /** The names of the setting: those of azurerm or azuread, and those of Resource Manager for azapi. */
  readonly attributes: readonly string[];
  readonly uses: readonly Use[];
  readonly keeps: Keeps;
  /** The check, where it is not that of what needs the resource. */
  readonly check?: Finding["check"];
  /** The consequence when it does not. */
  readonly says: string;
  /** The plan does not say whom it cuts off, so a loss is only possible. */
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

/** Compares a number of each side, unless the rest changes, too. */
export function isLargerBesides(
  of: (side: Side) => { readonly number: unknown; readonly rest: unknown },
): Keeps {
  return (before, after, dependency) => {
    const [old, next] = [of(before), of(after)];
    return same(old.rest, next.rest) ? isLarger(["number"])(old, next, dependency) : undefined;
  };
}
