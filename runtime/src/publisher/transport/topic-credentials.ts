import type { Clock } from "../../clock.js";
import { accessKey } from "./access-key.js";
import type { CredentialOptions, TopicCredentials } from "./credentials.js";
import { EntraCredentials } from "./entra.js";
import { sasToken } from "./sas-token.js";
import { SingleFlight } from "./single-flight.js";

/**
 * Chooses among the options, which are known to be valid.
 *
 * @param bindingKey the binding's access key, used where no option is set
 * @param scope the Entra scope of the topic's cloud
 * @param timeoutMs a function or credential that takes longer is called again by the next request
 */
export function topicCredentials(
  options: CredentialOptions,
  bindingKey: string | undefined,
  scope: string,
  clock: Clock,
  timeoutMs: number,
): TopicCredentials {
  const flight = <T>() => new SingleFlight<T>(clock, timeoutMs);
  const { credential } = options;
  if (credential === undefined) {
    return options.sasToken === undefined
      ? accessKey(options.accessKey ?? bindingKey ?? "", flight())
      : sasToken(options.sasToken, flight());
  }
  if ("getToken" in credential) return new EntraCredentials(credential, scope, clock, flight());
  return "key" in credential ? accessKey(credential, flight()) : sasToken(credential, flight());
}
