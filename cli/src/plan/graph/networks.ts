import { Groups } from "../../collections.js";
import { attributes, idOf, oneOf, type PlannedChange, plain, typeOf } from "../terraform/index.js";
import type { Graph, Node } from "./graph.js";
import { CLIENT } from "./harmless.js";
import { hostsIn } from "./hosts.js";
import type { Leaf } from "./leaves.js";

/** The parts of the networks through which clients reach a topic. */
const NETWORK = oneOf(`azurerm_(virtual_network|subnet|network_security_(group|rule)|route)*
  azurerm_(nat_gateway|public_ip)* *_virtual_network_swift_connection
  Microsoft.Network/(virtualNetworks|networkSecurityGroups|routeTables|natGateways|publicIP)**`);

const SUBNET = oneOf("**subnets?");

export const isNetwork = (change: PlannedChange) => NETWORK.test(typeOf(change));

/** The clients of topics that admit some addresses or none from the internet. */
export class Clients {
  #byHost: Groups<string, Node> | undefined;

  constructor(private readonly graph: Graph) {}

  /** The services that have the endpoint of a topic, and what has the addresses that it admits. */
  of({ before }: Node): Node[] {
    const isRestricted = before.some(
      ({ path, value }) =>
        /inbound_?ip_?rules?\./i.test(path) ||
        (/public_?network_?access/i.test(path) && /false|disabled|secured/i.test(String(value))),
    );
    if (!isRestricted) return [];
    const names = before.filter(({ path }) =>
      attributes("(**.)?(endpoint|hostname|ip_mask)").test(plain(path)),
    );
    return names.flatMap(({ value }) => hostsIn(value)).flatMap((host) => this.#all.of(host));
  }

  get #all() {
    if (this.#byHost !== undefined) return this.#byHost;
    this.#byHost = new Groups();
    for (const node of this.graph.nodes) {
      if (!isNetwork(node.change) && !CLIENT.test(typeOf(node.change))) continue;
      const hosts = node.before.flatMap(({ value }) => hostsIn(value));
      for (const host of new Set(hosts)) this.#byHost.add(host, node);
    }
    return this.#byHost;
  }
}

/** The part of a network that a value is the ID of, and the network that it is in. */
export function networksIn({ value }: Leaf): string[] {
  const id = String(idOf(value));
  if (!id.includes("/providers/microsoft.network/")) return [];
  return [...new Set([id, String(id.split("/subnets/")[0])])];
}

/** Returns the resources with this ID, in it, or associated with it; without the other subnets of a network or of rules. */
export function partsOf(id: string, graph: Graph): Node[] {
  const isRules = /\/(networksecuritygroups|routetables)\//.test(id);
  const isOther = ({ change, ids }: Node) =>
    id.split("/").at(-2) === "virtualnetworks" &&
    (SUBNET.test(typeOf(change)) || ids.some((each) => each.includes("/subnets/")));
  return [...graph.withId(id), ...graph.within(id), ...(isRules ? [] : graph.naming(id))].filter(
    (node) => isNetwork(node.change) && !isOther(node),
  );
}
