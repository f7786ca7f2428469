export { Handshake } from "./handshake.js";
export { isValidation, validationResponse } from "./validation.js";
