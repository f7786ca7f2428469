import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type as ark } from "arktype";
import fc from "fast-check";
import * as v from "valibot";
import { z } from "zod";

/** A payload, which each library can describe. */
export type Shape =
  | { readonly kind: "string" | "number" | "boolean" | "null" }
  | { readonly kind: "text"; readonly least: number; readonly most: number }
  | { readonly kind: "amount"; readonly least: number; readonly most: number }
  | { readonly kind: "choice"; readonly values: readonly string[] }
  | { readonly kind: "list" | "record"; readonly of: Shape }
  | { readonly kind: "matching"; readonly pattern: string }
  | { readonly kind: "pair"; readonly first: Shape; readonly second: Shape }
  | { readonly kind: "either"; readonly first: Shape; readonly second: Shape }
  | { readonly kind: "object"; readonly isClosed: boolean; readonly fields: readonly Field[] };

interface Field {
  readonly name: string;
  readonly isOptional: boolean;
  readonly shape: Shape;
}

const range = fc.tuple(fc.nat(5), fc.nat(5)).map(([a, b]) => ({ least: a, most: a + b + 1 }));
const names = fc.constantFrom("id", "article", "price", "note", "lines", "by");

export const { shape: anyShape, object: anyObject } = fc.letrec<{ shape: Shape; object: Shape }>(
  (tie) => ({
    shape: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom<Shape>({ kind: "string" }, { kind: "number" }, { kind: "boolean" }),
      range.map((each) => ({ kind: "text" as const, ...each })),
      range.map((each) => ({ kind: "amount" as const, ...each })),
      fc
        .uniqueArray(fc.constantFrom("placed", "paid", "sent", "back"), { minLength: 1 })
        .map((values) => ({ kind: "choice" as const, values })),
      tie("shape").map((of) => ({ kind: "list" as const, of })),
      tie("shape").map((of) => ({ kind: "record" as const, of })),
      fc.record({ kind: fc.constant("pair" as const), first: tie("shape"), second: tie("shape") }),
      fc.constantFrom("^a", "[0-9]{2}$").map((pattern) => ({ kind: "matching" as const, pattern })),
      tie("shape").map((first) => ({
        kind: "either" as const,
        first,
        second: { kind: "null" } as const,
      })),
      tie("object"),
    ),
    object: fc.record({
      kind: fc.constant("object" as const),
      isClosed: fc.boolean(),
      fields: fc.uniqueArray(
        fc.record({ name: names, isOptional: fc.boolean(), shape: tie("shape") }),
        { selector: ({ name }) => name, maxLength: 4 },
      ),
    }),
  }),
);

export function zodOf(shape: Shape): z.ZodType {
  switch (shape.kind) {
    case "string":
      return z.string();
    case "number":
      return z.number();
    case "boolean":
      return z.boolean();
    case "null":
      return z.null();
    case "text":
      return z.string().min(shape.least).max(shape.most);
    case "amount":
      return z.number().min(shape.least).max(shape.most);
    case "choice":
      return z.enum(shape.values);
    case "list":
      return z.array(zodOf(shape.of));
    case "record":
      return z.record(z.string(), zodOf(shape.of));
    case "matching":
      return z.string().regex(new RegExp(shape.pattern));
    case "pair":
      return z.tuple([zodOf(shape.first), zodOf(shape.second)]);
    case "either":
      return z.union([zodOf(shape.first), zodOf(shape.second)]);
    case "object": {
      const entries = shape.fields.map(({ name, isOptional, shape: each }) => {
        return [name, isOptional ? zodOf(each).optional() : zodOf(each)] as const;
      });
      const fields = Object.fromEntries(entries);
      return shape.isClosed ? z.strictObject(fields) : z.object(fields);
    }
  }
}

export function valibotOf(shape: Shape) {
  return toStandardJsonSchema(valibotSchema(shape));
}

function valibotSchema(shape: Shape): v.GenericSchema {
  switch (shape.kind) {
    case "string":
      return v.string();
    case "number":
      return v.number();
    case "boolean":
      return v.boolean();
    case "null":
      return v.null();
    case "text":
      return v.pipe(v.string(), v.minLength(shape.least), v.maxLength(shape.most));
    case "amount":
      return v.pipe(v.number(), v.minValue(shape.least), v.maxValue(shape.most));
    case "choice":
      return v.picklist(shape.values);
    case "list":
      return v.array(valibotSchema(shape.of));
    case "record":
      return v.record(v.string(), valibotSchema(shape.of));
    case "matching":
      return v.pipe(v.string(), v.regex(new RegExp(shape.pattern)));
    case "pair":
      return v.strictTuple([valibotSchema(shape.first), valibotSchema(shape.second)]);
    case "either":
      return v.union([valibotSchema(shape.first), valibotSchema(shape.second)]);
    case "object": {
      const entries = shape.fields.map(({ name, isOptional, shape: each }) => {
        return [name, isOptional ? v.optional(valibotSchema(each)) : valibotSchema(each)] as const;
      });
      const fields = Object.fromEntries(entries);
      return shape.isClosed ? v.strictObject(fields) : v.object(fields);
    }
  }
}

export function arkOf(shape: Shape): ark.Any {
  switch (shape.kind) {
    case "string":
    case "number":
    case "boolean":
    case "null":
      return ark(shape.kind);
    case "text":
      return ark("string").atLeastLength(shape.least).atMostLength(shape.most);
    case "amount":
      return ark("number").atLeast(shape.least).atMost(shape.most);
    case "choice":
      return ark.enumerated(...shape.values);
    case "list":
      return arkOf(shape.of).array();
    case "record":
      return ark({ "[string]": arkOf(shape.of) });
    case "matching":
      return ark(new RegExp(shape.pattern));
    case "pair":
      return ark([arkOf(shape.first), arkOf(shape.second)]);
    case "either":
      return arkOf(shape.first).or(arkOf(shape.second));
    case "object": {
      const fields = shape.fields.map(({ name, isOptional, shape: each }) => {
        return [isOptional ? `${name}?` : name, arkOf(each)] as const;
      });
      return ark({
        ...Object.fromEntries(fields),
        ...(shape.isClosed && { "+": "reject" as const }),
      });
    }
  }
}
