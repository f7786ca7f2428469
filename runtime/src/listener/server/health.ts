import type { FastifyInstance, FastifyReply } from "fastify";
import { type HealthPaths, healthPaths } from "../settings/index.js";

/** The state that the health routes report. */
export interface Health {
  isReady(): boolean;
  /** Whether only a restart helps. */
  isStuck(): boolean;
}

/** Adds the health routes to a standalone server. */
export function addHealthRoutes(app: FastifyInstance, paths: HealthPaths, health: Health): void {
  const { live, ready } = healthPaths(paths);
  app.get(live, (_, reply) => respond(reply, !health.isStuck()));
  app.get(ready, (_, reply) => respond(reply, health.isReady()));
}

function respond(reply: FastifyReply, isOk: boolean): FastifyReply {
  return reply.code(isOk ? 200 : 503).send({ status: isOk ? "ok" : "unavailable" });
}
