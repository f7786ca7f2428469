/** A binding as environment variables, which the construct writes and the running service reads. */
export * from "./read.js";
export * from "./write.js";
