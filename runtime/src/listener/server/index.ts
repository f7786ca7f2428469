export { createListener, type Listener } from "./create-listener.js";
