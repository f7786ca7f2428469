import { type Problem, problem, problemsOf } from "../../validation/index.js";
import type { Direction } from "../props.js";
import type { FieldTable } from "./field.js";
import { isOfDirection, isRequired, type NamedField, serviceFields } from "./lists.js";
import { bindingFields } from "./table.js";

/** How the fields of a service are checked. */
export interface ServiceCheck {
  /** Name of a field in messages. @default its own */
  nameOf?(field: NamedField): string;
  /** What a message says about a missing field. @default "is required" */
  readonly missing?: string;
  /** Completes the message about a missing field. @default nothing */
  advice?(field: NamedField): string;
  /** Fields that the service may get in another way, so that they are not required. @default none */
  readonly supplied?: readonly string[];
  readonly fields?: FieldTable;
}

/** The problems of a binding, or of its environment, for a service that has a direction. */
export function serviceProblems(
  values: Readonly<Record<string, unknown>>,
  direction: Direction,
  {
    nameOf,
    advice,
    missing = "is required",
    supplied = [],
    fields = bindingFields,
  }: ServiceCheck = {},
): Problem[] {
  return serviceFields(fields).flatMap((field): readonly Problem[] => {
    if (!isOfDirection(field, direction)) return [];
    const { name, rule, ruleIfExisting = rule, service, required } = field;
    const value = values[name];
    const shownName = nameOf?.(field) ?? name;
    // The service does not know whether its event subscription existed before.
    if (value !== undefined) return problemsOf(ruleIfExisting, shownName, value);
    const isNeeded =
      service?.required && (typeof required !== "object" || isRequired(field, values, fields));
    if (!isNeeded || supplied.includes(name)) return [];
    const purpose = field.direction === "input" ? "receive" : "publish";
    const message = `${missing} to ${purpose} events${advice?.(field) ?? ""}`;
    return [problem(shownName, "required", message)];
  });
}
