export { graphService } from "./service.js";
