import type { FastifyInstance, FastifyReply } from "fastify";
import { type Health, healthPaths, healthResponse } from "../../health.js";
import type { HealthPaths } from "../settings/index.js";

/** Adds the health routes to a standalone server. */
export function addHealthRoutes(app: FastifyInstance, paths: HealthPaths, health: Health): void {
  const { live, ready } = healthPaths(paths);
  app.get(live, (_, reply) => respond(reply, !health.isStuck()));
  app.get(ready, (_, reply) => respond(reply, health.isReady()));
}

function respond(reply: FastifyReply, isOk: boolean): FastifyReply {
  const { status, body } = healthResponse(isOk);
  return reply.code(status).send(body);
}
