export { Handshake } from "./handshake.js";
