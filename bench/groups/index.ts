import type { Group } from "../harness/scenario.js";
import { publisher } from "./publisher.js";

/** All groups, in the order in which they are run. */
export const groups: readonly Group[] = [publisher];
