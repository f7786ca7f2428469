export { type EndpointAnswer, EndpointClient } from "./endpoint-client.js";
export { Ingress, type IngressTable, type IngressTarget, ingressTable } from "./ingress.js";
