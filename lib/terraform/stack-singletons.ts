import { App, TerraformElement, TerraformStack } from "cdktf";
import { Construct, type IConstruct } from "constructs";

const ID = "cloud-eventgrid";
const SINGLETONS = Symbol.for("cloud-eventgrid-binding/StackSingletons");

/**
 * Contains the resources that exist once per stack: look-ups and assignments that two bindings
 * share have an address that does not depend on which binding comes first.
 */
class StackSingletons extends Construct {
  readonly made = new Map<string, unknown>();

  private constructor(stack: TerraformStack) {
    super(stack, ID);
    Object.defineProperty(this, SINGLETONS, { value: true });
    new RequiredVersion(this, "required-version");
  }

  static of(construct: IConstruct): StackSingletons {
    const stack = TerraformStack.of(construct);
    const existing = stack.node.tryFindChild(ID);
    return isStackSingletons(existing) ? existing : new StackSingletons(stack);
  }
}

/** Recognised by a property, because the library may be installed twice. */
function isStackSingletons(value: unknown): value is StackSingletons {
  return typeof value === "object" && value !== null && SINGLETONS in value;
}

/**
 * Has the stack refuse releases of Terraform that lack what the constructs use: `terraform_data` and
 * `import` blocks. A `required_version` of the stack's overrides replaces it.
 */
export function requireTerraformVersion(construct: IConstruct): void {
  StackSingletons.of(construct);
}

class RequiredVersion extends TerraformElement {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.node.addValidation({ validate: () => (isHcl(this) ? [JSON_ONLY] : []) });
  }

  override toTerraform(): unknown {
    return { terraform: { required_version: ">= 1.5" } };
  }

  override toHclTerraform(): never {
    throw new Error(JSON_ONLY);
  }
}

/** Resources without a class of cdktf's providers have no HCL: azapi's, `terraform_data`, `import`. */
const JSON_ONLY =
  "the constructs for Event Grid need cdktf's output format JSON: synthesize without --hcl and hclOutput";

/** `cdktf synth --hcl` sets the variable, which decides what is written; the option names the file. */
function isHcl(construct: IConstruct): boolean {
  return (
    App.of(construct).hclOutput || ["true", "1"].includes(String(process.env.SYNTH_HCL_OUTPUT))
  );
}

/** A kind of construct that exists once per stack and key. */
export class OncePerStack<Thing> {
  /** @param kind a name that no other kind has */
  constructor(private readonly kind: string) {}

  /**
   * Returns the stack's construct of this key, created if necessary.
   *
   * @param key undefined if there is one only
   * @param make gets the construct to create resources in
   */
  get(construct: IConstruct, key: string | undefined, make: (home: Construct) => Thing): Thing {
    const home = StackSingletons.of(construct);
    const name = `${this.kind} ${key}`;
    if (!home.made.has(name)) home.made.set(name, make(home));
    return home.made.get(name) as Thing;
  }
}

/** Construct id of a singleton per stack and provider. The default provider has no alias. */
export function withAlias(id: string, alias: string | undefined): string {
  return alias === undefined ? id : `${id}-${alias}`;
}
