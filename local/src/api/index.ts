export { type ApiService, apiRoute, authenticator } from "./api-route.js";
export { compileFilter, type FilterUse } from "./odata-filter.js";
export { type ApiRequest, type ApiResponse, type Caller, Router } from "./router.js";
