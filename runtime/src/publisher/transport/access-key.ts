import type { KeyCredential } from "@azure/core-auth";
import type { Secret, TopicCredentials } from "./credentials.js";
import { SecretCredentials } from "./secret.js";
import type { SingleFlight } from "./single-flight.js";

/** Authenticates with one of the topic's access keys. */
export function accessKey(
  key: Secret | KeyCredential,
  flight: SingleFlight<string>,
): TopicCredentials {
  const secret = typeof key === "object" ? { current: () => key.key } : key;
  return new SecretCredentials("aeg-sas-key", "accessKey", secret, flight);
}
