/** An object in Terraform's JSON. */
export interface Block {
  readonly [attribute: string]: unknown;
}

/** A resource or data source of a synthesized stack. */
export interface Declared {
  /** Address in Terraform: `data.azurerm_client_config.caller`. */
  readonly address: string;
  readonly mode: "managed" | "data";
  readonly type: string;
  /** Path of the construct below the stack: `orders/subscription`. */
  readonly path: string;
  readonly body: Block;
}

/** Whether a value is an object and not a list. */
export function isBlock(value: unknown): value is Block {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** All resources and data sources of a synthesized stack, in its order. */
export function declaredIn(json: Block): Declared[] {
  return [...declarations(json.resource, "managed"), ...declarations(json.data, "data")];
}

/** The provider blocks of a synthesized stack, with the short names of the providers. */
export function providersIn(json: Block): { readonly name: string; readonly body: Block }[] {
  const providers = isBlock(json.provider) ? json.provider : {};
  return Object.entries(providers).flatMap(([name, bodies]) =>
    Array.isArray(bodies) ? bodies.filter(isBlock).map((body) => ({ name, body })) : [],
  );
}

function declarations(byType: unknown, mode: Declared["mode"]): Declared[] {
  if (!isBlock(byType)) return [];
  return Object.entries(byType).flatMap(([type, byName]) => {
    if (!isBlock(byName)) return [];
    return Object.entries(byName).flatMap(([name, body]) => {
      if (!isBlock(body)) return [];
      const address = `${mode === "data" ? "data." : ""}${type}.${name}`;
      return [{ address, mode, type, path: pathOf(body), body }];
    });
  });
}

function pathOf(body: Block): string {
  const comment = body["//"];
  const metadata = isBlock(comment) && isBlock(comment.metadata) ? comment.metadata : {};
  return String(metadata.path ?? "").replace(/^[^/]*\//, "");
}
