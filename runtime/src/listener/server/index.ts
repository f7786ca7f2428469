export { createListener, type Listener, type ListenerAddress } from "./create-listener.js";
