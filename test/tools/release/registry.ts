import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

interface Published {
  readonly name: string;
  readonly "dist-tags": Record<string, string>;
  readonly versions: Record<string, { dist: { integrity: string } }>;
  readonly _attachments: Record<string, { readonly data: string }>;
}

/** A registry of npm on this machine, which has everything that another one has, too. */
export class Registry {
  /** Refuses the next publication of each of these packages. */
  readonly refused = new Set<string>();
  /** The owners of packages that others have published, by name. */
  readonly claimed = new Map<string, string>();
  readonly #packages = new Map<string, Published>();
  readonly #server: Server;

  /** @param upstream where packages come from that nobody published here */
  static async start(upstream: string): Promise<Registry> {
    const registry = new Registry(upstream);
    await once(registry.#server.listen(0, "127.0.0.1"), "listening");
    return registry;
  }

  private constructor(private readonly upstream: string) {
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: Error) => response.destroy(error));
    });
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The names of the published packages, in the order of their publication. */
  get names(): string[] {
    return [...this.#packages.keys()];
  }

  published(name: string): Published | undefined {
    return this.#packages.get(name);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [name = "", file] = decodeURIComponent(request.url ?? "")
      .slice(1)
      .split("/-/");
    if (request.url === "/-/whoami") {
      const isSignedIn = request.headers.authorization !== undefined;
      response.writeHead(isSignedIn ? 200 : 401).end('{ "username": "maintainer" }');
      return;
    }
    if (request.method === "PUT") {
      const published = JSON.parse(await text(request)) as Published;
      if (this.refused.delete(name)) {
        response.writeHead(403).end(JSON.stringify({ error: "you may not publish this" }));
      } else {
        this.#packages.set(name, published);
        response.writeHead(201).end("{}");
      }
      return;
    }
    const own = this.#packages.get(name);
    if (own !== undefined) {
      const { _attachments, ...packument } = own;
      const tarball = file && Object.values(_attachments)[0]?.data;
      response.end(tarball ? Buffer.from(tarball, "base64") : JSON.stringify(packument));
    } else if (/^(create-)?cloud-eventgrid/.test(name)) {
      const owner = this.claimed.get(name);
      response.writeHead(owner === undefined ? 404 : 200);
      response.end(JSON.stringify(owner === undefined ? {} : ownedBy(owner, name)));
    } else {
      const { accept = "*/*" } = request.headers;
      const answer = await fetch(new URL(request.url ?? "", this.upstream), {
        headers: { accept },
      });
      response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
    }
  }
}

/** What a registry says about a package of one version. */
function ownedBy(owner: string, name: string): object {
  const version = "1.0.0";
  return {
    name,
    "dist-tags": { latest: version },
    versions: { [version]: { name, version, dist: {} } },
    maintainers: [{ name: owner, email: `${owner}@example.com` }],
  };
}
