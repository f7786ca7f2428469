import { groupsOf } from "../base/index.js";
import type { LocalCloud } from "../index.js";
import type { Configuration } from "./configuration.js";
import { environmentCommand, environmentLines } from "./shell.js";

/** The text that is printed when a cloud has started. */
export function banner(
  cloud: LocalCloud,
  configuration: Configuration,
  environment: Readonly<Record<string, string>>,
): string {
  const rows: [string, string][] = [
    ["dashboard", cloud.dashboardUrl],
    ["HTTP", `${cloud.httpOrigin}  (Entra, topics)`],
    ["tenant", cloud.tenantId],
    ["subscription", cloud.subscriptionId],
  ];
  if (configuration.control !== false) {
    const { origin, certificates } = cloud.control;
    rows.splice(2, 0, ["HTTPS", `${origin}  (Resource Manager, Graph, Entra, topics)`]);
    rows.push(["CA", certificates.certificateFile]);
  }
  if (configuration.azurite !== undefined) {
    rows.push(["blobs", `${blobEndpointOf(cloud)}  (Azurite's, and uploads cause events)`]);
  }
  for (const collection of ["topics", "domains"] as const) {
    for (const { name, endpoint, accessKey } of cloud[collection].list()) {
      const declared = configuration[collection]?.find((each) => each.name === name);
      const key = declared?.accessKey === undefined ? accessKey : "as configured";
      rows.push([`${collection.slice(0, -1)} ${name}`, `${endpoint}  (key: ${key})`]);
    }
  }
  for (const [address, target] of Object.entries(configuration.ingress ?? {})) {
    rows.push(["ingress", `${address} -> ${typeof target === "string" ? target : target.target}`]);
  }
  const width = Math.max(...rows.map(([name]) => name.length));
  const table = rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}\n`).join("");
  return `The local Azure is running.\n\n${table}\n${environmentText(environment)}`;
}

function blobEndpointOf({ storageConnectionString }: LocalCloud): string {
  return groupsOf(/BlobEndpoint=([^;]*)/, storageConnectionString)[0];
}

function environmentText(environment: Readonly<Record<string, string>>): string {
  if (Object.keys(environment).length === 0) return "";
  const shell = process.platform === "win32" ? "powershell" : "sh";
  return `For Terraform and other tools, run ${environmentCommand(shell)} in another shell. It sets\n\n${environmentLines(environment, shell)}\n`;
}
