export type { RequestFailure } from "./failure.js";
export { type RequestContent, Transport } from "./request.js";
