import { isIP } from "node:net";
import { socketHost, withoutStart } from "../base/index.js";

/** The names by which clients may call this server. */
export class ServerNames {
  readonly #configured: ReadonlySet<string>;

  /** @param configured names with dots; others are accepted in any case */
  constructor(configured: readonly string[]) {
    this.#configured = new Set(configured.map((name) => name.toLowerCase()));
  }

  /**
   * Whether the name is this server's own: an IP address, a name without dots such as a container's,
   * `*.localhost`, or a configured name. A web page that rebinds its own name to 127.0.0.1 has a name
   * with dots.
   *
   * @param hostname as in a URL
   */
  includes(hostname: string): boolean {
    const name = hostname.toLowerCase();
    return (
      isIP(socketHost(name)) !== 0 ||
      !name.includes(".") ||
      name.endsWith(".localhost") ||
      name === "host.docker.internal" ||
      this.#configured.has(name)
    );
  }
}

/**
 * The name under which programs of this machine reach a server that listens at an address, as it is
 * in URLs: the address itself, unless it stands for all.
 */
export function reachableName(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

/** Whether the address belongs to this machine only: clients elsewhere can neither use nor reach it. */
export function isLoopback(address: string): boolean {
  // A server that listens on :: sees IPv4 addresses in this form.
  const plain = withoutStart(address.toLowerCase(), "::ffff:");
  return plain === "localhost" || plain === "::1" || plain.startsWith("127.");
}
