/** The envelope of events on the wire: reading it tolerantly, and checking it strictly. */
export { type AttributeProblem, attributeProblems } from "./attributes.js";
export { InvalidBodyError, MAX_JSON_DEPTH } from "./json.js";
export { isBinaryMode, readBinary } from "./read-binary.js";
export {
  MalformedEvent,
  parseStructured,
  type ReadEventOptions,
  type Received,
  type ReceivedEvent,
  readEvent,
} from "./read-event.js";
