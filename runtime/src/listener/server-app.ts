import { METHODS } from "node:http";
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
  LogController,
} from "fastify";
import { answer } from "./answers.js";
import { answerError } from "./webhook.js";

/** A pino logger, pino's options, or `false` for no log. */
export type LoggerOption = FastifyBaseLogger | NonNullable<FastifyServerOptions["logger"]>;

/** Time for a request's headers, and for a whole request; Event Grid itself waits 30 s. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;

/** The Fastify app of a standalone server: hardened, and with answers that tell nothing. */
export function serverApp(logger: LoggerOption): FastifyInstance {
  const app = fastify({
    ...(isLogger(logger) ? { loggerInstance: logger } : { logger }),
    ...withoutRequestLog(),
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: 2_000 },
    // Only reached when nothing is in flight.
    forceCloseConnections: true,
    frameworkErrors: (error, _, reply) => answerError(error, reply),
  });
  // So that the webhook's answer to another method, 405, is given to every method there is.
  for (const method of METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  }
  app.setNotFoundHandler((_, reply) => answer(reply, 404));
  app.setErrorHandler((error, _, reply) => answerError(error, reply));
  return app;
}

/** One line per delivery is the webhook's own; Fastify's would show the query of its URL. */
function withoutRequestLog() {
  const disableRequestLogging = true;
  // Fastify 5 came without the class at first, and deprecates the plain option since it is there.
  return typeof LogController === "function"
    ? { logController: new LogController({ disableRequestLogging }) }
    : { disableRequestLogging };
}

function isLogger(logger: LoggerOption): logger is FastifyBaseLogger {
  return typeof logger === "object" && "child" in logger;
}
