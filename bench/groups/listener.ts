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
    const token = issuer.token();
    try {
      const inTurn = new Servers(issuer.authorityHost, settings.against);
      yield inTurns(settings, inTurn, token);
      const servers = new Servers(issuer.authorityHost, settings.against);
      await Promise.all(servers.keys.map((key) => servers.start(key)));
      try {
        yield largeEvents(settings, servers, token);
        yield newTokens(settings, servers, issuer);
      } finally {
        await Promise.all(servers.keys.map((key) => servers.stop(key)));
      }
    } finally {
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

/** The servers, each in a separate process, on one core. */
class Servers {
  readonly #running = new Map<ServerName, ServerProcess>();

  constructor(
    private readonly authorityHost: string,
    private readonly against: Reference | undefined,
  ) {}

  /** Those that can be started, in the order of the table. */
  get keys(): readonly ServerName[] {
    const all = Object.keys(names) as ServerName[];
    return all.filter((key) => key !== "reference" || this.against !== undefined);
  }

  async start(key: ServerName): Promise<void> {
    const { authorityHost, against } = this;
    const ours = (options: object = {}, commit?: Reference) =>
      ServerProcess.start("listener", { authorityHost, ...options }, commit);
    const standalone = { host: "standalone" };
    const starts: Readonly<Record<ServerName, () => Promise<ServerProcess>>> = {
      standalone: () => ours(standalone),
      webhook: () => ours({ host: "node" }),
      plugin: () => ours(),
      reference: () => ours({}, against),
      forgetful: () => ours({ ...standalone, deduplication: false }),
      node: () => ServerProcess.start("bare-node"),
      fastify: () => ServerProcess.start("bare-fastify"),
      fastJwt: () => ServerProcess.start("node-by-hand", { authorityHost }),
      jose: () => ServerProcess.start("fastify-by-hand", { authorityHost }),
      express: () => ServerProcess.start("express-by-hand", { authorityHost }),
    };
    this.#running.set(key, await starts[key]());
  }

  of(key: ServerName): ServerProcess {
    const server = this.#running.get(key);
    if (server === undefined) throw new Error(`the server ${key} does not run`);
    return server;
  }

  /** The name of a contender in the table. */
  name(key: ServerName): string {
    return (key === "reference" && this.against?.named(names[key])) || names[key];
  }

  async stop(key: ServerName): Promise<void> {
    await this.#running.get(key)?.stop();
    this.#running.delete(key);
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

/**
 * Single events and batches in turn, in fresh processes: what a process costs depends on what it got
 * before, and on when it runs.
 */
function inTurns({ milliseconds }: Settings, servers: Servers, token: string): Scenario {
  // The harsher load, if it is installed.
  const load = hasWrk() ? withWrk : sendDeliveries;
  const contender = (key: ServerName): Contender => ({
    name: servers.name(key),
    ours: key === "standalone",
    ...(key === "fastify" && { target: { atMost: 1.25 } }),
    start: () => servers.start(key),
    stop: () => servers.stop(key),
    rest: () => servers.of(key).rest(),
    async measure() {
      const server = servers.of(key);
      const send = (content: Content) => () => load(server, token, content, milliseconds);
      return [
        await measured(server, send(single()), 1),
        await measured(server, send(batch(BATCH)), BATCH),
      ];
    },
  });
  return {
    name: "one 1 KB event in each",
    columns: [CPU, RATE],
    contenders: servers.keys.map(contender),
    others: [
      {
        name: `batches of ${BATCH} events`,
        columns: [CPU, RATE],
        targets: { [names.node]: { atMost: 1.65 } },
      },
    ],
  };
}

function largeEvents({ milliseconds }: Settings, servers: Servers, token: string): Scenario {
  const content = large(256 * 1024);
  const contender = (key: ServerName): Contender => ({
    name: servers.name(key),
    ours: key === "standalone",
    ...(key === "node" && { target: { atMost: 1.1 } }),
    rest: () => servers.of(key).rest(),
    measure() {
      const server = servers.of(key);
      return measured(server, () => sendDeliveries(server, token, content, milliseconds), 1);
    },
  });
  return {
    name: "one event of 256 KB in each",
    columns: [CPU, RATE],
    contenders: servers.keys.map(contender),
  };
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
