/** A value in Terraform's language. A text that is one reference, `${var.name}`, becomes it. */
export function hclValue(value: string | readonly string[]): string {
  if (typeof value !== "string") return `[${value.map(hclValue).join(", ")}]`;
  const [, reference] = /^\$\{([\w.]+)\}$/.exec(value) ?? [];
  return reference ?? JSON.stringify(value).replace(/[$%](?=\{)/g, "$&$&");
}

/** The members of a map, one a line, with the values aligned as `terraform fmt` does. */
export function hclMembers(members: Readonly<Record<string, string>>, indent: string): string {
  const width = Math.max(0, ...Object.keys(members).map((name) => name.length));
  return Object.entries(members)
    .map(([name, value]) => `${indent}${name.padEnd(width)} = ${value}\n`)
    .join("");
}

/** Changes a `variable` block of a file: its default, and whether its value is sensitive. */
export function withVariable(
  file: string,
  name: string,
  { value, sensitive }: { readonly value?: string | readonly string[]; readonly sensitive?: true },
): string {
  const block = new RegExp(`(?<=variable "${name}" \\{\\n)[\\s\\S]*?(?=^\\})`, "m");
  return file.replace(block, (body) => {
    const kept = body.replace(/^ {2}default +=.*\n/m, "");
    const line =
      (value === undefined ? "" : `  default     = ${hclValue(value)}\n`) +
      (sensitive ? "  sensitive   = true\n" : "");
    return kept.replace(/^ {2}type .*\n/m, (type) => `${type}${line}`);
  });
}
