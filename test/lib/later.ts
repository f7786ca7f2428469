import { type IResolvable, type TerraformStack, TerraformVariable, Token } from "cdktf";
import { expect, it } from "vitest";
import { problemsOf, synthesized } from "../support/synthesized.js";
import { type Block, declaredIn, isBlock, providersIn } from "../support/terraform-json.js";

/** Values that Terraform learns from variables, one of each kind. */
export interface Later {
  readonly text: string;
  readonly number: number;
  readonly boolean: IResolvable;
  readonly list: string[];
  readonly map: Record<string, string>;
}

/** Where a value ends up: type of the resource, way to the attribute, and what is there. */
export type Place = readonly [type: string, way: string, value: unknown];

/** What is given of a prop, and where that ends up, or which prop has to be known already. */
export type Row =
  | readonly [give: (later: Later) => object, ...places: readonly Place[]]
  | readonly [give: (later: Later) => object, knownEarly: string]
  | "no value";

type Keys<Props> = Props extends unknown ? keyof Props : never;

/** A row for every prop: the compiler misses none. */
export type Rows<Props> = Readonly<Record<Keys<Props>, Row>>;

/** One test per row, on what `build` makes of the row's props. */
export function testRows(
  rows: Readonly<Record<string, Row>>,
  build: (scope: TerraformStack, props: object) => void,
): void {
  const given = Object.entries(rows).flatMap(([prop, row]) =>
    row === "no value"
      ? []
      : ([
          [prop, row, laterIn],
          [`${prop}, which the compiler takes for anything`, row, untypedIn],
        ] as const),
  );
  it.each(given)("%s", (_prop, row, valuesIn) => {
    const [give, ...rest] = row;
    const make = (scope: TerraformStack) => build(scope, give(valuesIn(scope)));
    const [early] = rest;
    if (typeof early === "string") {
      expect(problemsOf(make)).toContain(
        `${early} must be known before anything is deployed: write the value itself`,
      );
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

/** The same as cdktf's own pages have it: `variable.value`, an object that the compiler knows not. */
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

/** Everything of one type: of resources, data sources (`data.`), providers (`provider.`) and outputs. */
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
