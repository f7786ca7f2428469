import { dependable, type ITerraformDependable, Lazy } from "cdktf";

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
    const known = this.#targets.get(target) ?? dependable(target);
    this.#targets.set(target, known);
    return known;
  }
}
