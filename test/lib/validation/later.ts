import { type IResolvable, type TerraformStack, TerraformVariable, Token } from "cdktf";
import { expect, it } from "vitest";
import { synthesized } from "../../support/synthesized.js";
import { type Block, declaredIn, isBlock, providersIn } from "../../support/terraform-json.js";
import { problemsOf } from "../problems.js";

/** Tokens of variables, one of each kind. */
export interface Later {
  readonly text: string;
  readonly number: number;
  readonly boolean: IResolvable;
  readonly list: string[];
  readonly map: Record<string, string>;
}

/**
 * The place of a value in the stack: the resource type, the path of the attribute, and the value.
 */
export type Place = readonly [type: string, way: string, value: unknown];

/** A prop with tokens, and their places in the stack or the field that must be a literal. */
export type Row =
  | readonly [give: (later: Later) => object, ...places: readonly Place[]]
  | readonly [give: (later: Later) => object, knownEarly: string]
  | "no value";

type Keys<Props> = Props extends unknown ? keyof Props : never;

/** A row for every prop. The compiler reports a missing one. */
export type Rows<Props> = Readonly<Record<Keys<Props>, Row>>;

/** Declares the tests of each row, for tokens of the right type and untyped ones. */
export function testRows(
  rows: Readonly<Record<string, Row>>,
  build: (scope: TerraformStack, props: object) => void,
): void {
  const given = Object.entries(rows).flatMap(([prop, row]) =>
    row === "no value"
      ? []
      : ([
          [`in ${prop}`, row, laterIn],
          [`without a type in ${prop}`, row, untypedIn],
        ] as const),
  );
  it.each(given)("is handled %s", (_prop, row, valuesIn) => {
    const [give, ...rest] = row;
    const make = (scope: TerraformStack) => build(scope, give(valuesIn(scope)));
    const [early] = rest;
    if (typeof early === "string") {
      expect(problemsOf(make)).toContain(`${early}: known-early`);
      return;
    }
    const { json } = synthesized(make);
    const places: readonly Place[] = rest.filter((place) => typeof place !== "string");
    expect(places).not.toEqual([]);
    for (const [type, way, value] of places) {
      expect(bodiesOf(json, type).map((body) => at(body, way))).toContainEqual(value);
    }
  });
}

function laterIn(stack: TerraformStack): Later {
  const { text, number, boolean, list, map } = variablesIn(stack);
  return {
    text: text.stringValue,
    number: number.numberValue,
    boolean: boolean.booleanValue,
    list: list.listValue,
    map: Token.asStringMap(map.value),
  };
}

/** Untyped tokens, as in cdktf's own documentation: `variable.value`. */
function untypedIn(stack: TerraformStack): Later {
  const { text, number, boolean, list, map } = variablesIn(stack);
  return {
    text: text.value,
    number: number.value,
    boolean: boolean.value,
    list: list.listValue,
    map: map.value,
  };
}

function variablesIn(stack: TerraformStack) {
  const variable = (name: string, type: string) => new TerraformVariable(stack, name, { type });
  return {
    text: variable("text", "string"),
    number: variable("number", "number"),
    boolean: variable("boolean", "bool"),
    list: variable("list", "list(string)"),
    map: variable("map", "map(string)"),
  };
}

/** All resources of a type, data sources (`data.`), providers (`provider.`) or outputs. */
function bodiesOf(json: Block, type: string): Block[] {
  if (type === "output") return isBlock(json.output) ? [json.output] : [];
  if (type.startsWith("provider.")) {
    return providersIn(json).flatMap(({ name, body }) =>
      `provider.${name}` === type ? [body] : [],
    );
  }
  return declaredIn(json)
    .filter((one) => `${one.mode === "data" ? "data." : ""}${one.type}` === type)
    .map(({ body }) => body);
}

function at(body: unknown, way: string): unknown {
  return way.split(".").reduce<unknown>((found, step) => Object(found)[step as keyof object], body);
}
