import { cloudEnvironments, withoutSlashesAtEnd } from "cloud-eventgrid-binding-runtime/internal";
import type { CloudName } from "../cloud.js";
import { CommandError } from "../terminal/index.js";
import { at } from "./json.js";
import type { Transport } from "./transport.js";

/** The addresses of a cloud's management services. */
export interface Endpoints {
  readonly resourceManager: string;
  readonly graph: string;
  readonly login: string;
}

const ENDPOINTS: Readonly<Record<CloudName, Omit<Endpoints, "login">>> = {
  public: {
    resourceManager: "https://management.azure.com",
    graph: "https://graph.microsoft.com",
  },
  usgovernment: {
    resourceManager: "https://management.usgovcloudapi.net",
    graph: "https://graph.microsoft.us",
  },
  china: {
    resourceManager: "https://management.chinacloudapi.cn",
    graph: "https://microsoftgraph.chinacloudapi.cn",
  },
};

/**
 * The addresses of a cloud, or those that another cloud, such as a local Azure, publishes.
 *
 * @param metadataHost Terraform's `ARM_METADATA_HOSTNAME`
 * @throws {CommandError} when the metadata cannot be read
 */
export async function endpointsOf(
  cloud: CloudName,
  metadataHost: string | undefined,
  transport: Transport,
): Promise<Endpoints> {
  if (!metadataHost) return { ...ENDPOINTS[cloud], login: cloudEnvironments[cloud].authorityHost };
  const url = `https://${metadataHost}/metadata/endpoints?api-version=2022-09-01`;
  const { body } = await transport.send({ url }).catch((error: Error) => {
    throw new CommandError(`ARM_METADATA_HOSTNAME: ${error.message}`);
  });
  const resourceManager = at(body, "resourceManager");
  const graph = at(body, "microsoftGraphResourceId");
  const login = at(body, "authentication", "loginEndpoint");
  if (typeof resourceManager !== "string" || typeof graph !== "string") {
    throw new CommandError(`ARM_METADATA_HOSTNAME: ${url} names no endpoints`);
  }
  const trimmed = (text: string) => withoutSlashesAtEnd(text);
  return {
    resourceManager: trimmed(resourceManager),
    graph: trimmed(graph),
    login: trimmed(String(login)),
  };
}
