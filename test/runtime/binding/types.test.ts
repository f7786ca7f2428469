import {
  type BindingProps,
  bindingFromEnvironment,
  type DirectionOf,
  type InputBindingProps,
  isBindingProps,
  type ListenerBinding,
  type OutputBindingProps,
  type PublisherBinding,
  type RuntimeBinding,
  resolveBinding,
  runtimeBinding,
} from "cloud-eventgrid-binding-runtime/binding";
import { readComponentDocument } from "cloud-eventgrid-binding-runtime/document";
import { describe, expect, expectTypeOf, it } from "vitest";
import { inputProps, outputProps } from "./example-props.js";

/** What the compiler takes, the validation must take, too. */
function takes(props: BindingProps): void {
  expect(isBindingProps(props)).toBe(true);
}

/** What the compiler refuses (every call stands under an expected error) must be invalid. */
function refuses(props: BindingProps): void {
  expect(isBindingProps(props)).toBe(false);
}

const both = { ...inputProps, ...outputProps };
const { topicEndpoint } = outputProps;
const { handshakePort: _, ...portless } = inputProps;

describe("what the types take is valid", () => {
  it("input, output and both, named or inferred", () => {
    takes(inputProps);
    takes(outputProps);
    takes(both);
    takes({ ...inputProps, direction: "input" });
    takes({ ...outputProps, direction: "output" });
    takes({ ...both, direction: "input, output" });
  });

  it("an authority host from a variable that may not be set", () => {
    const cloudAuthorityHost: string | undefined = process.env.NO_SUCH_AUTHORITY_HOST;
    takes({ ...both, cloudAuthorityHost });
    expect(resolveBinding({ ...inputProps, cloudAuthorityHost })).not.toHaveProperty(
      "cloudAuthorityHost",
    );
  });

  it("the two switches", () => {
    takes({ ...inputProps, writer: "client", cloudClientSecret: "s" });
    takes({ ...inputProps, writer: "deployer" });
    takes({ topicEndpoint, publishWith: "entra" });
    takes({ ...both, accessKey: "k", publishWith: "accessKey" });
  });
});

describe("what the types refuse is invalid", () => {
  it("a field that the direction needs is missing", () => {
    // @ts-expect-error handshakePort is missing
    refuses({ ...portless, direction: "input" });
    // @ts-expect-error handshakePort is missing, with the direction inferred
    refuses(portless);
    // @ts-expect-error the access key is missing
    refuses({ topicEndpoint });
    // @ts-expect-error the output half is missing
    refuses({ ...inputProps, direction: "input, output" });
    // @ts-expect-error nothing is there
    refuses({});
  });

  it("a secret that a switch asks for is missing, or not wanted", () => {
    // @ts-expect-error the client writes, and has no secret
    refuses({ ...inputProps, writer: "client" });
    // @ts-expect-error Entra needs no key
    refuses({ ...outputProps, publishWith: "entra" });
  });

  it("a field belongs to a direction that is not chosen", () => {
    // @ts-expect-error the output half is not chosen
    refuses({ ...both, direction: "input" });
    // @ts-expect-error the input half is not chosen
    refuses({ ...both, direction: "output" });
  });

  it("a port is a number, a direction is misspelt", () => {
    // @ts-expect-error the port has no quotes
    refuses({ ...inputProps, handshakePort: 9000 });
    // @ts-expect-error the space is missing
    refuses({ ...both, direction: "input,output" });
  });
});

describe("the type of a binding follows its direction", () => {
  it("for props", () => {
    expectTypeOf<DirectionOf<InputBindingProps>>().toEqualTypeOf<"input">();
    expectTypeOf<DirectionOf<OutputBindingProps>>().toEqualTypeOf<"output">();
    expectTypeOf<DirectionOf<typeof both>>().toEqualTypeOf<"input, output">();
    expectTypeOf<DirectionOf<BindingProps>>().toEqualTypeOf<"input" | "output" | "input, output">();
  });

  it("for resolved and running bindings", () => {
    expectTypeOf(resolveBinding(inputProps).direction).toEqualTypeOf<"input">();
    expectTypeOf(resolveBinding(inputProps)).not.toHaveProperty("topicEndpoint");
    expectTypeOf(resolveBinding(inputProps)).toExtend<BindingProps>();
    expectTypeOf(resolveBinding(outputProps)).toExtend<BindingProps>();
    expectTypeOf(resolveBinding(both)).toExtend<BindingProps>();
    expectTypeOf(runtimeBinding(both)).toEqualTypeOf<RuntimeBinding<"input, output">>();
  });

  it("for documents", () => {
    const incoming = () => readComponentDocument("", { direction: "input", fileName: "x.yaml" });
    expectTypeOf(incoming).returns.toHaveProperty("props").toEqualTypeOf<InputBindingProps>();
    const any = () => readComponentDocument("", { fileName: "x.yaml" });
    expectTypeOf(any).returns.toHaveProperty("props").toEqualTypeOf<BindingProps>();
  });

  it("for both halves of a service", () => {
    expectTypeOf<InputBindingProps>().toExtend<ListenerBinding>();
    expectTypeOf<OutputBindingProps>().toExtend<PublisherBinding>();
    const whole = () => bindingFromEnvironment("ORDERS");
    expectTypeOf(whole).returns.toExtend<ListenerBinding & PublisherBinding>();
    const incoming = () => bindingFromEnvironment("ORDERS", { direction: "input" });
    expectTypeOf(incoming).returns.toExtend<ListenerBinding>();
    expectTypeOf(incoming).returns.not.toExtend<PublisherBinding>();
    const outgoing = () => bindingFromEnvironment("ORDERS", { direction: "output" });
    expectTypeOf(outgoing).returns.toExtend<PublisherBinding>();
    expectTypeOf(outgoing).returns.not.toExtend<ListenerBinding>();
  });
});
