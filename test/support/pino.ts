import fastify, { type FastifyBaseLogger } from "fastify";

/** A logger of pino that writes to a stream. */
export function pinoTo(stream: { write(line: string): void }, level = "info"): FastifyBaseLogger {
  return fastify({ logger: { level, stream } }).log;
}
