/** Input and output of a command. */
export { ask, INTERRUPTED } from "./ask.js";
export { type Colours, usesColour } from "./colour.js";
export { isConfirmed } from "./confirm.js";
export { aligned } from "./table.js";
export {
  CommandError,
  ExitCode,
  jsonText,
  oneLine,
  type Streams,
  type Terminal,
  terminalOf,
  UsageError,
} from "./terminal.js";
export { wrapped } from "./wrap.js";
