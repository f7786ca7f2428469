/** The interface between the listener and the stores that remember handled events. */
export * from "./store.js";
