export {
  applicationAnswer,
  changeApplication,
  createApplication,
  FEDERATED_CREDENTIALS,
  newPasswordIn,
  passwordAnswer,
} from "./application-body.js";
export { without } from "./attributes.js";
export {
  attributesAfter,
  findServicePrincipal,
  servicePrincipalAnswer,
} from "./service-principal-body.js";
