import { dependable, type ITerraformDependable, Lazy } from "cdktf";

/**
 * What a resource waits for, while the list still grows: it is read when the stack is synthesized,
 * so that `waitFor` may be called at any time before.
 */
export class Dependencies {
  readonly #targets = new Set<ITerraformDependable>();
  readonly #sources: (() => readonly ITerraformDependable[])[] = [];

  /** Goes into a resource's `dependsOn`. */
  readonly list: string[] = Lazy.listValue({ produce: () => this.#produce() });

  add(...targets: readonly ITerraformDependable[]): void {
    for (const target of targets) this.#targets.add(target);
  }

  /** Adds what `targets` gives at synthesis. */
  addLater(targets: () => readonly ITerraformDependable[]): void {
    this.#sources.push(targets);
  }

  #produce(): string[] | undefined {
    const all = new Set([...this.#targets, ...this.#sources.flatMap((targets) => targets())]);
    return all.size === 0 ? undefined : [...all].map((target) => dependable(target));
  }
}
