export { acceptedServiceEvent, type RaisedEvent, raisedContent } from "./service-event.js";
export { sequencerOf } from "./storage.js";
export {
  resourceManagerEventTypes,
  type SystemEventOptions,
  type SystemEventType,
  systemEvent,
  systemEventFamilies,
  systemEventTypes,
} from "./system-events.js";
