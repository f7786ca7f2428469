export type { RequestFailure, Topic } from "./failure.js";
export { type RequestContent, Transport } from "./request.js";
