/** Parses the props of a binding, and the binding of a service, each once: what is valid, and its normal form. */
export {
  parseBinding,
  type ResolvedBinding,
  resolveBinding,
  validateBinding,
} from "./parse.js";
export { fieldProblems, type ValidationOptions } from "./problems.js";
export {
  parseNamespaceTopic,
  parsePullBinding,
  parseServiceBinding,
  type ServiceBinding,
  type ServiceCheck,
  type ServiceNamespaceTopic,
  type ServicePullBinding,
} from "./service-binding.js";
