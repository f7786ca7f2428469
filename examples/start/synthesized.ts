import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A resource of a synthesized configuration. */
export interface SynthesizedResource {
  readonly type: string;
  /** Terraform's address of it: `azurerm_eventgrid_topic.topic`. */
  readonly address: string;
  /** What a person calls it, its type and construct path: `azurerm_eventgrid_topic topic`. */
  readonly label: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/** The part of a stack's synthesized configuration that the examples use. */
export interface Synthesized {
  /** The resources that Terraform would create. */
  readonly resources: readonly SynthesizedResource[];
  /** The number of data sources that Terraform would read. */
  readonly lookups: number;
  readonly outputs: Readonly<Record<string, unknown>>;
}

interface Configuration {
  readonly resource?: Record<string, Record<string, ResourceConfiguration>>;
  readonly data?: Record<string, Record<string, unknown>>;
  readonly output?: Record<string, { readonly value: unknown }>;
}

/** The configuration of a resource, with the comment that cdktf adds. */
interface ResourceConfiguration extends Record<string, unknown> {
  readonly "//"?: { readonly metadata?: { readonly path?: string } };
}

export function readSynthesized(outdir: string, stack: string): Synthesized {
  const file = join(outdir, "stacks", stack, "cdk.tf.json");
  const {
    resource = {},
    data = {},
    output = {},
  } = JSON.parse(readFileSync(file, "utf8")) as Configuration;
  return {
    resources: Object.entries(resource).flatMap(([type, byName]) =>
      Object.entries(byName).map(([name, config]) => ({
        type,
        address: `${type}.${name}`,
        label: `${type} ${constructPath(config) ?? name}`,
        config,
      })),
    ),
    lookups: Object.values(data).flatMap((byName) => Object.keys(byName)).length,
    outputs: Object.fromEntries(Object.entries(output).map(([name, { value }]) => [name, value])),
  };
}

/** The path below the stack, without names that repeat their parent's: `topic/topic` is `topic`. */
function constructPath(config: ResourceConfiguration): string | undefined {
  const [, ...names] = config["//"]?.metadata?.path?.split("/") ?? [];
  if (names.length === 0) return undefined;
  return names.filter((name, index) => name !== names[index - 1]).join("/");
}

/** Attributes of resources that exist, by address. */
export type Attributes = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

/**
 * Replaces the references in a value of the configuration: plain ones, and those in `trim`. Only
 * Terraform can evaluate other expressions, so they stay as they are.
 */
export function resolve(value: unknown, attributes: Attributes): unknown {
  if (Array.isArray(value)) return value.map((item) => resolve(item, attributes));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, resolve(item, attributes)]),
    );
  }
  if (typeof value !== "string") return value;
  return value.replace(/\$\{([^{}]*)\}/g, (whole, expression: string) => {
    const [, trimmed, plain] = /^(?:trim\(([\w.-]+), "\/"\)|([\w.-]+))$/.exec(expression) ?? [];
    const [, address = "", attribute = ""] = /^(.+)\.(\w+)$/.exec(trimmed ?? plain ?? "") ?? [];
    const found = attributes.get(address)?.[attribute];
    if (found === undefined) return whole;
    return trimmed === undefined ? String(found) : String(found).replace(/^\/+|\/+$/g, "");
  });
}
