import { sendAll } from "../harness/http-load.js";
import { forged, Issuer } from "../harness/issuer.js";
import type { Reference } from "../harness/reference.js";
import type { Contender, Group, Scenario, Settings } from "../harness/scenario.js";
import { ServerProcess } from "../harness/server-process.js";
import { hasWrk, sendWithWrk } from "../harness/wrk.js";
import {
  batch,
  CONNECTIONS,
  CPU,
  DeliveryTemplate,
  headers,
  ID,
  large,
  measured,
  RATE,
  sendDeliveries,
  single,
} from "./deliveries.js";

const WRK_CONNECTIONS = 16;
const BATCH = 100;

export const listener: Group = {
  name: "listener",
  title: "Deliveries to a webhook",
  async *scenarios(settings) {
    const issuer = await Issuer.start();
    const servers = await Servers.start(issuer.authorityHost, settings.against);
    try {
      const token = issuer.token();
      // The harsher load, if it is installed.
      const load = hasWrk() ? withWrk : sendDeliveries;
      const one = "one 1 KB event in each";
      const targets = { fastify: 0.85, express: 12 };
      yield deliveries(one, settings, servers, token, single(), targets, 1, load);
      const many = `batches of ${BATCH} events`;
      const inBatches = { node: 0.65 };
      yield deliveries(many, settings, servers, token, batch(BATCH), inBatches, BATCH, load);
      yield deliveries("one event of 256 KB in each", settings, servers, token, large(256 * 1024), {
        node: 0.9,
      });
      yield newTokens(settings, servers, issuer);
    } finally {
      await servers.stop();
      await issuer.stop();
    }
  },
};

const names = {
  standalone: "createListener",
  webhook: "webhook.node",
  plugin: "eventGridWebhook",
  reference: "eventGridWebhook",
  forgetful: "createListener, deduplication: false",
  node: "node:http, no authentication",
  fastify: "fastify, no authentication",
  fastJwt: "node:http + fast-jwt",
  jose: "fastify + jose + EventGridDeserializer",
  express: "express + jsonwebtoken + cloudevents",
};
type ServerName = keyof typeof names;
type Other = Exclude<ServerName, "standalone">;

/** All servers, each in a separate process, on one core. */
class Servers {
  readonly #servers: ReadonlyMap<ServerName, ServerProcess>;
  readonly #against: Reference | undefined;

  private constructor(
    servers: ReadonlyMap<ServerName, ServerProcess>,
    against: Reference | undefined,
  ) {
    this.#servers = servers;
    this.#against = against;
  }

  static async start(authorityHost: string, against: Reference | undefined): Promise<Servers> {
    const ours = (options: object = {}, commit?: Reference) =>
      ServerProcess.start("listener", { authorityHost, ...options }, commit);
    const standalone = { host: "standalone" };
    const starting: Partial<Record<ServerName, Promise<ServerProcess>>> = {
      standalone: ours(standalone),
      webhook: ours({ host: "node" }),
      plugin: ours(),
      ...(against && { reference: ours({}, against) }),
      forgetful: ours({ ...standalone, deduplication: false }),
      node: ServerProcess.start("bare-node"),
      fastify: ServerProcess.start("bare-fastify"),
      fastJwt: ServerProcess.start("node-by-hand", { authorityHost }),
      jose: ServerProcess.start("fastify-by-hand", { authorityHost }),
      express: ServerProcess.start("express-by-hand", { authorityHost }),
    };
    const servers = new Map<ServerName, ServerProcess>();
    for (const name of Object.keys(names) as ServerName[]) {
      const server = await starting[name];
      if (server !== undefined) servers.set(name, server);
    }
    return new Servers(servers, against);
  }

  /** The servers that run, in the order of the table. */
  get keys(): readonly ServerName[] {
    return [...this.#servers.keys()];
  }

  of(key: ServerName): ServerProcess {
    const server = this.#servers.get(key);
    if (server === undefined) throw new Error(`the server ${key} does not run`);
    return server;
  }

  /** The name of a contender in the table. */
  name(key: ServerName): string {
    return (key === "reference" && this.#against?.named(names[key])) || names[key];
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.stop()));
  }
}

type Content = ReturnType<typeof single>;

const withWrk: typeof sendDeliveries = (server, token, { contentType, body }, milliseconds) =>
  sendWithWrk({
    url: new URL("/api/events", server.url).href,
    connections: WRK_CONNECTIONS,
    milliseconds,
    headers: headers(token, contentType),
    body,
    mark: ID,
  });

/** Deliveries with one token for a while, as fast as each server accepts them. */
function deliveries(
  name: string,
  { milliseconds }: Settings,
  servers: Servers,
  token: string,
  content: Content,
  targets: Readonly<Partial<Record<Other, number>>>,
  events = 1,
  load = sendDeliveries,
): Scenario {
  const contender = (key: ServerName): Contender => ({
    name: servers.name(key),
    ours: key === "standalone",
    ...targetOf(key),
    rest: () => servers.of(key).rest(),
    measure() {
      const server = servers.of(key);
      return measured(server, () => load(server, token, content, milliseconds), events);
    },
  });
  const targetOf = (key: ServerName) => {
    const atLeast = key === "standalone" ? undefined : targets[key];
    return atLeast === undefined ? {} : { target: { atLeast } };
  };
  return { name, columns: [RATE, CPU], contenders: servers.keys.map(contender) };
}

/** Requests with a new token each: valid tokens, and forged ones. */
function newTokens({ smoke }: Settings, servers: Servers, issuer: Issuer): Scenario {
  const requests = smoke ? 40 : 1000;
  const content = single();
  let forgeries = 0;
  const contender = (
    key: "standalone" | "jose" | "express",
    kind: "valid" | "forged",
    target?: Contender["target"],
  ): Contender => ({
    name: `${names[key]}, ${kind}`,
    ours: key === "standalone" && kind === "valid",
    ...(target !== undefined && { target }),
    rest: () => servers.of(key).rest(),
    async measure() {
      const server = servers.of(key);
      const example = issuer.token();
      const tokens = Array.from({ length: requests }, () => {
        forgeries += 1;
        return kind === "valid" ? issuer.token() : forged(example, forgeries);
      });
      const all = tokens.map((token) => new DeliveryTemplate(token, content, server.port).next());
      const status = kind === "valid" ? 200 : 401;
      const load = { port: server.port, connections: CONNECTIONS, status, next: () => all.pop() };
      return measured(server, () => sendAll(load), 1);
    },
  });
  return {
    name: "a token that was not seen before in each",
    columns: [CPU, RATE],
    contenders: [
      contender("standalone", "valid"),
      contender("standalone", "forged", { atLeast: 1 }),
      contender("jose", "valid"),
      contender("jose", "forged"),
      contender("express", "valid"),
      contender("express", "forged"),
    ],
  };
}
