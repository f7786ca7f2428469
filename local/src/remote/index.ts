export { indexRoute } from "./index-route.js";
export { remoteRoute } from "./remote-route.js";
