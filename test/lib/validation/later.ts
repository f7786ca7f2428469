import { type TerraformStack, TerraformVariable, Token } from "cdktf";
import { synthesized } from "../../support/synthesized.js";
import { type Block, declaredIn, providersIn } from "../../support/terraform-json.js";

type Keys<Props> = Props extends unknown ? keyof Props : never;

/** A literal for each prop that can have one. The compiler reports a missing prop. */
export type Literals<Props> = Readonly<Record<Keys<Props>, unknown>>;

/** Adds a construct to a stack, with these props. */
export type Build = (scope: TerraformStack, props: object) => void;

type Kind = "text" | "number" | "boolean" | "list" | "map";

/** A place in the props of a construct, in which a token can stand. */
export interface Place {
  readonly field: string;
  readonly kind: Kind;
  readonly literal: unknown;
  /** Whether it is a group of settings, or a list of groups. */
  readonly isGroup: boolean;
  /** The prop, with another value in the place. */
  put(value: unknown): object;
}

/** All places in the literals of a construct. */
export function placesIn(literals: Readonly<Record<string, unknown>>): Place[] {
  return Object.entries(literals).flatMap(([prop, literal]) =>
    literal === undefined ? [] : within(prop, literal, (value) => ({ [prop]: value })),
  );
}

const MAPS = /^(tags|clientSecret.rotateWhenChanged)$/;

function within(field: string, literal: unknown, put: Place["put"]): Place[] {
  const isGroup = [literal].flat().some((each) => typeof each === "object") && !MAPS.test(field);
  const place = (kind: Kind): Place => ({ field, kind, literal, isGroup, put });
  if (Array.isArray(literal)) {
    const items = literal.flatMap((item, i) =>
      within(`${field}[${i}]`, item, (value) => put(literal.with(i, value))),
    );
    return /\.values/.test(field) && typeof literal[0] !== "string"
      ? items
      : [place("list"), ...items];
  }
  if (typeof literal === "object" && literal !== null) {
    if (MAPS.test(field)) return [place("map")];
    // The operator of where() is no value.
    const members = Object.entries(literal).filter(([name]) => name !== "operator");
    const inner = members.flatMap(([name, member]) =>
      within(`${field}.${name}`, member, (value) => put({ ...literal, [name]: value })),
    );
    // A token of any type stands for the whole group.
    return [place("boolean"), ...inner];
  }
  if (typeof literal === "number") return [place("number")];
  return [place(typeof literal === "boolean" ? "boolean" : "text")];
}

/** A token of a variable: of the right type or, as in cdktf's own documentation, without one. */
export function tokenIn(stack: TerraformStack, kind: Kind, isTyped: boolean): unknown {
  const types = { text: "string", number: "number", boolean: "bool" };
  const type = kind === "list" || kind === "map" ? `${kind}(string)` : types[kind];
  const variable = new TerraformVariable(stack, "later", { type });
  const typed = {
    text: variable.stringValue,
    number: variable.numberValue,
    boolean: variable.booleanValue,
    list: variable.listValue,
    map: Token.asStringMap(variable.value),
  };
  return isTyped || kind === "list" ? typed[kind] : variable.value;
}

/** The attributes of literals, which the places of one prop share. */
const known = new Map<string, ReadonlySet<string>>();

/**
 * The attributes at which a token arrives, those which another literal changes, among them those which
 * show it as it is, and the values that JavaScript has spoilt.
 */
export function arrival(build: Build, { kind, literal, put }: Place, isTyped: boolean) {
  const attributes = (value: (stack: TerraformStack) => unknown) =>
    attributesIn(synthesized((stack) => build(stack, put(value(stack)))).json);
  const key = `${build} ${JSON.stringify(put(literal))}`;
  const before =
    known.get(key) ?? new Set(attributes(() => literal).map(([way, value]) => `${way} ${value}`));
  known.set(key, before);
  const changed = attributes(() => other(literal)).filter(
    ([way, value]) => !before.has(`${way} ${value}`),
  );
  const later = attributes((stack) => tokenIn(stack, kind, isTyped));
  const [text = ""] = [other(literal)].flat().map(String);
  const shown = changed.filter(([, value]) =>
    kind === "boolean" ? value === text : value.includes(text) && !value.includes("${"),
  );
  return {
    arrived: waysOf(later.filter(([, value]) => value.includes("var.later"))),
    changed: waysOf(changed),
    shown: waysOf(kind === "map" ? [] : shown),
    spoilt: later.filter(([, value]) => /TfToken|NaN|undefined|\[object|e\+\d{3}/.test(value)),
  };
}

function waysOf(attributes: readonly Attribute[]): string[] {
  return [...new Set(attributes.map(([way]) => way))];
}

/** Another literal of the same kind. */
function other(literal: unknown): unknown {
  if (typeof literal === "boolean") return !literal;
  if (typeof literal === "number") return literal + 1;
  if (typeof literal === "string") {
    // The first character of a host, or the last one of anything else.
    return literal.replace(/(?<=^https:\/\/)[a-z]|(?<!^https:.*)[0-9a-z](?=[^0-9a-z]*$)/, (last) =>
      /[0-9]/.test(last) ? `${(Number(last) + 1) % 10}` : last === "a" ? "b" : "a",
    );
  }
  if (Array.isArray(literal)) return literal.map(other);
  return Object.fromEntries(
    Object.entries(Object(literal)).map(([name, value]) => [name, other(value)]),
  );
}

/** The way to an attribute, without the addresses of resources, and its value. */
type Attribute = readonly [way: string, value: string];

function attributesIn(json: Block): Attribute[] {
  const blocks = [
    ...declaredIn(json).map(({ mode, type, body }) => [`${mode} ${type}`, body] as const),
    ...providersIn(json).map(({ name, body }) => [`provider ${name}`, body] as const),
    ["output", json.output ?? {}] as const,
  ];
  return blocks.flatMap(([type, body]) => flat(type, body));
}

function flat(way: string, value: unknown): Attribute[] {
  if (typeof value !== "object" || value === null) return [[way, String(value)]];
  return Object.entries(value).flatMap(([name, each]) =>
    name === "//" || name === "depends_on" ? [] : flat(`${way}.${name}`, each),
  );
}
