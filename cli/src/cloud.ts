import {
  type CloudEnvironmentName,
  cloudEnvironments,
} from "cloud-eventgrid-binding-runtime/internal";

export type CloudName = CloudEnvironmentName;

/** The names of the clouds, for the option `--cloud`. */
export const CLOUDS: readonly string[] = Object.keys(cloudEnvironments);

/** The origin that Event Grid names in `WebHook-Request-Origin`. */
export function handshakeOrigin(cloud: CloudName): string {
  const [origin = "eventgrid.azure.net"] = cloudEnvironments[cloud].handshakeOrigins;
  return origin;
}
