import type { EventCatalogue } from "cloud-eventgrid-binding-runtime/events";
import { jsonText } from "../terminal/index.js";
import { keysOf } from "./asyncapi.js";
import { payloadSchema } from "./payload-schema.js";

/**
 * The schemas of the payloads in draft 2020-12, for generators of models: a file for each event type that
 * has one, and the reasons of the others.
 */
export function modelSchemas(catalogue: EventCatalogue) {
  const files: Record<string, string> = {};
  const missing: string[] = [];
  for (const [key, eventType] of keysOf(catalogue)) {
    const payload = payloadSchema(catalogue, eventType, "draft-2020-12");
    if ("missing" in payload) missing.push(`${eventType}: ${payload.missing}`);
    else {
      const $schema = "https://json-schema.org/draft/2020-12/schema";
      files[`${key}.json`] = jsonText({ $schema, title: eventType, ...payload.schema });
    }
  }
  return { files, missing };
}
