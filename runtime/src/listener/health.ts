import type { FastifyInstance } from "fastify";

/** Where the standalone server tells how it is. */
export interface HealthPaths {
  /** Whether the process is alive: 503 only when it should be restarted. @default "/healthz" */
  readonly live?: string;
  /** Whether deliveries are welcome. @default "/readyz" */
  readonly ready?: string;
}

/** What the answers depend on. */
export interface Health {
  isReady(): boolean;
  /** Whether only a restart can help. */
  isStuck(): boolean;
}

/** Adds the health routes to the standalone server. */
export function addHealthRoutes(app: FastifyInstance, paths: HealthPaths, health: Health): void {
  app.get(paths.live ?? "/healthz", (_, reply) => tell(reply, !health.isStuck()));
  app.get(paths.ready ?? "/readyz", (_, reply) => tell(reply, health.isReady()));
}

function tell(reply: { code(status: number): { send(body: object): unknown } }, isWell: boolean) {
  return reply.code(isWell ? 200 : 503).send({ status: isWell ? "ok" : "unavailable" });
}
