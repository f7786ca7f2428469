import { azureRules } from "cloud-eventgrid-binding-runtime/internal";
import { UsageError } from "./terminal/index.js";

/**
 * The event types that an option names.
 *
 * @throws {UsageError} for one that an event subscription cannot have
 */
export function eventTypesOf(option: string, types: readonly string[] = []): readonly string[] {
  const invalid = types.find((type) => !azureRules.eventType.test(type));
  if (invalid === undefined) return types;
  throw new UsageError(
    `${option} ${azureRules.eventType.requirement}, not ${JSON.stringify(invalid)}`,
  );
}
