import type { CloudEventGridBindingProps, IWebhookApplication } from "cloud-eventgrid-binding";
import type { BindingProps } from "cloud-eventgrid-binding-runtime";
import { describe, expectTypeOf, it } from "vitest";
import { published, received, receivedWithoutApplication } from "../fixtures.js";

declare const application: IWebhookApplication;
declare const shared: BindingProps;
const output = { topicEndpoint: "https://t.example.com" } as const;

/** Checked by `tsc`: every assertion states whether the props are valid. */
type Right<Props> = Props extends CloudEventGridBindingProps ? true : false;
const right = <Props>(_: () => Props) => ({}) as Right<Props>;

describe("the types of binding props", () => {
  it("accept a definition that is shared with the runtime, directly or spread", () => {
    expectTypeOf(right(() => shared)).toEqualTypeOf<true>();
    expectTypeOf(right(() => ({ ...received, labels: ["x"] }))).toEqualTypeOf<true>();
    const spread: CloudEventGridBindingProps = {
      ...received,
      writerPrincipals: [{ objectId: "x", principalType: "Group" }],
      roleEffectSeconds: 0,
      additionalScopes: { uploads: { scope: "/x", existingSubscription: "adopt" } },
    };
    expectTypeOf(spread).toExtend<CloudEventGridBindingProps>();
  });

  it("accept a client ID or an application, but not both", () => {
    expectTypeOf(
      right(() => ({ ...receivedWithoutApplication, application })),
    ).toEqualTypeOf<true>();
    expectTypeOf(right(() => ({ ...received, application }))).toEqualTypeOf<false>();
    expectTypeOf(right(() => receivedWithoutApplication)).toEqualTypeOf<false>();
  });

  it("require the secret of a client that writes", () => {
    const client = { ...received, writer: "client" } as const;
    expectTypeOf(right(() => ({ ...client, cloudClientSecret: "x" }))).toEqualTypeOf<true>();
    expectTypeOf(right(() => client)).toEqualTypeOf<false>();
  });

  it("accept a publisher with a key, or with Entra and no key", () => {
    expectTypeOf(right(() => published)).toEqualTypeOf<true>();
    expectTypeOf(right(() => ({ ...output, accessKey: "x" }))).toEqualTypeOf<true>();
    expectTypeOf(right(() => output)).toEqualTypeOf<false>();
    expectTypeOf(right(() => ({ ...published, accessKey: "x" }))).toEqualTypeOf<false>();
  });

  it("require the fields of the direction, and refuse those of the other one", () => {
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
