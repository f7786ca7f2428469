/** Event contracts: the catalogue of a module as documents that any language reads. */
export { changesSince, changesText } from "./against.js";
export { asyncApiDocument } from "./asyncapi.js";
export { loadCatalogue } from "./catalogue.js";
export { modelSchemas } from "./model-schemas.js";
