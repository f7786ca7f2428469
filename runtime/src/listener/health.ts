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
  const { live, ready } = served(paths);
  app.get(live, (_, reply) => tell(reply, !health.isStuck()));
  app.get(ready, (_, reply) => tell(reply, health.isReady()));
}

function tell(reply: { code(status: number): { send(body: object): unknown } }, isWell: boolean) {
  return reply.code(isWell ? 200 : 503).send({ status: isWell ? "ok" : "unavailable" });
}

/**
 * What is wrong with paths that are right each by itself, but not each for itself alone.
 *
 * @param webhook the webhook's path, decoded; `undefined` where it is not known
 */
export function sharedPathProblems(paths: HealthPaths, webhook: string | undefined): string[] {
  const { live, ready } = served(paths);
  const problems = Object.entries({ live, ready })
    .filter(([, path]) => path === webhook)
    .map(([name, path]) => `health.${name} is ${path}, the webhook's path: give it one of its own`);
  if (live === ready) {
    problems.push(`health.live and health.ready are both ${live}: give each one of its own`);
  }
  return problems;
}

function served({ live = "/healthz", ready = "/readyz" }: HealthPaths) {
  return { live, ready };
}
