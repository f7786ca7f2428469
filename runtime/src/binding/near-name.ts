export { nearName } from "../validation/index.js";
