import {
  type BindingProps,
  ConfigurationError,
  validateBinding,
} from "cloud-eventgrid-binding-runtime";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resolveBinding } from "../../../runtime/src/binding/parse.js";
import { bindingProps } from "./arbitrary-props.js";
import { inputProps, outputProps } from "./example-props.js";
import { errorOf, problemsWith } from "./problems.js";

const both = { ...inputProps, ...outputProps };
const messageOf = (props: object) => validateBinding(props)[0]?.message;

describe("2.2 direction", () => {
  it("follows from a single field when it is not named", () => {
    expect(problemsWith({ scope: inputProps.scope, accessKey: "k" })).toEqual([
      "cloudTenantId: required",
      "cloudSubscriptionId: required",
      "cloudClientId: required",
      "subscriberEndpoint: required",
      "handshakePort: required",
      "topicEndpoint: required",
    ]);
    expect(messageOf({ accessKey: "k" })).toBe(
      "topicEndpoint is required to publish events (accessKey is set)",
    );
    expect(messageOf({ writer: "client", path: "/x", topicEndpoint: undefined })).toBe(
      "cloudTenantId is required to receive events (writer is set)",
    );
    expect(
      messageOf({ scope: inputProps.scope, handshakePort: "1", cloudTenantId: undefined }),
    ).toBe(
      "cloudTenantId is undefined, but required to receive events (handshakePort, scope are set)",
    );
  });

  it("follows from the fields when its name is invalid", () => {
    expect(problemsWith({ direction: "both", accessKey: "k" })).toEqual([
      "direction: choice",
      "topicEndpoint: required",
    ]);
  });

  it("requires every field of a direction that is named", () => {
    expect(problemsWith({ direction: "input, output" })).toEqual([
      "cloudTenantId: required",
      "cloudSubscriptionId: required",
      "cloudClientId: required",
      "subscriberEndpoint: required",
      "handshakePort: required",
      "scope: required",
      "topicEndpoint: required",
      "accessKey: required",
    ]);
    expect(messageOf({ direction: "input" })).toBe("cloudTenantId is required to receive events");
  });

  it("excludes the fields of the other one", () => {
    expect(problemsWith({ ...both, direction: "input" })).toEqual([
      "topicEndpoint: direction",
      "accessKey: direction",
    ]);
    expect(problemsWith({ ...outputProps, direction: "output", handshakePort: "9000" })).toEqual([
      "handshakePort: direction",
    ]);
    expect(messageOf({ ...inputProps, accessKey: "k", direction: "input" })).toBe(
      'accessKey belongs to the output direction, but direction is "input": ' +
        'remove it, or set direction to "input, output"',
    );
  });

  it("is required if no field implies it", () => {
    expect(problemsWith({})).toEqual(["direction: required"]);
    expect(messageOf({})).toBe(
      "direction is not set, and neither is a field of one: set cloudTenantId, cloudSubscriptionId, " +
        "cloudClientId, subscriberEndpoint, handshakePort, scope to receive events, topicEndpoint " +
        "and accessKey to publish events",
    );
  });
});

describe("2.2 accessKey", () => {
  it("is required unless events are published with Entra", () => {
    const { topicEndpoint } = outputProps;
    expect(problemsWith({ topicEndpoint })).toEqual(["accessKey: required"]);
    expect(messageOf({ direction: "output", topicEndpoint })).toBe(
      'accessKey is required to publish events, unless publishWith is "entra"',
    );
    expect(problemsWith({ topicEndpoint, publishWith: "entra" })).toEqual([]);
  });

  it("cannot be used together with Entra", () => {
    expect(validateBinding({ ...outputProps, publishWith: "entra" })).toEqual([
      {
        field: "accessKey",
        rule: "unused",
        message: 'accessKey is not used unless publishWith is "accessKey": remove it, or set that',
      },
    ]);
  });
});

describe("2.2 cloudClientSecret", () => {
  it("is required only if the client writes the event subscription", () => {
    expect(validateBinding({ ...inputProps, writer: "client" })).toEqual([
      {
        field: "cloudClientSecret",
        rule: "required",
        message: 'cloudClientSecret is required because writer is "client"',
      },
    ]);
    expect(problemsWith({ ...inputProps, writer: "client", cloudClientSecret: "s" })).toEqual([]);
    expect(problemsWith({ ...inputProps, writer: "deployer", cloudClientSecret: "s" })).toEqual([]);
  });
});

describe("2.2 scope", () => {
  it("lies in the subscription of cloudSubscriptionId", () => {
    const scope = "/subscriptions/99999999-9999-4999-8999-999999999999";
    expect(validateBinding({ ...inputProps, scope })).toEqual([
      {
        field: "scope",
        rule: "scope-subscription",
        message: `scope must lie in the subscription of cloudSubscriptionId (${inputProps.cloudSubscriptionId}), but names the subscription 99999999-9999-4999-8999-999999999999`,
        received: `"${scope}"`,
      },
    ]);
    const upper = `/subscriptions/${inputProps.cloudSubscriptionId.toUpperCase()}`;
    expect(problemsWith({ ...inputProps, scope: upper })).toEqual([]);
  });
});

describe("2.2 eventSubscriptionName", () => {
  it("may contain hyphens if the subscription exists already", () => {
    const props = { ...inputProps, eventSubscriptionName: "orders-hook" };
    expect(problemsWith(props)).toEqual(["eventSubscriptionName: alphanumeric-name"]);
    expect(problemsWith(props, { existingSubscription: true })).toEqual([]);
  });
});

describe("an invalid binding", () => {
  const props: BindingProps = {
    ...both,
    cloudTenantId: "contoso",
    handshakePort: "web",
    topicEndpoint: "http://orders.example.com",
  };

  it("is reported with every problem in the error's message and in its list", () => {
    const error = errorOf(() => resolveBinding(props));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({
      name: "ConfigurationError",
      code: "ERR_CONFIGURATION",
      problems: [
        { field: "cloudTenantId", rule: "uuid", received: '"contoso"' },
        { field: "handshakePort", rule: "port", received: '"web"' },
        { field: "topicEndpoint", rule: "loopback-or-https-url" },
      ],
    });
    expect(error.message.split("\n")).toEqual([
      "The binding is invalid:",
      ...error.problems.map(({ message }) => `- ${message}`),
    ]);
  });

  it.each([undefined, null, "orders", 7])(
    "is reported when it is not an object but %s",
    (given) => {
      expect(problemsWith(given)).toEqual(["binding: type"]);
    },
  );

  it("never shows secrets, neither of fields nor in URLs", () => {
    const around = fc.constantFrom(
      ["http://orders.example.com/?code=", ""],
      ["https://orders.example.com/#", ""],
      ["https://", "@orders.example.com"],
      ["https://user:", "@orders.example.com/api/events"],
    );
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), around, (text, [before, after]) => {
        const secret = `hush${text}hush`;
        const url = `${before}${secret}${after}`;
        const problems = validateBinding({
          ...both,
          subscriberEndpoint: url,
          topicEndpoint: url,
          cloudAuthorityHost: url,
          accessKey: `${secret} `,
          cloudClientSecret: `${secret}\n`,
        });
        expect(problems.length).toBeGreaterThanOrEqual(2);
        expect(JSON.stringify(problems)).not.toContain("hush");
      }),
    );
  });
});

describe("values that are known only at deployment", () => {
  const isUnresolved = (value: unknown) => typeof value === "string" && value.startsWith("<");

  it("count as set and are not checked", () => {
    const tokens = Object.fromEntries(Object.keys(both).map((field) => [field, `<${field}>`]));
    expect(problemsWith(tokens, { isUnresolved })).toEqual([]);
    expect(problemsWith(tokens)).toHaveLength(7);
  });

  it.each(["direction", "writer", "publishWith", "cloudEnvironment"])(
    "cannot be the %s, which decides what is deployed",
    (field) => {
      const props = { ...both, cloudClientSecret: "s", [field]: "<x>" };
      expect(problemsWith(props, { isUnresolved })).toEqual([`${field}: known-early`]);
    },
  );

  it("stay unchanged in the normal form, except for a slash at the end of the scope", () => {
    const props: BindingProps = {
      ...inputProps,
      cloudSubscriptionId: "<subscription>",
      subscriberEndpoint: "<endpoint>",
      scope: "</subscriptions/$subscription>/",
      cloudAuthorityHost: "<host>",
    };
    expect(resolveBinding(props, { isUnresolved })).toEqual({
      ...props,
      direction: "input",
      writer: "deployer",
      cloudEnvironment: "public",
      scope: "</subscriptions/$subscription>",
    });
  });
});

describe("the normal form of a binding", () => {
  it("has the direction, the defaults and normalised values", () => {
    expect(
      resolveBinding({
        ...both,
        subscriberEndpoint: "https://Orders.Example.com:443",
        scope: "subscriptions/0a7c3c36-6a0f-4a55-8b0b-6ba0f5e4d9c2/",
        cloudAuthorityHost: "https://login.example.com//",
      }),
    ).toEqual({
      ...both,
      direction: "input, output",
      cloudEnvironment: "public",
      writer: "deployer",
      publishWith: "accessKey",
      subscriberEndpoint: "https://orders.example.com/api/events",
      scope: "/subscriptions/0a7c3c36-6a0f-4a55-8b0b-6ba0f5e4d9c2",
      cloudAuthorityHost: "https://login.example.com",
    });
  });

  it.each([
    ["https://h.example.com", "https://h.example.com/api/events"],
    ["https://h.example.com/", "https://h.example.com/api/events"],
    ["https://h.example.com?code=1", "https://h.example.com/api/events?code=1"],
    ["https://h.example.com/hooks/", "https://h.example.com/hooks/"],
    ["HTTPS://H.example.com/b/c", "https://h.example.com/b/c"],
  ])("registers the webhook %s as %s", (subscriberEndpoint, registered) => {
    const binding = resolveBinding({ ...inputProps, subscriberEndpoint });
    expect(binding).toHaveProperty("subscriberEndpoint", registered);
  });

  it("is valid, and its own normal form", () => {
    fc.assert(
      fc.property(bindingProps(), (props) => {
        const once = resolveBinding(props);
        expect(problemsWith(once)).toEqual([]);
        expect(resolveBinding(once)).toEqual(once);
      }),
    );
  });
});
