/** Delivers events of Azure to a service on this machine. */
export { clean } from "./clean.js";
export { type ListenEnvironment, type ListenFlags, listen } from "./listen.js";
