import type { ClockChoice } from "./clock/index.js";
import { isObject } from "./control-plane/json-fields.js";
import { controlPlane, ingress, port, uuid } from "./setting-shapes.js";
import { custom, either, flag, integer, list, nothing, object, type Shape, text } from "./shape.js";

const anyFunction = custom(
  (value): value is () => unknown => typeof value === "function",
  "a function",
);

const scaled = object(
  {
    scale: custom(
      (value): value is number => Number.isFinite(value) && Number(value) > 0,
      "a number above 0 (60 lets a minute pass in a second)",
    ),
  },
  {},
);

const clock: Shape<ClockChoice> = (value, place, problems) => {
  if (isObject(value)) return scaled(value, place, problems);
  if (value === "real" || value === "stepped") return value;
  return nothing('"real", "stepped" or { scale }')(value, place, problems);
};

const control = object(
  {},
  {
    httpsPort: port,
    certificateDirectory: text,
    ...controlPlane,
  },
);

/** What a cloud can be started with. */
export const startOptions = object(
  {},
  {
    tenantId: uuid,
    subscriptionId: uuid,
    port,
    control: either(flag, control),
    ingress,
    clock,
    endpointCa: either(text, list(text)),
    deadLetterDirectory: text,
    history: integer(1, 10_000_000),
    onHandshake: anyFunction,
    onDelivery: anyFunction,
    stepPatienceMs: integer(0, 3_600_000),
    now: anyFunction,
    random: anyFunction,
  },
);
