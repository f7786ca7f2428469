import { eventsUrl } from "cloud-eventgrid-binding-runtime/internal";
import { namesOf } from "./names.js";

/** The cdk that a project's stack is written for, and its folder of `cli/templates`. */
export type Cdk = "cdktf" | "cdktn";

/** The replacement of each text of the templates. */
type Values = Readonly<Record<string, string>>;

/** The event type of the templates. */
export const TEMPLATE_TYPE = "com.example.orders.created";

/** The names that derive from the project's. */
export function nameValues(name: string): Values {
  const { type, prefix } = namesOf(name);
  return {
    orders: name,
    ORDERS: prefix,
    OrdersStack: `${type}Stack`,
    OrdersStackProps: `${type}StackProps`,
    [TEMPLATE_TYPE]: `com.example.${name}.created`,
  };
}

/** Where the templates name cdktf. */
export const cdkValues: Readonly<Record<Cdk, Values>> = {
  cdktf: {},
  cdktn: {
    'from "cdktf"': 'from "cdktn"',
    'from "cloud-eventgrid-binding"': 'from "cloud-eventgrid-binding-cdktn"',
    "@cdktf/provider-azuread/lib": "@cdktn/provider-azuread/lib",
    "@cdktf/provider-azurerm/lib": "@cdktn/provider-azurerm/lib",
  },
};

export function directionValue(direction: string): Values {
  return { '"input, output"': JSON.stringify(direction) };
}

/** @param endpoint the webhook's public URL */
export function webhookValues(endpoint: string, port: string): Values {
  const { href, origin, hostname } = new URL(endpoint);
  return {
    "https://orders.example.com/api/events": href,
    "https://orders.example.com": origin,
    "orders.example.com": hostname,
    "/api/events": eventsUrl(endpoint).pathname,
    "9000": port,
  };
}

/** In a stack with its container app, the URL of the webhook is that of the app. */
export const appEndpoint: Values = {
  'subscriberEndpoint: "https://orders.example.com/api/events"':
    "subscriberEndpoint: service.endpoint",
};
