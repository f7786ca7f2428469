import type { RequestListener, Server } from "node:http";
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyLoggerOptions,
  FastifyServerOptions,
} from "fastify";
import { FastifyExchange } from "../hosts/fastify/index.js";
import { answer } from "../intake/index.js";
import type { ListenerMetrics } from "../metrics.js";
import type { LoggerOption } from "../settings/index.js";
import { answerError } from "../webhook.js";
import { parserErrorHandler } from "./parser-errors.js";

/** The package, which is loaded only when a listener starts. */
export type Fastify = Pick<typeof import("fastify"), "fastify" | "LogController">;

/**
 * The Fastify app of a standalone server, for everything but deliveries. Its responses reveal
 * nothing.
 *
 * @param serverFactory creates the server, whose other requests the app gets
 */
export function serverApp(
  { fastify, LogController }: Fastify,
  logger: LoggerOption,
  serverFactory: (others: RequestListener) => Server,
  metrics: ListenerMetrics,
  now: () => number,
): FastifyInstance {
  const app = fastify({
    ...loggerOf(logger),
    ...withoutRequestLog(LogController),
    serverFactory,
    // The app is closed after the drain, when nothing is in flight.
    forceCloseConnections: true,
    frameworkErrors: (error, _, reply) => answerError(error, new FastifyExchange(reply)),
    clientErrorHandler: parserErrorHandler(metrics, now),
  });
  app.setNotFoundHandler((_, reply) => answer(new FastifyExchange(reply), 404));
  app.setErrorHandler((error, _, reply) => answerError(error, new FastifyExchange(reply)));
  return app;
}

/** The webhook logs one line per delivery; Fastify's own lines would show the query of its URL. */
function withoutRequestLog(LogController: Fastify["LogController"] | undefined) {
  const disableRequestLogging = true;
  // Early releases of Fastify 5 lack the class; later ones deprecate the plain option.
  return LogController !== undefined
    ? { logController: new LogController({ disableRequestLogging }) }
    : { disableRequestLogging };
}

/** The option as Fastify takes it. Pino itself checks its options. */
function loggerOf(logger: LoggerOption): Pick<FastifyServerOptions, "logger" | "loggerInstance"> {
  if (typeof logger === "boolean") return { logger };
  if (isLogger(logger)) return { loggerInstance: logger };
  return { logger: Object.assign<FastifyLoggerOptions, object>({}, logger) };
}

function isLogger(logger: object): logger is FastifyBaseLogger {
  return "child" in logger;
}
