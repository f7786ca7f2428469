import { duration, group, rule } from "../setting-rules.js";
import type { PublishFailure } from "./publish-error.js";
import type { CreateOptions } from "./publisher.js";

const callRules = group<CreateOptions>({
  timeoutMs: duration,
  signal: rule("an AbortSignal", isSignal),
});

/** Why a call cannot be made with these options; `undefined` where it can. */
export function optionsFailure(options: unknown): PublishFailure | undefined {
  if (options === undefined || options === null) return undefined;
  const problems = callRules("", options);
  if (problems.length === 0) return undefined;
  const message = `nothing was sent: ${problems.join("; ")}`;
  return { code: "ERR_PUBLISH_OPTIONS", message, retryable: false };
}

/** Signals of other libraries are as good as the platform's. */
function isSignal(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    "aborted" in value &&
    "addEventListener" in value &&
    typeof value.addEventListener === "function" &&
    "removeEventListener" in value &&
    typeof value.removeEventListener === "function"
  );
}
