import {
  type Check,
  type Checks,
  type Composite,
  type GroupChecks,
  group,
} from "./composite-checks.js";

/** An option of a table: everything that is known about it, stated once. */
export interface Option<Value> {
  readonly check: Check;
  /** The value if the option is left out. */
  readonly default?: Value;
  /** The default as the documentation shows it. @default the value */
  readonly defaultText?: string;
  /** What the option means, for the documentation: Markdown for the cell of a table. */
  readonly text: string;
}

/** Options that are grouped in an object, such as `limits`. */
export interface OptionGroup<Options> {
  readonly options: OptionTable<Options>;
}

/**
 * A row for every option. Its check, its default and its documentation come from it, see
 * {@link checkOf}, {@link withDefaults} and test/docs/options.test.ts.
 */
export type OptionTable<Options> = {
  readonly [Name in keyof Options & string]-?:
    | Option<Exclude<Options[Name], undefined>>
    | OptionGroup<Exclude<Options[Name], undefined>>;
};

/** Options with the defaults that their table has. */
export type Completed<Options, Table> = {
  readonly [Name in keyof Table & keyof Options]: Table[Name] extends {
    readonly options: infer Rows;
  }
    ? Completed<Exclude<Options[Name], undefined>, Rows>
    : Table[Name] extends { readonly default: unknown }
      ? Exclude<Options[Name], undefined>
      : Options[Name];
};

/** Rows as code sees them that does not know their options. */
type Rows = Readonly<Record<string, Option<unknown> | OptionGroup<Record<string, unknown>>>>;

/** The check of an object with the options of a table. */
export function checkOf<Options extends object>(
  table: OptionTable<Options>,
  checks: GroupChecks<Options> = {},
): Composite {
  const ofRows: Record<string, Check> = {};
  for (const [name, row] of Object.entries(table as Rows)) {
    ofRows[name] = "options" in row ? checkOf(row.options) : row.check;
  }
  return group<Options>(ofRows as Checks<Options>, checks);
}

/** Fills in the defaults of a table. The options have been checked. */
export function withDefaults<Options extends object, Table extends OptionTable<Options>>(
  table: Table,
  options: Options,
): Completed<Options, Table> {
  return completed(table, options) as Completed<Options, Table>;
}

function completed(table: object, options: object): object {
  const settings: Record<string, unknown> = {};
  for (const [name, row] of Object.entries(table as Rows)) {
    const given: unknown = Reflect.get(options, name);
    settings[name] =
      "options" in row ? completed(row.options, Object(given ?? {})) : (given ?? row.default);
  }
  return settings;
}
