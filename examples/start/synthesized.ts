import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A resource or a look-up as the synthesized configuration has it. */
export interface Synthesized {
  readonly mode: "resource" | "data";
  readonly type: string;
  readonly name: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/** What a stack's synthesized configuration would make Terraform provision and look up. */
export function readSynthesized(outdir: string, stack: string): Synthesized[] {
  const file = join(outdir, "stacks", stack, "cdk.tf.json");
  const json = JSON.parse(readFileSync(file, "utf8")) as Record<
    string,
    Record<string, Record<string, Record<string, unknown>>> | undefined
  >;
  return (["resource", "data"] as const).flatMap((mode) =>
    Object.entries(json[mode] ?? {}).flatMap(([type, byName]) =>
      Object.entries(byName).map(([name, config]) => ({ mode, type, name, config })),
    ),
  );
}

/** The address by which Terraform knows it. */
export function address({ mode, type, name }: Synthesized): string {
  return mode === "data" ? `data.${type}.${name}` : `${type}.${name}`;
}

/**
 * A value of the configuration with its references replaced, as far as plain ones go: what an
 * expression such as a function call gives, only Terraform can tell.
 *
 * @param attributes the known attributes, by the address of what has them
 */
export function resolve(
  value: unknown,
  attributes: ReadonlyMap<string, Readonly<Record<string, string>>>,
): unknown {
  if (Array.isArray(value)) return value.map((item) => resolve(item, attributes));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, resolve(item, attributes)]),
    );
  }
  if (typeof value !== "string") return value;
  return value.replace(/\$\{([^{}]*)\}/g, (whole, expression: string) => {
    const reference = /^((?:data\.)?\w+\.[\w-]+)\.(\w+)$/.exec(expression);
    return attributes.get(reference?.[1] ?? "")?.[reference?.[2] ?? ""] ?? whole;
  });
}
