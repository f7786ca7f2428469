import { validateBinding } from "cloud-eventgrid-binding-runtime/binding";
import { describe, expect, it } from "vitest";
import { inputProps, outputProps } from "./example-props.js";
import { messagesFor } from "./problem-messages.js";

const input = (changes: object) => messagesFor({ ...inputProps, ...changes });
const output = (changes: object) => messagesFor({ ...outputProps, ...changes });

describe("2.2 accessKey", () => {
  it("is required for the output direction", () => {
    expect(output({ accessKey: undefined })).toEqual([
      "accessKey is required for the output direction (no direction is named, and topicEndpoint " +
        'is there), unless publishWith is "entra"',
    ]);
  });

  it("is not required where create uses Entra, and refused beside it", () => {
    expect(output({ accessKey: undefined, publishWith: "entra" })).toEqual([]);
    expect(output({ publishWith: "entra" })).toEqual([
      'accessKey is not used where publishWith is "entra": remove one of the two',
    ]);
  });

  it.each([
    ["", "accessKey must not be empty"],
    ["key\n", "accessKey must not contain white space or line ends (its value is not shown)"],
    [17, "accessKey must be a string"],
  ])("is never shown: %j", (accessKey, message) => {
    const problems = validateBinding({ ...outputProps, accessKey });
    expect(problems.map((problem) => problem.message)).toEqual([message]);
    expect(problems[0]).not.toHaveProperty("received");
  });
});

describe("2.2 topicEndpoint", () => {
  it("is required for the output direction", () => {
    expect(output({ topicEndpoint: undefined })).toEqual([
      "topicEndpoint is required for the output direction (no direction is named, and accessKey is there)",
    ]);
  });

  it.each([
    "https://orders.westeurope-1.eventgrid.azure.net/api/events",
    "http://127.0.0.1:8080/api/events",
    "http://localhost:8080",
    "http://[::1]:8080",
  ])("takes %s", (topicEndpoint) => {
    expect(output({ topicEndpoint })).toEqual([]);
  });

  const mustBeSecure =
    "topicEndpoint must be an https URL (http only for this machine itself, such as http://127.0.0.1:8080), but is";
  it.each([
    ["http://orders.example.com", `${mustBeSecure} "http://orders.example.com"`],
    ["http://127.0.0.1.example.com", `${mustBeSecure} "http://127.0.0.1.example.com"`],
    ["orders.example.com", `${mustBeSecure} "orders.example.com"`],
    ["", `${mustBeSecure} ""`],
    ["https://u:p@h/", 'topicEndpoint must not contain credentials, but is "https://…"'],
    ["https://h/#x", 'topicEndpoint must not have a fragment (#…), but is "https://h/#…"'],
    [null, "topicEndpoint must be a string, but is null"],
  ])("refuses %j", (topicEndpoint, message) => {
    expect(output({ topicEndpoint })).toEqual([message]);
  });
});

describe.each([
  ["2.2 cloudTenantId", "cloudTenantId"],
  ["2.2 cloudSubscriptionId", "cloudSubscriptionId"],
  ["2.2 cloudClientId", "cloudClientId"],
] as const)("%s", (_, field) => {
  it("is required for the input direction", () => {
    expect(messagesFor({ ...inputProps, direction: "input", [field]: undefined })).toEqual([
      `${field} is required for the input direction (direction is "input")`,
    ]);
  });

  it("is a UUID, in either case", () => {
    expect(input({ [field]: inputProps[field].toUpperCase() })).toEqual([]);
    expect(input({ [field]: "contoso" })).toEqual([
      `${field} must be a UUID such as 11111111-2222-3333-4444-555555555555, but is "contoso"`,
    ]);
    expect(input({ [field]: `{${inputProps[field]}}` })).toHaveLength(1);
    expect(input({ [field]: 7 })).toEqual([`${field} must be a string, but is the number 7`]);
  });
});

describe("2.2 cloudClientSecret", () => {
  it("is required where the client writes the subscription", () => {
    expect(input({ writer: "client" })).toEqual([
      'cloudClientSecret is required where writer is "client"',
    ]);
    expect(input({ writer: "client", cloudClientSecret: "s3cret" })).toEqual([]);
  });

  it("is nobody's business where the deployer does", () => {
    expect(input({})).toEqual([]);
    expect(input({ writer: "deployer", cloudClientSecret: "s3cret" })).toEqual([]);
  });

  it("is never shown", () => {
    const problems = validateBinding({ ...inputProps, cloudClientSecret: "two words" });
    expect(JSON.stringify(problems)).not.toContain("two words");
    expect(problems.map((problem) => problem.message)).toEqual([
      "cloudClientSecret must not contain white space or line ends (its value is not shown)",
    ]);
  });
});

describe("2.2 subscriberEndpoint", () => {
  it("is required for the input direction", () => {
    expect(input({ subscriberEndpoint: undefined })).toEqual([
      "subscriberEndpoint is required for the input direction (no direction is named, and " +
        "cloudTenantId, cloudSubscriptionId, cloudClientId, handshakePort, scope are there)",
    ]);
  });

  it("is a public https URL of any path", () => {
    expect(input({ subscriberEndpoint: "https://orders.example.com/hooks?code=1" })).toEqual([]);
  });

  const must =
    "subscriberEndpoint must be an https URL with a host, such as https://orders.example.com/api/events, but is";
  it.each([
    ["http://orders.example.com/api/events", `${must} "http://orders.example.com/api/events"`],
    ["http://localhost/api/events", `${must} "http://localhost/api/events"`],
    ["https:///api/events", `${must} "https:///api/events"`],
    ["https://", `${must} "https://"`],
    ["https:orders.example.com", `${must} "https:orders.example.com"`],
    ["https://<hostname>/api/events", `${must} "https://<hostname>/api/events"`],
    [" https://orders.example.com", `${must} " https://orders.example.com"`],
    ["https://orders.example.com:99999", `${must} "https://orders.example.com:99999"`],
    ["/api/events", `${must} "/api/events"`],
    [
      "https://user:hush@orders.example.com",
      'subscriberEndpoint must not contain credentials, but is "https://…"',
    ],
    [
      "https://@orders.example.com",
      'subscriberEndpoint must not contain credentials, but is "https://…"',
    ],
    [
      "https://orders.example.com/x#y",
      'subscriberEndpoint must not have a fragment (#…), but is "https://orders.example.com/x#…"',
    ],
  ])("refuses %s", (subscriberEndpoint, message) => {
    expect(input({ subscriberEndpoint })).toEqual([message]);
  });

  it("never shows its query, which is a secret", () => {
    expect(input({ subscriberEndpoint: "http://orders.example.com/x?code=hush" })).toEqual([
      `${must} "http://orders.example.com/x?…"`,
    ]);
  });
});

describe("2.2 handshakePort", () => {
  it("is required for the input direction", () => {
    expect(messagesFor({ ...inputProps, direction: "input", handshakePort: undefined })).toEqual([
      'handshakePort is required for the input direction (direction is "input")',
    ]);
  });

  it.each(["1", "80", "9000", "65535"])("takes %s", (handshakePort) => {
    expect(input({ handshakePort })).toEqual([]);
  });

  it("is refused as a number, with the hint to quote it", () => {
    expect(input({ handshakePort: 9000 })).toEqual([
      'handshakePort must be a string (put it in quotes: "9000"), but is the number 9000',
    ]);
  });

  it.each(["0", "65536", "-1", "09000", "80.0", "1e3", "http", " 80", ""])(
    "refuses %j",
    (handshakePort) => {
      expect(input({ handshakePort })).toEqual([
        'handshakePort must be a string holding a port number from "1" to "65535", ' +
          `but is ${JSON.stringify(handshakePort)}`,
      ]);
    },
  );
});

describe("2.2 scope", () => {
  it("is required for the input direction", () => {
    expect(messagesFor({ ...inputProps, direction: "input", scope: undefined })).toEqual([
      'scope is required for the input direction (direction is "input")',
    ]);
  });

  it("has one of four shapes", () => {
    expect(input({ scope: "/resourceGroups/shop" })).toEqual([
      "scope must be /subscriptions/{id}, /subscriptions/{id}/resourceGroups/{name}, or " +
        "/subscriptions/{id}/resourceGroups/{name}/providers/{namespace}/{type}/{name}, " +
        'but "/resourceGroups/shop" does not begin with /subscriptions/',
    ]);
  });

  it("lies in the binding's own subscription", () => {
    expect(input({ scope: "/subscriptions/99999999-9999-4999-8999-999999999999" })).toEqual([
      "scope must lie in the subscription of cloudSubscriptionId " +
        "(0a7c3c36-6a0f-4a55-8b0b-6ba0f5e4d9c2), but names the subscription " +
        "99999999-9999-4999-8999-999999999999",
    ]);
    expect(input({ scope: "/subscriptions/0A7C3C36-6A0F-4A55-8B0B-6BA0F5E4D9C2" })).toEqual([]);
  });
});

describe("2.2 eventSubscriptionName", () => {
  it("is optional", () => {
    expect(input({ eventSubscriptionName: undefined })).toEqual([]);
  });

  it.each(["abc", "Orders2", "a".repeat(64)])("takes %s", (eventSubscriptionName) => {
    expect(input({ eventSubscriptionName })).toEqual([]);
  });

  it.each(["ab", "a".repeat(65), "orders-hook", "orders_hook", "ordérs", ""])(
    "refuses %s",
    (eventSubscriptionName) => {
      expect(input({ eventSubscriptionName })).toEqual([
        `eventSubscriptionName must be 3 to 64 letters and digits, but is "${eventSubscriptionName}"`,
      ]);
    },
  );

  it("may have hyphens where the subscription exists already", () => {
    const options = { existingSubscription: true };
    const named = (eventSubscriptionName: string) =>
      messagesFor({ ...inputProps, eventSubscriptionName }, options);
    expect(named("orders-hook")).toEqual([]);
    expect(named("orders_hook")).toEqual([
      'eventSubscriptionName must be 3 to 64 letters, digits and hyphens, but is "orders_hook"',
    ]);
  });
});

describe("2.2 direction", () => {
  const both = { ...inputProps, ...outputProps };

  it("is one of three, or left out", () => {
    expect(messagesFor({ ...inputProps, direction: "input" })).toEqual([]);
    expect(messagesFor({ ...outputProps, direction: "output" })).toEqual([]);
    expect(messagesFor({ ...both, direction: "input, output" })).toEqual([]);
    expect(messagesFor(both)).toEqual([]);
  });

  it.each(["", "both", "Input", "output, input", "input,output"])("refuses %j", (direction) => {
    expect(messagesFor({ ...both, direction })).toEqual([
      `direction must be one of "input", "output", "input, output", but is "${direction}"`,
    ]);
  });

  it("refuses the fields of a direction that is not chosen", () => {
    expect(messagesFor({ ...both, direction: "input" })).toEqual([
      'topicEndpoint belongs to the output direction, but direction is "input": remove it, or say "input, output"',
      'accessKey belongs to the output direction, but direction is "input": remove it, or say "input, output"',
    ]);
    expect(messagesFor({ ...outputProps, direction: "output", handshakePort: "9000" })).toEqual([
      'handshakePort belongs to the input direction, but direction is "output": remove it, or say "input, output"',
    ]);
  });

  it("asks for everything that a named direction needs", () => {
    expect(messagesFor({ direction: "input, output" })).toEqual([
      'cloudTenantId is required for the input direction (direction is "input, output")',
      'cloudSubscriptionId is required for the input direction (direction is "input, output")',
      'cloudClientId is required for the input direction (direction is "input, output")',
      'subscriberEndpoint is required for the input direction (direction is "input, output")',
      'handshakePort is required for the input direction (direction is "input, output")',
      'scope is required for the input direction (direction is "input, output")',
      'topicEndpoint is required for the output direction (direction is "input, output")',
      'accessKey is required for the output direction (direction is "input, output"), unless publishWith is "entra"',
    ]);
  });
});
