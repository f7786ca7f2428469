export {
  type Exchange,
  type Route,
  readBody,
  sendEmpty,
  sendJson,
  sendJsonText,
} from "./exchange.js";
export { healthRoute, type Phase } from "./health-route.js";
export { readJson, readJsonObject } from "./json-body.js";
export { close, createHttpServer, listen, requestListener } from "./server.js";
