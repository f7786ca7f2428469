export * from "./exchange.js";
export * from "./health-route.js";
export * from "./server.js";
