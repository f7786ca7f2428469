import {
  BindingConfigurationError,
  type BindingProps,
  isBindingProps,
  resolveBinding,
} from "cloud-eventgrid-binding-runtime/binding";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bindingProps } from "./arbitrary-props.js";
import { inputProps, outputProps } from "./example-props.js";
import { messagesFor } from "./problem-messages.js";

describe("a set of fields that is only half there", () => {
  it("is told which field is missing for which direction", () => {
    const { scope, handshakePort, ...half } = inputProps;
    expect(messagesFor({ ...half, accessKey: "k" })).toEqual([
      "handshakePort is required for the input direction (no direction is named, and " +
        "cloudTenantId, cloudSubscriptionId, cloudClientId, subscriberEndpoint are there)",
      "scope is required for the input direction (no direction is named, and " +
        "cloudTenantId, cloudSubscriptionId, cloudClientId, subscriberEndpoint are there)",
      "topicEndpoint is required for the output direction (no direction is named, and accessKey is there)",
    ]);
  });

  it("is told, too, where the direction is misspelt", () => {
    expect(messagesFor({ direction: "both", accessKey: "k" })).toEqual([
      'direction must be one of "input", "output", "input, output", but is "both"',
      "topicEndpoint is required for the output direction (direction is none of the three, and accessKey is there)",
    ]);
  });

  it("counts the getters of a class as fields", () => {
    class Topic {
      get topicEndpoint() {
        return outputProps.topicEndpoint;
      }
      get accessKey() {
        return outputProps.accessKey;
      }
    }
    expect(messagesFor(new Topic())).toEqual([]);
  });

  it("is told what to give when nothing is there", () => {
    expect(messagesFor({})).toEqual([
      "direction is not named, and no field tells it: give the input fields (cloudTenantId, " +
        "cloudSubscriptionId, cloudClientId, subscriberEndpoint, handshakePort, scope), " +
        "the output fields (topicEndpoint, accessKey), or both",
    ]);
  });

  it.each([undefined, null, "orders", 7])("refuses %s as props", (props) => {
    expect(messagesFor(props)).toHaveLength(1);
    expect(messagesFor(props)[0]).toMatch(/^A binding must be an object with the fields/);
  });
});

describe("the switches", () => {
  it.each([
    ["writer", 'writer must be one of "deployer", "client", but is "me"'],
    [
      "cloudEnvironment",
      'cloudEnvironment must be one of "public", "usgovernment", "china", but is "me"',
    ],
    ["publishWith", 'publishWith must be one of "accessKey", "entra", but is "me"'],
  ])("%s takes its own words only", (field, message) => {
    expect(messagesFor({ ...inputProps, ...outputProps, [field]: "me" })).toEqual([message]);
  });

  it("cloudAuthorityHost is a secure URL, or this machine's", () => {
    const withHost = (cloudAuthorityHost: string) =>
      messagesFor({ ...inputProps, cloudAuthorityHost });
    expect(withHost("http://127.0.0.1:9999")).toEqual([]);
    expect(withHost("http://login.example.com")).toEqual([
      "cloudAuthorityHost must be an https URL without a query (http only for this machine, such as " +
        'http://127.0.0.1:8080), but is "http://login.example.com"',
    ]);
    expect(withHost("https://login.example.com?x=1")).toEqual([
      'cloudAuthorityHost must be an https URL without a query (http only for this machine, such as http://127.0.0.1:8080), but "https://login.example.com?…" has a query',
    ]);
  });
});

describe("all problems at once", () => {
  const props: BindingProps = {
    ...inputProps,
    ...outputProps,
    cloudTenantId: "contoso",
    handshakePort: "web",
    topicEndpoint: "http://orders.example.com",
  };

  it("are in the error, its message, and its list", () => {
    const error = thrownBy(() => resolveBinding(props));
    expect(error.code).toBe("ERR_BINDING_CONFIGURATION");
    expect(error.name).toBe("BindingConfigurationError");
    expect(error.message).toBe(
      `The binding is invalid:
- cloudTenantId must be a UUID such as 11111111-2222-3333-4444-555555555555, but is "contoso"
- handshakePort must be a string holding a port number from "1" to "65535", but is "web"
- topicEndpoint must be an https URL without a query (http only for this machine, such as http://127.0.0.1:8080), but is "http://orders.example.com"`,
    );
    expect(error.problems.map(({ field, rule, received }) => ({ field, rule, received }))).toEqual([
      { field: "cloudTenantId", rule: "uuid", received: '"contoso"' },
      { field: "handshakePort", rule: "port", received: '"web"' },
      {
        field: "topicEndpoint",
        rule: "loopback-or-https-url",
        received: '"http://orders.example.com"',
      },
    ]);
  });

  it("shows long values shortened, and on one line", () => {
    const [message] = messagesFor({ ...inputProps, cloudTenantId: `a\n${"b".repeat(500)}` });
    expect(message).toMatch(/but is "a\\nb{198}…"$/);
  });
});

describe("values that are known only later", () => {
  const isUnresolved = (value: unknown) => typeof value === "string" && value.startsWith("<");

  it("count as given, and are not looked into", () => {
    const tokens = Object.fromEntries(
      Object.keys({ ...inputProps, ...outputProps }).map((field) => [field, `<${field}>`]),
    );
    expect(messagesFor(tokens, { isUnresolved })).toEqual([]);
    expect(messagesFor(tokens)).toHaveLength(7);
  });

  it.each(["direction", "writer", "publishWith", "cloudEnvironment"])(
    "cannot be the switch %s, which decides what is deployed",
    (field) => {
      const props = { ...inputProps, ...outputProps, cloudClientSecret: "s", [field]: "<x>" };
      expect(messagesFor(props, { isUnresolved })).toEqual([
        `${field} must be known before anything is deployed: write the value itself`,
      ]);
    },
  );

  it("pass through resolving as they are, but for a slash at the scope's end", () => {
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

describe("a resolved binding", () => {
  it("has its direction, its defaults and its values in normal form", () => {
    expect(
      resolveBinding({
        ...inputProps,
        ...outputProps,
        subscriberEndpoint: "https://Orders.Example.com:443",
        scope: "subscriptions/0a7c3c36-6a0f-4a55-8b0b-6ba0f5e4d9c2/",
        cloudAuthorityHost: "https://login.example.com//",
      }),
    ).toEqual({
      direction: "input, output",
      cloudEnvironment: "public",
      cloudAuthorityHost: "https://login.example.com",
      cloudTenantId: "6d1f0cf3-38a9-4c5a-9b8e-6a3d6a2f7f11",
      cloudSubscriptionId: "0a7c3c36-6a0f-4a55-8b0b-6ba0f5e4d9c2",
      cloudClientId: "f2a9c6e1-0d55-4c4e-8f38-1f5b2d6f9a07",
      writer: "deployer",
      subscriberEndpoint: "https://orders.example.com/api/events",
      handshakePort: "9000",
      scope: "/subscriptions/0a7c3c36-6a0f-4a55-8b0b-6ba0f5e4d9c2",
      topicEndpoint: "https://orders.westeurope-1.eventgrid.azure.net/api/events",
      publishWith: "accessKey",
      accessKey: "a-key-that-no-message-may-show",
    });
  });

  it.each([
    ["https://h.example.com", "https://h.example.com/api/events"],
    ["https://h.example.com/", "https://h.example.com/api/events"],
    ["https://h.example.com?code=1", "https://h.example.com/api/events?code=1"],
    ["https://h.example.com/hooks/", "https://h.example.com/hooks/"],
  ])("registers %s as %s", (subscriberEndpoint, registered) => {
    const binding = resolveBinding({ ...inputProps, subscriberEndpoint });
    expect(binding.subscriberEndpoint).toBe(registered);
  });

  it("is valid props again, and resolving it again changes nothing", () => {
    fc.assert(
      fc.property(bindingProps(), (props) => {
        const once = resolveBinding(props);
        expect(isBindingProps(once)).toBe(true);
        expect(resolveBinding(once)).toEqual(once);
      }),
    );
  });
});

function thrownBy(run: () => unknown): BindingConfigurationError {
  try {
    run();
  } catch (error) {
    if (error instanceof BindingConfigurationError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}
