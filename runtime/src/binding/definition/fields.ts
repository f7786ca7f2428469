import type { Direction } from "../props.js";

/** The fields that every binding with an input direction needs. */
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

/** The fields of both directions. */
export const COMMON_FIELDS = ["cloudEnvironment", "cloudAuthorityHost"] as const;

/**
 * The direction that follows from the fields that are set; undefined when none of either is.
 *
 * One field implies the whole direction, so that fields which are missing can be reported.
 */
export function directionOfFields(isSet: (field: string) => boolean): Direction | undefined {
  const input = INPUT_FIELDS.some(isSet);
  const output = OUTPUT_FIELDS.some(isSet);
  if (input && output) return "input, output";
  if (input) return "input";
  return output ? "output" : undefined;
}

/** Whether a direction includes receiving events. */
export function hasInput(direction: Direction): boolean {
  return direction !== "output";
}

/** Whether a direction includes publishing events. */
export function hasOutput(direction: Direction): boolean {
  return direction !== "input";
}
