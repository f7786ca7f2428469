import type { Group } from "../harness/scenario.js";
import { construct } from "./construct.js";
import { footprint } from "./footprint.js";
import { listener } from "./listener.js";
import { localAzure } from "./local-azure.js";
import { postgres } from "./postgres.js";
import { publisher } from "./publisher.js";
import { receiver } from "./receiver.js";
import { redis } from "./redis.js";

/** All groups in the order of their runs. */
export const groups: readonly Group[] = [
  listener,
  redis,
  postgres,
  publisher,
  receiver,
  construct,
  footprint,
  localAzure,
];
