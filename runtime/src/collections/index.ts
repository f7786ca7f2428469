/** Collections that calls and requests come into and leave. */
export { Fifo } from "./fifo.js";
export { type Linked, LinkedList } from "./linked-list.js";
export { SignalListeners } from "./signal-listeners.js";
