import {
  dependable,
  type IResolvable,
  type ITerraformDependable,
  Lazy,
  TerraformResource,
  Token,
} from "cdktf";
import { addressOf } from "./identity.js";

interface Waiting {
  dependsOn?: string[];
}

/** The dependencies of some resources. The list may grow later, because `waitFor` may be called at any time. */
export class Dependencies {
  readonly #tokens = new Map<ITerraformDependable, string>();
  readonly #later: (() => readonly ITerraformDependable[])[] = [];
  readonly #waiting: Waiting[] = [];

  /** Makes a resource depend on these targets, and on those that are added later. */
  attachTo(resource: Waiting): void {
    this.#waiting.push(resource);
    this.#write();
  }

  add(...targets: readonly ITerraformDependable[]): void {
    this.#tokensWith(targets);
    this.#write();
  }

  /** Adds the targets that the function returns when the stack is synthesized. */
  addLater(targets: () => readonly ITerraformDependable[]): void {
    this.#later.push(targets);
    this.#write();
  }

  #tokensWith(targets: readonly ITerraformDependable[]): string[] {
    for (const target of targets) {
      if (!this.#tokens.has(target)) this.#tokens.set(target, tokenOf(target));
    }
    return [...this.#tokens.values()];
  }

  #write(): void {
    if (this.#tokens.size === 0 && this.#later.length === 0) return;
    const produce = () => this.#tokensWith(this.#later.flatMap((targets) => targets()));
    // Tokens are expensive, so the list is a plain one unless targets are added at synthesis.
    const list = this.#later.length === 0 ? produce() : Lazy.listValue({ produce });
    for (const resource of this.#waiting) resource.dependsOn = list;
  }
}

function tokenOf(target: ITerraformDependable): string {
  if (!TerraformResource.isTerraformResource(target)) return dependable(target);
  return Token.asString(new ResourceAddress(target));
}

/**
 * The address of a resource of the same stack, read at synthesis because it may be renamed until then.
 * cdktf's own `dependable` consists of two tokens, each with a stack trace, which would take 10 % of the
 * time to synthesize a binding.
 */
class ResourceAddress implements IResolvable {
  readonly creationStack: string[] = [];
  readonly #resource: TerraformResource;

  constructor(resource: TerraformResource) {
    this.#resource = resource;
  }

  resolve(): string {
    return addressOf(this.#resource);
  }

  toString(): string {
    return Token.asString(this);
  }
}
