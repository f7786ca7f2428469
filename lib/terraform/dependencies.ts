import {
  dependable,
  type IResolvable,
  type ITerraformDependable,
  Lazy,
  TerraformResource,
  Token,
} from "cdktf";

/** A resource, as far as it waits for others. */
interface Waiting {
  dependsOn?: string[];
}

/** What some resources wait for, while the list still grows: `waitFor` may be called at any time. */
export class Dependencies {
  readonly #targets = new Map<ITerraformDependable, string>();
  readonly #tokens: string[] = [];
  readonly #later: (() => readonly ITerraformDependable[])[] = [];
  readonly #waiting: Waiting[] = [];

  /** Has a resource wait for all of this, and for what is added later. */
  attachTo(resource: Waiting): void {
    this.#waiting.push(resource);
    this.#write();
  }

  add(...targets: readonly ITerraformDependable[]): void {
    for (const target of targets) {
      if (!this.#targets.has(target)) this.#tokens.push(this.#tokenOf(target));
    }
    this.#write();
  }

  /** Adds what `targets` gives when the stack is synthesized. */
  addLater(targets: () => readonly ITerraformDependable[]): void {
    this.#later.push(targets);
    this.#write();
  }

  #write(): void {
    if (this.#tokens.length === 0 && this.#later.length === 0) return;
    // Tokens are costly to make, so a list that nothing is added to at synthesis is a plain one.
    const list =
      this.#later.length === 0 ? this.#tokens : Lazy.listValue({ produce: () => this.#produce() });
    for (const resource of this.#waiting) resource.dependsOn = list;
  }

  #produce(): string[] {
    const later = this.#later.flatMap((targets) => targets().map((one) => this.#tokenOf(one)));
    return [...new Set([...this.#tokens, ...later])];
  }

  #tokenOf(target: ITerraformDependable): string {
    const known = this.#targets.get(target) ?? addressOf(target);
    this.#targets.set(target, known);
    return known;
  }
}

function addressOf(target: ITerraformDependable): string {
  if (!TerraformResource.isTerraformResource(target)) return dependable(target);
  return Token.asString(new ResourceAddress(target));
}

/**
 * The address of a resource of the same stack, asked for at synthesis: it may be renamed until then.
 * cdktf's own `dependable` is made of two tokens and notes for each where it was made, which would
 * be a tenth of what a whole binding takes.
 */
class ResourceAddress implements IResolvable {
  readonly creationStack: string[] = [];
  readonly #resource: TerraformResource;

  constructor(resource: TerraformResource) {
    this.#resource = resource;
  }

  resolve(): string {
    return `${this.#resource.terraformResourceType}.${this.#resource.friendlyUniqueId}`;
  }

  toString(): string {
    return Token.asString(this);
  }
}
