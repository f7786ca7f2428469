import type { PublishFailure } from "./publish-error.js";
import { timeLimitProblem } from "./time-limit.js";

/** Why a call cannot be made with these options; `undefined` where it can. */
export function optionsFailure(options: unknown): PublishFailure | undefined {
  const problems = optionsProblems(options);
  if (problems.length === 0) return undefined;
  const message = `nothing was sent: ${problems.join("; ")}`;
  return { code: "ERR_PUBLISH_OPTIONS", message, retryable: false };
}

function optionsProblems(options: unknown): string[] {
  if (typeof options !== "object" || options === null) {
    return ["the call's options must be an object, such as { timeoutMs: 5000 }"];
  }
  const problems: string[] = [];
  if ("timeoutMs" in options && options.timeoutMs !== undefined) {
    problems.push(...[timeLimitProblem("timeoutMs", options.timeoutMs) ?? []].flat());
  }
  if ("signal" in options && options.signal !== undefined && !isSignal(options.signal)) {
    problems.push("signal must be an AbortSignal");
  }
  return problems;
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
