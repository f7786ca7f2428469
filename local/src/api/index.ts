export { type ApiService, apiRoute } from "./api-route.js";
export { authenticator, type Caller } from "./authenticator.js";
export {
  type ApiAnswer,
  type ApiRequest,
  type PathParameters,
  Router,
} from "./router.js";
