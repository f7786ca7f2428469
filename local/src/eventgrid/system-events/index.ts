export {
  type SystemEventOptions,
  type SystemEventType,
  systemEvent,
  systemEventTypes,
} from "./system-events.js";
