import type { CloudEventGridBindingProps, IWebhookApplication } from "cloud-eventgrid-binding";
import type { BindingProps } from "cloud-eventgrid-binding-runtime/binding";
import { describe, expectTypeOf, it } from "vitest";
import { published, received, receivedWithoutApplication } from "./fixtures.js";

declare const application: IWebhookApplication;
declare const shared: BindingProps;
const output = { topicEndpoint: "https://t.example.com" } as const;

/** What `tsc` is asked: every line says whether the props are right. */
type Right<Props> = Props extends CloudEventGridBindingProps ? true : false;
const right = <Props>(_: () => Props) => ({}) as Right<Props>;

describe("what the compiler lets pass", () => {
  it("a definition shared with the runtime, as it is or spread", () => {
    expectTypeOf(right(() => shared)).toEqualTypeOf<true>();
    expectTypeOf(right(() => ({ ...received, labels: ["x"] }))).toEqualTypeOf<true>();
    const spread: CloudEventGridBindingProps = {
      ...received,
      writerPrincipals: [{ objectId: "x", type: "group" }],
      deliveryIdentity: { type: "SystemAssigned" },
      additionalScopes: { uploads: { scope: "/x", existingSubscription: "adopt" } },
    };
    expectTypeOf(spread).toExtend<CloudEventGridBindingProps>();
  });

  it("a client ID or an application, and not both", () => {
    expectTypeOf(
      right(() => ({ ...receivedWithoutApplication, application })),
    ).toEqualTypeOf<true>();
    expectTypeOf(right(() => ({ ...received, application }))).toEqualTypeOf<false>();
    expectTypeOf(right(() => receivedWithoutApplication)).toEqualTypeOf<false>();
  });

  it("a client that writes with its secret", () => {
    const client = { ...received, writer: "client" } as const;
    expectTypeOf(right(() => ({ ...client, cloudClientSecret: "x" }))).toEqualTypeOf<true>();
    expectTypeOf(right(() => client)).toEqualTypeOf<false>();
  });

  it("a publisher with a key, or without one by Entra", () => {
    expectTypeOf(right(() => published)).toEqualTypeOf<true>();
    expectTypeOf(right(() => ({ ...output, accessKey: "x" }))).toEqualTypeOf<true>();
    expectTypeOf(right(() => output)).toEqualTypeOf<false>();
    expectTypeOf(right(() => ({ ...published, accessKey: "x" }))).toEqualTypeOf<false>();
  });

  it("what the direction needs, and nothing of the other", () => {
    const both = { ...received, ...output, accessKey: "x" };
    expectTypeOf(
      right(() => ({ ...both, direction: "input, output" as const })),
    ).toEqualTypeOf<true>();
    expectTypeOf(right(() => ({ ...both, direction: "input" as const }))).toEqualTypeOf<false>();
    expectTypeOf(
      right(() => ({ ...received, direction: "output" as const })),
    ).toEqualTypeOf<false>();
    expectTypeOf(right(() => ({ ...received, handshakePort: 9000 }))).toEqualTypeOf<false>();
  });
});
