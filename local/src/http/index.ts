export {
  basicCredentials,
  decoded,
  type Exchange,
  type Route,
  readBody,
  readJson,
  readJsonObject,
  sendEmpty,
  sendJson,
  sendJsonText,
} from "./exchange.js";
export { healthRoute, type Phase } from "./health-route.js";
export { close, createHttpServer, listen, requestListener } from "./server.js";
