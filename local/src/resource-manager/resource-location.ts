import { textAt } from "../control-plane/json-fields.js";
import { ServiceError } from "../errors.js";

/**
 * The location in a request's body, as it was written.
 * @throws ServiceError 400 when there is none
 */
export function locationIn(body: unknown): string {
  const location = textAt(body, "location");
  if (location !== undefined) return location;
  throw new ServiceError(
    400,
    "LocationRequired",
    "The location property is required for this definition.",
  );
}
