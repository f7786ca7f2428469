import type {
  BindingProps,
  Direction,
  InputBindingProps,
  InputOutputBindingProps,
} from "./props.js";

/** What every input half needs, whoever writes its subscription. */
export const REQUIRED_INPUT_FIELDS = [
  "cloudTenantId",
  "cloudSubscriptionId",
  "cloudClientId",
  "subscriberEndpoint",
  "handshakePort",
  "scope",
] as const;

/** The fields of the input direction. */
export const INPUT_FIELDS = [
  ...REQUIRED_INPUT_FIELDS,
  "cloudClientSecret",
  "eventSubscriptionName",
  "writer",
] as const;

/** The fields of the output direction. */
export const OUTPUT_FIELDS = ["topicEndpoint", "accessKey", "publishWith"] as const;

/** Direction of a set of props: the one they name, or what follows from the fields they have. */
export type DirectionOf<Props extends BindingProps> = Props extends {
  direction: infer D extends Direction;
}
  ? D
  : Props extends InputOutputBindingProps
    ? "input, output"
    : Props extends InputBindingProps
      ? "input"
      : "output";

/** Whether a direction has an input half, and an output half. */
export function halvesOf(direction: Direction): {
  readonly input: boolean;
  readonly output: boolean;
} {
  return { input: direction !== "output", output: direction !== "input" };
}

/**
 * The direction that the fields tell, even if a field is missing: one field of a half stands for
 * the whole of it. Undefined when there is no field of either.
 */
export function directionOfFields(given: ReadonlySet<string>): Direction | undefined {
  const input = INPUT_FIELDS.some((field) => given.has(field));
  const output = OUTPUT_FIELDS.some((field) => given.has(field));
  if (input && output) return "input, output";
  if (input) return "input";
  return output ? "output" : undefined;
}

/** Whether a value is one of the three directions, written as they are. */
export function isDirection(value: unknown): value is Direction {
  return value === "input" || value === "output" || value === "input, output";
}
