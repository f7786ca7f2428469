/** What Event Grid sends to the webhook: deliveries of events, the handshake, notices of the subscription. */
export { contentMode, readEvents } from "./content-mode.js";
export { Delivery } from "./delivery.js";
export { ExpectedSource } from "./expected-source.js";
export { Handshake, isValidation, validationResponse } from "./handshake.js";
export { takeNotice } from "./lifecycle-notices.js";
export { announcedBytes, readBody } from "./request-body.js";
