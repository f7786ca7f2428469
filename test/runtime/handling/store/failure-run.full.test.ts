import { resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { LocalCloud, type Topic } from "cloud-eventgrid-local";
import { createClient } from "redis";
import { expect, it } from "vitest";
import { freePort } from "../../../../examples/start/free-port.js";
import { deadLettersTo } from "../../../local/support/dead-letters.js";
import { describeWith } from "../../../support/describe-with.js";
import { RedisServer } from "../../../support/redis-server.js";
import type { ReplicaSetting } from "./replica.js";
import { Replica, RoundRobin, StableAddress } from "./replicas.js";

/** `FAILURE_RUN_EVENTS=10000` for the run whose figures are in the documentation. */
const EVENTS = Number(process.env.FAILURE_RUN_EVENTS ?? 3_000);
const PER_REQUEST = 50;
/** The number of requests between two faults. */
const REQUESTS_PER_FAULT = Math.floor(EVENTS / PER_REQUEST / 16);
const FROZEN_MS = 8_000;
/** Much longer than Redis is frozen; claims that expire meanwhile allow a handler to run twice. */
const LEASE_MS = 25_000;
/** How long the events that are left at the end wait for their next attempt. */
const RETRY_MS = 4_000;
/**
 * More than the longest time from the handling of an event to the storing of its outcome: while Redis
 * restarts.
 */
const UNSETTLED_MS = 10_000;

interface Handled {
  readonly pid: number;
  readonly at: number;
}

describeWith(
  "redis-server",
  "replicas that share Redis",
  () => {
    it.concurrent.for([2, 5])(
      "handle all events while replicas, Redis and keys fail: %i replicas",
      async (count, { onTestFinished }) => {
        const run = await FailureRun.start(count);
        onTestFinished(() => run.stop());
        const { cloud, balancer, replicas, redis, primary, secondary } = run;
        const killedAt = new Map<number, number>();
        let failedOverAt = 0;
        let turn = 0;
        const nextReplica = () => {
          turn += 1;
          return replicas[turn % count] as Replica;
        };

        const killReplica = async () => {
          const replica = nextReplica();
          killedAt.set(replica.pid, Date.now());
          await replica.end("SIGKILL");
          await run.publish();
          await replica.start();
        };
        const drainReplica = async () => {
          const replica = nextReplica();
          const ended = replica.end("SIGTERM");
          await run.publish();
          expect(await ended).toBe(0);
          await replica.start();
        };
        const rotateKeys = () => cloud.keys.rotate();
        const hideIssuer = async () => {
          const isBack = cloud.faults.issuerUnreachable();
          await rotateKeys();
          const replica = nextReplica();
          const ended = replica.end("SIGTERM");
          await run.publish();
          expect(await ended).toBe(0);
          const restarted = replica.start();
          await run.publish();
          isBack();
          await restarted;
        };
        const loseResponses = async () => {
          cloud.faults.deliveries({ loseResponse: true, times: 20 });
          await run.publish();
        };
        const restartRedis = async () => {
          const stopped = primary.stop("SIGTERM");
          await run.publish();
          await stopped;
          await setTimeout(1_000);
          await primary.start();
        };
        const freezeRedis = async () => {
          await run.publish();
          primary.freeze();
          await run.publish();
          await setTimeout(FROZEN_MS);
          primary.thaw();
        };
        const failOver = async () => {
          await run.publish();
          failedOverAt = Date.now();
          await primary.stop("SIGKILL");
          const url = `redis://127.0.0.1:${secondary.port}`;
          const promoted = await createClient({ url }).connect();
          await promoted.sendCommand(["REPLICAOF", "NO", "ONE"]);
          await promoted.close();
          redis.switchTo(secondary.port);
        };
        const faults = [
          ...[killReplica, rotateKeys, loseResponses, drainReplica, restartRedis, killReplica],
          ...[freezeRedis, hideIssuer, killReplica, loseResponses, drainReplica, failOver],
          ...[rotateKeys, killReplica],
        ];
        for (let request = 1; run.published < EVENTS; request += 1) {
          await run.publish();
          if (request % REQUESTS_PER_FAULT === 0) await faults.shift()?.();
        }
        for (const fault of faults) await fault();
        // By then the claims of killed replicas have expired.
        while (cloud.pendingEvents > 0) {
          await setTimeout(RETRY_MS);
          cloud.retryNow();
        }

        const handled = handledTimes(replicas);
        const lost = run.eventIds.filter((id) => !handled.has(id));
        const duplicates = { killed: 0, failover: 0, unexplained: [] as (readonly Handled[])[] };
        for (const times of handled.values()) {
          const repeated = times.slice(0, -1);
          if (repeated.length === 0) continue;
          const isBy = (end: (by: Handled) => number) =>
            repeated.every((by) => Math.abs(end(by) - by.at) <= UNSETTLED_MS);
          if (isBy(({ pid }) => killedAt.get(pid) ?? 0)) duplicates.killed += 1;
          else if (isBy(() => failedOverAt)) duplicates.failover += 1;
          else duplicates.unexplained.push(times);
        }
        console.log(`${count} replicas, ${run.published} events:`, {
          lost: lost.length,
          "handled twice, because a replica was killed": duplicates.killed,
          "handled twice, because of the failover": duplicates.failover,
          "handled twice for another reason": duplicates.unexplained.length,
          responses: balancer.statuses,
        });
        expect(lost).toEqual([]);
        expect(duplicates.unexplained).toEqual([]);
        expect(cloud.deadLetters()).toEqual([]);
        expect(cloud.deliveries().filter(({ outcome }) => outcome === "dropped")).toEqual([]);
        const { broken: _, ...statuses } = balancer.statuses;
        expect(Object.keys(statuses)).toEqual(["200", "503"]);
      },
    );
  },
  { timeout: 600_000 },
);

/** Replicas behind a load balancer, two Redis servers, and a topic with two subscriptions. */
class FailureRun {
  static async start(count: number): Promise<FailureRun> {
    // A day of retries takes less than ten minutes.
    const cloud = await LocalCloud.start({ clock: { scale: 150 }, history: 100_000 });
    const stored = ["--appendonly", "yes", "--appendfsync", "always"];
    const primary = await RedisServer.start(...stored);
    const follow = ["--replicaof", `127.0.0.1 ${primary.port}`];
    const secondary = await RedisServer.start(...stored, ...follow);
    const redis = new StableAddress(primary.port);
    const address = await redis.start();
    const { clientId } = cloud.applications.create({ displayName: "orders webhook" });
    const topic = cloud.topics.create({ name: "orders", resourceGroupName: "shop" });
    const ports = await Promise.all(Array.from({ length: count }, freePort));
    const replicas = ports.map((port) => {
      const { authorityHost, tenantId } = cloud;
      const setting: ReplicaSetting = {
        authorityHost,
        tenantId,
        clientId,
        port,
        leaseMs: LEASE_MS,
        redisUrl: `redis://${address}`,
      };
      return new Replica(resolve(import.meta.dirname, "replica.ts"), port, {
        SETTING: JSON.stringify(setting),
      });
    });
    const balancer = new RoundRobin(replicas);
    await Promise.all(replicas.map((replica) => replica.start()));
    cloud.ingress.route("https://shop.example.com", await balancer.start());
    for (const [name, maxEventsPerBatch] of [
      ["single", 1],
      ["batched", 20],
    ] as const) {
      await cloud.eventSubscriptions.create({
        name,
        scope: topic.id,
        clientId,
        endpointUrl: "https://shop.example.com/api/events",
        filter: { subjectBeginsWith: name },
        maxEventsPerBatch,
        ...deadLettersTo("dead"),
      });
    }
    return new FailureRun(cloud, topic, replicas, balancer, redis, primary, secondary);
  }

  /** Number of published events. */
  published = 0;

  private constructor(
    readonly cloud: LocalCloud,
    readonly topic: Topic,
    readonly replicas: readonly Replica[],
    readonly balancer: RoundRobin,
    readonly redis: StableAddress,
    readonly primary: RedisServer,
    readonly secondary: RedisServer,
  ) {}

  async stop(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.end("SIGKILL")));
    this.balancer.stop();
    this.redis.stop();
    await Promise.all([this.primary.stop(), this.secondary.stop(), this.cloud.close()]);
  }

  get eventIds(): readonly string[] {
    return Array.from({ length: this.published }, (_, id) => String(id));
  }

  /** Publishes the next events, half of them for each subscription. */
  async publish(): Promise<void> {
    const events = Array.from({ length: PER_REQUEST }, (_, index) => ({
      specversion: "1.0",
      id: String(this.published + index),
      source: "/shop",
      type: "shop.order.placed",
      subject: index % 2 === 0 ? "single" : "batched",
    }));
    const response = await fetch(this.topic.endpoint, {
      method: "POST",
      headers: {
        "aeg-sas-key": this.topic.accessKey,
        "content-type": "application/cloudevents-batch+json; charset=utf-8",
      },
      body: JSON.stringify(events),
    });
    expect(response.status).toBe(200);
    this.published += PER_REQUEST;
  }
}

/** When each event was handled, by its ID and in order, from what the replicas have printed. */
function handledTimes(replicas: readonly Replica[]): Map<string, readonly Handled[]> {
  const times = new Map<string, readonly Handled[]>();
  for (const { output } of replicas) {
    for (const [, id = "", pid, at] of output.matchAll(/^handled (\d+) (\d+) (\d+)$/gm)) {
      const before = times.get(id) ?? [];
      times.set(id, [...before, { pid: Number(pid), at: Number(at) }]);
    }
  }
  for (const [id, handled] of times) {
    times.set(
      id,
      [...handled].sort((one, other) => one.at - other.at),
    );
  }
  return times;
}
