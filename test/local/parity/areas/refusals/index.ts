import type { Area } from "../../row.js";
import { refusals } from "./event-grid.js";
import { graphRefusals } from "./graph.js";
import { serviceRefusals } from "./services.js";

export const allRefusals: readonly Area[] = [refusals, serviceRefusals, graphRefusals];
