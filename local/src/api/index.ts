export {
  type ApiRequest,
  type ApiResponse,
  type ApiService,
  apiRoute,
  authenticator,
  type Caller,
  type PathParameters,
  Router,
} from "./api-service.js";
export { type BodySchemas, checkBody, checkedBody } from "./body-schema.js";
export { compileFilter, type FilterUse } from "./odata-filter.js";
