import { constants } from "node:os";
import { isUuid } from "../binding/uuid.js";
import { isText, listOf, rule } from "../setting-rules.js";

export const portNumber = rule(
  "a whole number from 0 to 65535, 0 for a free one",
  (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535,
);

export const routePath = rule(
  "a path such as /healthz, without *, : and escapes",
  (value) => typeof value === "string" && /^\/[^\s?#*:%]*$/.test(value),
);

export const uuids = listOf("UUIDs", (value) => typeof value === "string" && isUuid(value));

export const texts = listOf("texts", isText);

export const origins = listOf(
  "host names such as eventgrid.azure.net, without https://",
  (value) => typeof value === "string" && /^[^\s/:]+(?::\d+)?$/.test(value),
);

export const signals = listOf(
  "signals that a process can catch, such as SIGTERM",
  (value) =>
    typeof value === "string" &&
    Object.hasOwn(constants.signals, value) &&
    value !== "SIGKILL" &&
    value !== "SIGSTOP",
);
