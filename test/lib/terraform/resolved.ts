import { DefaultTokenResolver, StringConcat, type TerraformStack, Tokenization } from "cdktf";

const resolver = new DefaultTokenResolver(new StringConcat());

/** The value as Terraform gets it. */
export function resolved(scope: TerraformStack, value: unknown): unknown {
  return Tokenization.resolve(value, { scope, resolver, preparing: false });
}
