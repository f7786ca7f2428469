/** The envelope of events on the wire: reading it tolerantly, and checking it strictly. */
export * from "./attributes.js";
export * from "./exact-text.js";
export * from "./read-event.js";
