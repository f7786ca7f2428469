import { defineEvents, type } from "cloud-eventgrid-binding-runtime/events";
import { eventGridWebhook } from "cloud-eventgrid-binding-runtime/fastify";
import { defineHandlers } from "cloud-eventgrid-binding-runtime/handlers";
import { createListener } from "cloud-eventgrid-binding-runtime/listener";
import fastify from "fastify";
import { describe, expect, expectTypeOf, it } from "vitest";
import { CLIENT, TENANT } from "../../../support/issuer.js";

const orders = defineEvents({
  "shop.order.placed": type<{ orderId: string }>(),
  "shop.order.cancelled": type<{ reason: string }>(),
});

const binding = {
  cloudTenantId: TENANT,
  cloudClientId: CLIENT,
  handshakePort: "9000",
  path: "/api/events",
};

describe("the compiler", () => {
  it("types each handler's event by the catalogue", () => {
    const listener = createListener(binding, {
      events: orders,
      logger: false,
      on: {
        "shop.order.placed": (event, { signal }) => {
          expectTypeOf(event.data).toEqualTypeOf<{ orderId: string }>();
          expectTypeOf(event.type).toEqualTypeOf<"shop.order.placed">();
          expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
        },
        "shop.*": (event) => {
          expectTypeOf(event.data).toBeUnknown();
        },
      },
    });
    expect(listener.isReady()).toBe(false);
  });

  it("types the plugin's handlers through defineHandlers", async () => {
    const app = fastify();
    app.register(eventGridWebhook, {
      binding,
      events: orders,
      on: defineHandlers(orders, {
        "shop.order.placed": (event) => {
          expectTypeOf(event.data).toEqualTypeOf<{ orderId: string }>();
        },
        "*": () => {},
      }),
    });
    app.register(eventGridWebhook, {
      binding,
      path: "/others",
      on: {
        "*": (event) => {
          expectTypeOf(event.data).toBeUnknown();
        },
      },
    });
    await app.close();
  });

  it("rejects a handler of a type that is not in the catalogue", () => {
    const misspelt = () =>
      createListener(binding, {
        events: orders,
        logger: false,
        on: {
          // @ts-expect-error: a typing error in the name of the type
          "shop.order.plced": () => {},
          "*": () => {},
        },
      });
    expect(misspelt).toThrow(
      'on["shop.order.plced"] handles a type that is not in the catalogue: did you mean "shop.order.placed"?',
    );
  });
});
