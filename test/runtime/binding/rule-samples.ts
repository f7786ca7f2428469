import type { BindingField } from "cloud-eventgrid-binding-runtime/internal";

interface Samples {
  readonly valid: readonly string[];
  readonly invalid: readonly string[];
}

const UUID = "0a7c3c36-6a0f-4a55-8b0b-6ba0f5e4d9c2";
const SUBSCRIPTION = `/subscriptions/${UUID}`;
const GROUP = `${SUBSCRIPTION}/resourceGroups/shop`;
const TOPIC = `${GROUP}/providers/Microsoft.EventGrid/topics/orders`;

const uuids: Samples = {
  valid: [UUID, UUID.toUpperCase()],
  invalid: ["", "contoso", `{${UUID}}`, UUID.replaceAll("-", ""), `${UUID}0`, ` ${UUID}`],
};

const secrets: Samples = {
  valid: ["k", "AbC+/w==", "8Q~._-~x'{}\"<>"],
  invalid: ["", " ", "two words", "key\n", "key\t", "kéy"],
};

/** Values of URLs that are judged the same for a webhook and for a service. */
const urls: Samples = {
  valid: [
    "https://orders.example.com",
    "https://orders.example.com/",
    "https://orders.example.com/api/events",
    "HTTPS://ORDERS.EXAMPLE.COM/API/Events",
    "https://orders.example.com:1/",
    "https://orders.example.com:65535/api/events",
    "https://orders--7f3.region.azurecontainerapps.io/hooks/%C3%A4/x",
    "https://xn--bcher-kva.example.com/",
    "https://203.0.113.7/api/events",
    "https://localhost:8443",
  ],
  invalid: [
    "",
    "/api/events",
    "orders.example.com",
    "ftp://orders.example.com",
    "http://orders.example.com/api/events",
    "https:orders.example.com",
    "https://",
    "https:///api/events",
    "https://:443/",
    "https://orders.example.com:0",
    "https://orders.example.com:99999",
    "https://orders.example.com:65536/api/events",
    "https://orders.example.com:443x/",
    "https://orders.example.com:/",
    "https://orders..example.com",
    "https://-orders.example.com",
    "https://1.2.3.999/",
    "https://1.2.3/",
    "https://orders.example.0x1/",
    "https://<hostname>/api/events",
    "https://{hostname}/api/events",
    "https://bücher.example.com/",
    "https://user:hush@orders.example.com",
    "https://@orders.example.com",
    "https://orders.example.com#x",
    "https://orders.example.com/x#y",
    "https://orders.example.com/a b",
    "https://orders.example.com/a%2",
    "https://orders.example.com/{tenant}",
    "https://orders.example.com\\api",
    " https://orders.example.com",
    "https://orders.example.com\n",
    "https://orders.example.com/ſ",
    "httpſ://orders.example.com",
  ],
};

const services: Samples = {
  valid: [
    ...urls.valid,
    "http://127.0.0.1:8080/api/events",
    "http://127.1.2.3",
    "http://localhost:8080",
    "HTTP://LocalHost",
    "http://topic.localhost:8080",
    "http://[::1]:8080/",
    "https://[::1]/",
    // A gateway, whose paths are its own.
    "https://shop.eventgrid.azure.net.example.com/publish",
  ],
  invalid: [
    ...urls.invalid,
    "http://127.0.0.1.example.com",
    "http://127.0.0.999",
    "http://localhost.example.com",
    "http://notlocalhost",
    "http://[::2]/",
    "https://orders.example.com?x=1",
    "https://orders.example.com/api/events?",
  ],
};

/** Valid and invalid texts of every field that synthesis and Terraform both judge. */
export const samples: Readonly<Partial<Record<BindingField, Samples>>> = {
  cloudTenantId: uuids,
  cloudSubscriptionId: uuids,
  cloudClientId: uuids,
  cloudClientSecret: secrets,
  accessKey: secrets,
  subscriberEndpoint: {
    valid: [
      ...urls.valid,
      "https://orders.example.com?code=1",
      "https://orders.example.com/hooks?code=AbC-_==&x=[1]{2}|?/",
      "https://orders.example.com/api/events?",
    ],
    invalid: [
      ...urls.invalid,
      "http://localhost/api/events",
      "http://127.0.0.1:8080/api/events",
      "https://orders.example.com/x?code=a b",
      "https://orders.example.com/x?code=ä",
    ],
  },
  handshakePort: {
    valid: ["1", "9", "80", "9000", "59999", "60000", "65499", "65529", "65535"],
    invalid: [
      "",
      "0",
      "-1",
      "+80",
      "09000",
      "80.0",
      "1e3",
      "65536",
      "70000",
      "100000",
      "http",
      " 80",
    ],
  },
  scope: {
    valid: [
      SUBSCRIPTION,
      `${SUBSCRIPTION}/`,
      `subscriptions/${UUID}`,
      `//subscriptions/${UUID}//`,
      SUBSCRIPTION.toUpperCase(),
      GROUP,
      `${GROUP}/`,
      `/SUBSCRIPTIONS/${UUID}/RESOURCEGROUPS/shop`,
      `/Subscriptions/${UUID}/resourcegroups/Shop_(1).x-y`,
      `${SUBSCRIPTION}/resourceGroups/größe`,
      `${SUBSCRIPTION}/resourceGroups/店舗`,
      TOPIC,
      `${TOPIC}/`,
      TOPIC.toUpperCase(),
      TOPIC.toLowerCase(),
      `${GROUP}/providers/Microsoft.Storage/storageAccounts/parcels`,
    ],
    invalid: [
      "",
      "/",
      "orders",
      "/subscriptions",
      "/subscriptions/shop",
      "/subscriptions/{subscriptionId}/",
      `/subscriptions/${UUID.replaceAll("-", "0")}`,
      `/subscription/${UUID}`,
      `/ſubscriptions/${UUID}`,
      `${SUBSCRIPTION}/resourceGroups`,
      `${SUBSCRIPTION}/resourceGroups/`,
      `${SUBSCRIPTION}/groups/shop`,
      `${SUBSCRIPTION}//resourceGroups/shop`,
      `${SUBSCRIPTION}/resourceGroups/{rg}`,
      `${SUBSCRIPTION}/resourceGroups/<rg>`,
      `${SUBSCRIPTION}/resourceGroups/r%20g`,
      `${SUBSCRIPTION}/resourceGroups/r g`,
      `${GROUP}?x=1`,
      `${GROUP}#x`,
      `${GROUP} `,
      ` ${GROUP}`,
      `${GROUP}\n`,
      `${GROUP}\\x`,
      `${GROUP}/providers`,
      `${GROUP}/Microsoft.Storage`,
      `${GROUP}/providers/Microsoft.Storage/storageAccounts`,
      `${GROUP}/providers/Microsoft.Storage/storageAccounts/a b`,
      `${GROUP}/providers/Microsoft.Storage/storageAccounts/{name}`,
      `${GROUP}/providers/Microsoft.Storage/storageAccounts//`,
      `${GROUP}/providers/Microsoft.EventGrid/domains/d/topics/t`,
      `https://management.azure.com${GROUP}`,
    ],
  },
  eventSubscriptionName: {
    valid: ["abc", "Orders24", "a".repeat(64)],
    invalid: ["", "ab", "a".repeat(65), "orders-hook", "orders_hook", "ordérs", "orders\n", "a b"],
  },
  topicEndpoint: services,
  cloudAuthorityHost: services,
  direction: {
    valid: ["input", "output", "input, output"],
    invalid: ["", "both", "Input", "output, input", "input,output", "input, output "],
  },
  writer: { valid: ["deployer", "client"], invalid: ["", "me", "Client"] },
  publishWith: { valid: ["accessKey", "entra"], invalid: ["", "accesskey"] },
  cloudEnvironment: { valid: ["public", "usgovernment", "china"], invalid: ["", "germany"] },
  name: {
    valid: ["orders", "/shop/orders", "a".repeat(256)],
    invalid: ["", "a b", "orders\n", "a".repeat(257)],
  },
};
