import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** How the SDK describes a value on the wire. */
export interface Mapper {
  readonly type: MapperType;
  readonly serializedName?: string;
}

interface MapperType {
  readonly name: string;
  readonly className?: string;
  readonly modelProperties?: Readonly<Record<string, Mapper>>;
  readonly element?: Mapper;
  readonly value?: Mapper;
  readonly allowedValues?: readonly unknown[];
}

const load = createRequire(import.meta.url);
const folder = dirname(load.resolve("@azure/eventgrid"));
const mappers: Readonly<Record<string, Mapper>> = load(join(folder, "generated/models/mappers.js"));

/** The mapper of a class, which for an abstract class is that of its only subclass. */
export function mapperOf(className: string): Mapper {
  const mapper = mappers[className === "MediaJobOutput" ? "MediaJobOutputAsset" : className];
  if (mapper === undefined) throw new Error(`The SDK has no mapper of ${className}`);
  return mapper;
}

/** The class of the payload of each event type, which the SDK declares in types only. */
export function payloadClasses(): ReadonlyMap<string, string> {
  const declarations = readFileSync(join(folder, "predicates.d.ts"), "utf8");
  const members = declarations.matchAll(/^ {4}"(Microsoft\.[\w. ]+)": (\w+);$/gm);
  return new Map(
    [...members].map(([, type = "", className = ""]) => [correctlySpelt(type), className]),
  );
}

/** The SDK misspells two names: `PolicyStateChanged` ends with a space, and this one lacks a letter. */
function correctlySpelt(type: string): string {
  return type.trim().replace(/SelectorsExpire$/, "SelectorsExpired");
}
