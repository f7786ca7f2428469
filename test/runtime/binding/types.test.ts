import {
  type BindingProps,
  bindingFromEnvironment,
  type InputBindingProps,
  type InputRuntimeBinding,
  type OutputBindingProps,
  type OutputRuntimeBinding,
  type RuntimeBinding,
} from "cloud-eventgrid-binding-runtime";
import { readComponentDocument } from "cloud-eventgrid-binding-runtime/document";
import { describe, expect, expectTypeOf, it } from "vitest";
import { inputProps, outputProps } from "./example-props.js";
import { problemsWith } from "./problems.js";

/** Asserts that validation accepts what the compiler accepts. */
function accepts(props: BindingProps): void {
  expect(problemsWith(props)).toEqual([]);
}

/** Asserts that validation rejects what the compiler rejects. */
function rejects(props: BindingProps): void {
  expect(problemsWith(props)).not.toEqual([]);
}

const both = { ...inputProps, ...outputProps };
const { topicEndpoint } = outputProps;
const { handshakePort: _, ...portless } = inputProps;

describe("props that the compiler accepts", () => {
  it("are valid for each direction, named or implied", () => {
    accepts(inputProps);
    accepts(outputProps);
    accepts(both);
    accepts({ ...inputProps, direction: "input" });
    accepts({ ...outputProps, direction: "output" });
    accepts({ ...both, direction: "input, output" });
  });

  it("are valid with an authority host that may be undefined", () => {
    const cloudAuthorityHost: string | undefined = process.env.NO_SUCH_AUTHORITY_HOST;
    accepts({ ...both, cloudAuthorityHost });
  });

  it("are valid with every value of writer and publishWith", () => {
    accepts({ ...inputProps, writer: "client", cloudClientSecret: "s" });
    accepts({ ...inputProps, writer: "deployer" });
    accepts({ topicEndpoint, publishWith: "entra" });
    accepts({ ...both, accessKey: "k", publishWith: "accessKey" });
  });
});

describe("props that the compiler rejects", () => {
  it("are invalid because a field of the direction is missing", () => {
    // @ts-expect-error handshakePort is missing
    rejects({ ...portless, direction: "input" });
    // @ts-expect-error handshakePort is missing, with the direction inferred
    rejects(portless);
    // @ts-expect-error the access key is missing
    rejects({ topicEndpoint });
    // @ts-expect-error the output fields are missing
    rejects({ ...inputProps, direction: "input, output" });
    // @ts-expect-error no field is set
    rejects({});
  });

  it("are invalid because a secret is missing or not used", () => {
    // @ts-expect-error the client writes, and has no secret
    rejects({ ...inputProps, writer: "client" });
    // @ts-expect-error Entra needs no key
    rejects({ ...outputProps, publishWith: "entra" });
  });

  it("are invalid because a field belongs to the other direction", () => {
    // @ts-expect-error the direction excludes the output fields
    rejects({ ...both, direction: "input" });
    // @ts-expect-error the direction excludes the input fields
    rejects({ ...both, direction: "output" });
  });

  it("are invalid because a port is a number or the direction is misspelt", () => {
    // @ts-expect-error the port has no quotes
    rejects({ ...inputProps, handshakePort: 9000 });
    // @ts-expect-error the space is missing
    rejects({ ...both, direction: "input,output" });
  });
});

describe("the type of a binding", () => {
  it("follows the direction that is read from a document", () => {
    const incoming = () => readComponentDocument("", { direction: "input", fileName: "x.yaml" });
    expectTypeOf(incoming).returns.toHaveProperty("props").toEqualTypeOf<InputBindingProps>();
    const any = () => readComponentDocument("", { fileName: "x.yaml" });
    expectTypeOf(any).returns.toHaveProperty("props").toEqualTypeOf<BindingProps>();
  });

  it("follows the direction that is read from the environment", () => {
    const both = () => bindingFromEnvironment("ORDERS");
    expectTypeOf(both).returns.toEqualTypeOf<RuntimeBinding<"input, output">>();
    expectTypeOf(both).returns.toExtend<InputRuntimeBinding & OutputRuntimeBinding>();
    const incoming = () => bindingFromEnvironment("ORDERS", { direction: "input" });
    expectTypeOf(incoming).returns.toEqualTypeOf<InputRuntimeBinding>();
    const outgoing = () => bindingFromEnvironment("ORDERS", { direction: "output" });
    expectTypeOf(outgoing).returns.toEqualTypeOf<OutputRuntimeBinding>();
  });

  it("lets props be used where a running service needs a binding", () => {
    expectTypeOf<InputBindingProps>().toExtend<InputRuntimeBinding>();
    expectTypeOf<OutputBindingProps>().toExtend<OutputRuntimeBinding>();
    expectTypeOf<InputRuntimeBinding>().not.toExtend<OutputRuntimeBinding>();
    expectTypeOf<OutputRuntimeBinding>().not.toExtend<InputRuntimeBinding>();
  });
});
