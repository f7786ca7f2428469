/** The envelope of events on the wire: reading it tolerantly, and checking it strictly. */
export { attributeProblems } from "./attributes.js";
export { InvalidBodyError, MAX_JSON_DEPTH } from "./json.js";
export { readBinary } from "./read-binary.js";
export {
  asCloudEvent,
  isEventGridEvent,
  MalformedEvent,
  parseStructured,
  type Received,
  readEvent,
} from "./read-event.js";
