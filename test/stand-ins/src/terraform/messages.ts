/** An error or warning of Terraform. */
export interface Diagnostic {
  readonly severity: "error" | "warning";
  readonly summary: string;
  readonly detail: string;
  /** The address of the resource, if the diagnostic is about one. */
  readonly address?: string;
}

export type Action = "create" | "read" | "update" | "replace" | "delete" | "import" | "move";

/** A planned change of one resource, or a change (drift) made to it outside of Terraform. */
export interface Change {
  readonly address: string;
  readonly type: string;
  readonly action: Action;
  /** Terraform's reason for replacing or deleting it. */
  readonly reason?: string;
}

/** The result of the operation on one resource. */
export interface Progress {
  readonly address: string;
  readonly action: Action;
  readonly succeeded: boolean;
}

/** One line of Terraform's machine-readable output. */
export type Message =
  | { readonly type: "diagnostic"; readonly diagnostic: Diagnostic }
  | { readonly type: "change"; readonly change: Change }
  | { readonly type: "progress"; readonly progress: Progress };

interface Line {
  readonly type?: string;
  readonly diagnostic?: Partial<Diagnostic>;
  readonly change?: { resource: Resource; action: Action; reason?: string };
  readonly hook?: { resource: Resource; action?: Action };
}

interface Resource {
  readonly addr: string;
  readonly resource_type: string;
}

/** Parses one line; `undefined` for lines of other types and lines that are not JSON. */
export function parseMessage(text: string): Message | undefined {
  const line = parse(text);
  if (line?.type === "diagnostic" && line.diagnostic !== undefined) {
    return { type: "diagnostic", diagnostic: toDiagnostic(line.diagnostic) };
  }
  if (line?.type === "planned_change" && line.change !== undefined) {
    const { resource, action, reason } = line.change;
    const change = { address: resource.addr, type: resource.resource_type, action };
    return { type: "change", change: { ...change, ...(reason !== undefined && { reason }) } };
  }
  if (line?.type === "apply_complete" || line?.type === "apply_errored") {
    const { resource, action } = line.hook ?? {};
    if (resource === undefined || action === undefined) return undefined;
    const succeeded = line.type === "apply_complete";
    return { type: "progress", progress: { address: resource.addr, action, succeeded } };
  }
  return undefined;
}

/** Fills in the fields that Terraform left out of a diagnostic. */
export function toDiagnostic(read: Partial<Diagnostic>): Diagnostic {
  const { severity = "error", summary = "", detail = "", address } = read;
  return { severity, summary, detail, ...(address !== undefined && { address }) };
}

function parse(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined;
  }
}
