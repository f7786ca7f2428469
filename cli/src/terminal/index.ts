/** Input and output of a command. */
export { ask, INTERRUPTED, isConfirmed } from "./ask.js";
export { type Colours, usesColour } from "./colour.js";
export { aligned, wrapped } from "./layout.js";
export {
  CommandError,
  ExitCode,
  jsonText,
  oneLine,
  type Streams,
  standardInput,
  type Terminal,
  terminalOf,
  UsageError,
} from "./terminal.js";
export { shownUrl, withoutSecrets } from "./urls.js";
