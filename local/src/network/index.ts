export { Access } from "./access.js";
export { proxyAddress, serveAsProxy } from "./connect-proxy.js";
export { EndpointClient, type EndpointResponse, isUnknownHost } from "./endpoint-client.js";
export {
  type FunctionApps,
  functionAppRoutes,
  functionApps,
  Ingress,
  type IngressTable,
  type IngressTarget,
  ingressTable,
  isPublicHost,
  topicEndpointAt,
  topicHostOf,
  topicPathOf,
  topicSegmentOf,
} from "./ingress.js";
export { isLoopback, reachableName, ServerNames } from "./server-names.js";
