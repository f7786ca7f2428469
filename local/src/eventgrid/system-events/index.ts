export {
  type SystemEventOptions,
  type SystemEventType,
  systemEvent,
  systemEventFamilies,
  systemEventTypes,
} from "./system-events.js";
