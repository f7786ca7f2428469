import {
  createListener,
  defineEvents,
  defineHandlers,
  type EventContext,
  type Middleware,
  type,
  withMiddleware,
} from "cloud-eventgrid-binding-runtime";
import { eventGridWebhook } from "cloud-eventgrid-binding-runtime/fastify";
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

  it("types what middleware adds to the context of handlers and of later middleware", async () => {
    const on = {
      "shop.order.placed": withMiddleware([tenancy, users], (event, { tenant, user }) => {
        expectTypeOf(event).toHaveProperty("data");
        expectTypeOf(tenant).toEqualTypeOf<string>();
        expectTypeOf(user).toEqualTypeOf<{ id: number }>();
      }),
    };
    const listener = createListener(binding, {
      events: orders,
      logger: false,
      use: [timing, tenancy, users],
      on: {
        "shop.order.placed": (event, { tenant, user, signal }) => {
          expectTypeOf(event.data).toEqualTypeOf<{ orderId: string }>();
          expectTypeOf(tenant).toEqualTypeOf<string>();
          expectTypeOf(user).toEqualTypeOf<{ id: number }>();
          expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
        },
        "shop.*": (event, { tenant }) => {
          expectTypeOf(event.data).toBeUnknown();
          expectTypeOf(tenant).toEqualTypeOf<string>();
        },
      },
    });
    listener.add(
      { ...binding, path: "/others" },
      {
        use: [tenancy],
        on: { "*": (_, { tenant }) => expectTypeOf(tenant).toEqualTypeOf<string>() },
      },
    );
    const catalogued = defineHandlers(orders, {
      "shop.order.placed": withMiddleware([tenancy], (event, { tenant }) => {
        expectTypeOf(event.data).toEqualTypeOf<{ orderId: string }>();
        expectTypeOf(tenant).toEqualTypeOf<string>();
      }),
      "*": (_, { tenant }: EventContext & { tenant: string }) => void tenant,
    });
    createListener(binding, { events: orders, logger: false, use: [tenancy], on: catalogued });
    createListener(binding, {
      events: orders,
      logger: false,
      on: {
        "shop.order.placed": withMiddleware([tenancy], (event, { tenant }) => {
          expectTypeOf(event.data).toEqualTypeOf<{ orderId: string }>();
          expectTypeOf(tenant).toEqualTypeOf<string>();
        }),
        "*": () => {},
      },
    });
    createListener(binding, { logger: false, use: [(_event, _context, next) => next()], on });
    createListener(binding, { logger: false, on });
    await listener.close();
  });

  it("rejects middleware in the wrong order, and values that would replace the context's own", () => {
    createListener(binding, {
      logger: false,
      // @ts-expect-error: users needs the tenant
      use: [users, tenancy],
      on: { "*": () => {} },
    });
    const replacing: Middleware<{ signal: AbortSignal }> = async (_event, { signal }, next) => {
      // @ts-expect-error: the context has its own signal
      await next({ signal });
    };
    expect(replacing).toBeTypeOf("function");
    createListener(binding, {
      logger: false,
      on: {
        // @ts-expect-error: nothing adds a tenant
        "*": (_, { tenant }) => void tenant,
      },
    });
  });
});

const timing: Middleware = async (_event, _context, next) => {
  await next();
};
const tenancy: Middleware<{ tenant: string }> = async (event, _context, next) => {
  await next({ tenant: event.source });
};
const users: Middleware<{ user: { id: number } }, { tenant: string }> = async (
  _,
  context,
  next,
) => {
  await next({ user: { id: context.tenant.length } });
};
