import type { Area } from "../row.js";
import { access } from "./access.js";
import { advancedFilters } from "./advanced-filters.js";
import { batching } from "./batching.js";
import { codes } from "./codes.js";
import { deadLetters } from "./dead-letters.js";
import { deliveryProperties } from "./delivery-properties.js";
import { filters } from "./filters.js";
import { handshakes } from "./handshakes.js";
import { limits } from "./limits.js";
import { namespaces } from "./namespaces/index.js";
import { publisherCredentials } from "./publisher-credentials.js";
import { publishing } from "./publishing.js";
import { queries } from "./queries.js";
import { recorded } from "./recorded/index.js";
import { allRefusals } from "./refusals/index.js";
import { resourceManager } from "./resource-manager.js";
import { retries } from "./retries.js";
import { schemas } from "./schemas.js";
import { storage } from "./storage.js";

/** All areas, in the order of the page. */
export const areas: readonly Area[] = [
  publishing,
  publisherCredentials,
  schemas,
  filters,
  advancedFilters,
  handshakes,
  retries,
  batching,
  deliveryProperties,
  deadLetters,
  access,
  limits,
  ...namespaces,
  storage,
  resourceManager,
  ...allRefusals,
  codes,
  queries,
  ...recorded,
];
