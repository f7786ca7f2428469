import type { LocalCloud } from "../local-cloud.js";
import type { Configuration } from "./configuration.js";
import { exportLines } from "./exports.js";

/** What a person needs to know of a cloud that has just started. */
export function banner(
  cloud: LocalCloud,
  configuration: Configuration,
  environment: Readonly<Record<string, string>>,
): string {
  const rows: [string, string][] = [
    ["HTTP", `${cloud.httpOrigin}  (Entra, topics)`],
    ["tenant", cloud.tenantId],
    ["subscription", cloud.subscriptionId],
  ];
  if (configuration.control !== false) {
    const { origin, certificates } = cloud.control;
    rows.splice(1, 0, ["HTTPS", `${origin}  (Resource Manager, Graph, Entra, topics)`]);
    rows.push(["CA", certificates.certificateFile]);
  }
  for (const { name, endpoint, accessKey } of cloud.topics.list()) {
    const given = configuration.topics?.find((topic) => topic.name === name)?.accessKey;
    const key = given === undefined ? accessKey : "as configured";
    rows.push([`topic ${name}`, `${endpoint}  (key: ${key})`]);
  }
  for (const [address, target] of Object.entries(configuration.ingress ?? {})) {
    rows.push(["ingress", `${address} -> ${typeof target === "string" ? target : target.target}`]);
  }
  const width = Math.max(...rows.map(([name]) => name.length));
  const table = rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}\n`).join("");
  return `The local Azure is up.\n\n${table}\n${environmentPart(environment)}`;
}

function environmentPart(environment: Readonly<Record<string, string>>): string {
  if (Object.keys(environment).length === 0) return "";
  return `For Terraform and other tools, in another shell: eval "$(cloud-eventgrid-local env)", which is\n\n${exportLines(environment)}\n`;
}
