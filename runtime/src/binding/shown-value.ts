export { showValue as shownValue } from "../validation/index.js";
