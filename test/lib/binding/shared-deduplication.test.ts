import { ManagedRedis } from "@cdktf/provider-azurerm/lib/managed-redis/index.js";
import { RedisCache } from "@cdktf/provider-azurerm/lib/redis-cache/index.js";
import {
  DefaultTokenResolver,
  StringConcat,
  type TerraformStack,
  TerraformVariable,
  Tokenization,
} from "cdktf";
import { CloudEventGridBinding, type SharedDeduplication } from "cloud-eventgrid-binding";
import { deduplicationFromEnvironment } from "cloud-eventgrid-binding-runtime/redis";
import { describe, expect, it } from "vitest";
import { stackWithProviders } from "../../support/synthesized.js";
import { received } from "../fixtures.js";
import { binding, problemsOf } from "../problems.js";

const base = { name: "shop", resourceGroupName: "shop", location: "westeurope" };

/** The environment of a service whose binding shares its deduplication, as Terraform sees it. */
function environment(share: (stack: TerraformStack) => SharedDeduplication) {
  const stack = stackWithProviders();
  const orders = new CloudEventGridBinding(stack, "orders", {
    ...received,
    sharedDeduplication: share(stack),
  });
  const { variables, secrets } = orders.runtimeEnvironment("ORDERS");
  return Tokenization.resolve(
    { variables, secrets },
    { scope: stack, resolver: new DefaultTokenResolver(new StringConcat()), preparing: false },
  );
}

describe("sharedDeduplication", () => {
  it("adds the address of a managed Redis to the runtime environment", () => {
    const resolved = environment((stack) => ({
      redis: new ManagedRedis(stack, "redis", { ...base, skuName: "Balanced_B0" }),
    }));
    expect(resolved).toMatchObject({
      variables: {
        ORDERS_DEDUPLICATION_REDIS: "${azurerm_managed_redis.redis.hostname}:10000",
      },
      secrets: {},
    });
  });

  it("adds the address of a Redis cache, with its TLS port", () => {
    const resolved = environment((stack) => ({
      redis: new RedisCache(stack, "redis", {
        ...base,
        capacity: 1,
        family: "C",
        skuName: "Standard",
      }),
    }));
    expect(resolved).toMatchObject({
      variables: {
        ORDERS_DEDUPLICATION_REDIS:
          "${azurerm_redis_cache.redis.hostname}:${azurerm_redis_cache.redis.ssl_port}",
      },
    });
  });

  it("adds a password that is a reference", () => {
    const resolved = environment((stack) => ({
      redis: "shop.westeurope.redis.azure.net:10000",
      password: new TerraformVariable(stack, "password", { sensitive: true }).stringValue,
    }));
    expect(resolved).toMatchObject({
      variables: { ORDERS_DEDUPLICATION_REDIS: "shop.westeurope.redis.azure.net:10000" },
      secrets: { ORDERS_DEDUPLICATION_PASSWORD: "${var.password}" },
    });
  });

  it("is read by deduplicationFromEnvironment", async () => {
    const { variables } = new CloudEventGridBinding(stackWithProviders(), "orders", {
      ...received,
      sharedDeduplication: { redis: "127.0.0.1:9" },
    }).runtimeEnvironment("ORDERS");
    const store = deduplicationFromEnvironment("ORDERS", { env: variables });
    expect(store).toMatchObject({ leaseMs: 60_000 });
    await store?.close?.();
  });

  it.each<[unknown, string, string]>([
    [{ redis: "shop" }, "sharedDeduplication.redis", "address"],
    [{ redis: {} }, "sharedDeduplication.redis", "type"],
    [{}, "sharedDeduplication.redis", "required"],
    [{ redis: "shop:6380", password: "s3cret" }, "sharedDeduplication.password", "secret"],
    ["shop:6380", "sharedDeduplication", "type"],
  ])("refuses %j", (shared, field, rule) => {
    expect(problemsOf(binding({ sharedDeduplication: shared }))).toEqual([`${field}: ${rule}`]);
  });
});
