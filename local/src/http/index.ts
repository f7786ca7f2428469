export { readBody } from "./body.js";
export { type Exchange, type Route, sendEmpty, sendJson } from "./exchange.js";
export { close, createHttpServer, listen, requestListener } from "./server.js";
