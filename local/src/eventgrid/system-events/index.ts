export {
  defaultTypesOf,
  knownTypesOf,
  type RaisedEvent,
  raisedEvent,
  resourceManagerEventTypes,
  type SystemEventOptions,
  type SystemEventType,
  sequencerOf,
  systemEvent,
  systemEventFamilies,
  systemEventTypes,
  withDefaultTypes,
} from "./system-events.js";
