export { Access } from "./access.js";
export { proxyAddress, serveAsProxy } from "./connect-proxy.js";
export { EndpointClient, type EndpointResponse } from "./endpoint-client.js";
export {
  type FunctionApps,
  functionAppRoutes,
  functionApps,
  Ingress,
  type IngressTable,
  type IngressTarget,
  ingressTable,
} from "./ingress.js";
export {
  isPublicHost,
  topicEndpointAt,
  topicHostOf,
  topicPathOf,
  topicSegmentOf,
} from "./public-hosts.js";
export { isLoopback, ServerNames } from "./server-names.js";
