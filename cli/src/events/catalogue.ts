import { createRequire } from "node:module";
import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { EventCatalogue } from "cloud-eventgrid-binding-runtime/events";
import { CommandError } from "../terminal/index.js";

/** A catalogue, and the name under which its module exports it. */
export interface ExportedCatalogue {
  readonly name: string;
  readonly catalogue: EventCatalogue;
}

/**
 * Loads the module and returns the one catalogue that it exports.
 *
 * @throws {CommandError} if the module cannot be loaded, or does not export exactly one catalogue
 */
export async function loadCatalogue(directory: string, file: string): Promise<ExportedCatalogue> {
  const exported = await load(directory, file);
  const found = new Map<EventCatalogue, string>();
  // A CommonJS module appears below `default` once more.
  const holders = isCatalogue(exported) ? [exported] : [exported, Object(exported).default];
  for (const holder of holders) {
    if (isCatalogue(holder)) found.set(holder, found.get(holder) ?? "events");
    else {
      for (const [name, value] of Object.entries(Object(holder))) {
        const isModule = name === "default" || name === "module.exports";
        if (isCatalogue(value) && !isModule) found.set(value, name);
      }
    }
  }
  const [only, ...others] = found;
  if (only === undefined) {
    throw new CommandError(`${file} exports no event catalogue: export what defineEvents returns`);
  }
  if (others.length > 0) {
    const names = [...found.values()].join(", ");
    const advice = "give a module that exports only one of them";
    throw new CommandError(`${file} exports several event catalogues (${names}): ${advice}`);
  }
  return { catalogue: only[0], name: only[1] };
}

async function load(directory: string, file: string): Promise<unknown> {
  const path = resolve(directory, file);
  try {
    if ([".ts", ".tsx", ".cts", ".mts"].includes(extname(path))) return loadTypeScript(path);
    return await import(pathToFileURL(path).href);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`cannot load ${file}: ${reason}`);
  }
}

/** Loads TypeScript with the tsx of the module's project, as generated projects do. */
function loadTypeScript(path: string): unknown {
  let tsx: { require(id: string, from: string): unknown };
  try {
    tsx = createRequire(path)("tsx/cjs/api");
  } catch {
    throw new CommandError("a catalogue in TypeScript needs tsx: npm install --save-dev tsx");
  }
  return tsx.require(path, path);
}

/** The module may have a copy of the runtime of its own, so the form decides. */
function isCatalogue(value: unknown): value is EventCatalogue {
  return (
    typeof value === "object" &&
    value !== null &&
    "types" in value &&
    Array.isArray(value.types) &&
    "schemas" in value &&
    value.schemas instanceof Map
  );
}
