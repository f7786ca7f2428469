/** The resources of a plan and how they refer to each other: what deliveries depend on, the way to webhooks. */
export {
  type AlikeSubscriptions,
  alikeSubscriptions,
  type Dependencies,
  type Dependency,
  dependenciesOf,
  isDestroyed,
  NEEDS,
} from "./dependencies.js";
export { Graph, type Node } from "./graph.js";
export {
  ACCOUNT,
  CONTAINER,
  CREATION,
  ENTITY,
  EVENT_HUB,
  EXISTENCE,
  isBeside,
  isHarmless,
  isRunning,
  isService,
  isUser,
  LOCK,
} from "./harmless.js";
export { domainsOf, hostsIn, isRecord } from "./hosts.js";
export { difference, type Leaf, leavesOf } from "./leaves.js";
export { connectionsOf, isAt, laterNames, namesOf, partOf, placesAround } from "./names.js";
export { isHolder, isServing, type Place, wayTo } from "./way.js";
