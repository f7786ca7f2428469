export { DELIVERY_HEADER_BYTES, warnOfHeaderLimit } from "./header-limit.js";
export { NodeExchange } from "./node-exchange.js";
export { WebExchange, type WebRequest } from "./web-exchange.js";
