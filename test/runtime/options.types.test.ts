import type {
  CreateOptions,
  EnvironmentOptions,
  ListenerOptions,
  PublisherOptions,
} from "cloud-eventgrid-binding-runtime";
import type { RedisDeduplicationOptions } from "cloud-eventgrid-binding-runtime/redis";
import { expectTypeOf, it } from "vitest";

type AllUndefined<Options> = { [Name in keyof Options]?: undefined };

it("lets a project with exactOptionalPropertyTypes pass undefined for every option", () => {
  type Listener = Omit<ListenerOptions, "on">;
  expectTypeOf<AllUndefined<Listener>>().toExtend<Listener>();
  expectTypeOf<AllUndefined<PublisherOptions>>().toExtend<PublisherOptions>();
  expectTypeOf<AllUndefined<CreateOptions>>().toExtend<CreateOptions>();
  expectTypeOf<AllUndefined<EnvironmentOptions>>().toExtend<EnvironmentOptions>();
  expectTypeOf<AllUndefined<RedisDeduplicationOptions>>().toExtend<RedisDeduplicationOptions>();
});
