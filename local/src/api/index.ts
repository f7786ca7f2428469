export { type ApiService, apiRoute } from "./api-route.js";
export { authenticator, type Caller } from "./authenticator.js";
export { compileFilter, type FilterUse } from "./odata-filter.js";
export {
  type ApiRequest,
  type ApiResponse,
  Router,
} from "./router.js";
