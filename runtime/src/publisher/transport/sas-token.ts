import type { SASCredential } from "@azure/core-auth";
import type { Secret, TopicCredentials } from "./credentials.js";
import { SecretCredentials } from "./secret.js";
import type { SingleFlight } from "./single-flight.js";

/** Authenticates with a shared access signature, which the topic's owner made with an access key. */
export function sasToken(
  token: Secret | SASCredential,
  flight: SingleFlight<string>,
): TopicCredentials {
  const secret = typeof token === "object" ? { current: () => token.signature } : token;
  return new SecretCredentials("aeg-sas-token", "sasToken", secret, flight);
}
