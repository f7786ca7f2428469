import { METHODS } from "node:http";
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyLoggerOptions,
  FastifyServerOptions,
} from "fastify";
import { FastifyExchange } from "../hosts/fastify/index.js";
import { DELIVERY_HEADER_BYTES } from "../hosts/index.js";
import { answer } from "../intake/index.js";
import type { ListenerMetrics } from "../metrics.js";
import type { LoggerOption } from "../settings/index.js";
import { answerError } from "../webhook.js";
import { parserErrorHandler } from "./parser-errors.js";

/** Time for a request's headers, and for a whole request; Event Grid itself waits 30 s. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;

/** The package, which is loaded only when a listener starts. */
export type Fastify = Pick<typeof import("fastify"), "fastify" | "LogController">;

/** The Fastify app of a standalone server: hardened, and with responses that reveal nothing. */
export function serverApp(
  { fastify, LogController }: Fastify,
  logger: LoggerOption,
  metrics: ListenerMetrics,
  now: () => number,
): FastifyInstance {
  const app = fastify({
    ...loggerOf(logger),
    ...withoutRequestLog(LogController),
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: 2_000,
      maxHeaderSize: DELIVERY_HEADER_BYTES,
    },
    // The app is closed after the drain, when nothing is in flight.
    forceCloseConnections: true,
    frameworkErrors: (error, _, reply) => answerError(error, new FastifyExchange(reply)),
    clientErrorHandler: parserErrorHandler(metrics, now),
  });
  // Every method must reach the webhook's route, which answers 405.
  for (const method of METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  }
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
