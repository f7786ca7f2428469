import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../support/project.js";

/** A component document with a webhook. */
export const document = readFileSync(
  join(root, "examples/from-component/components/orders-earlier.yaml"),
  "utf8",
);

/** The same, with a secret in the query of the webhook's URL. */
export const withQuery = document.replace("/api/events", "/api/events?code=hush");
