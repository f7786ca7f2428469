import { BindingConfigurationError, type PullRuntimeBinding } from "../../binding/index.js";
import { parsePullBinding, type ServicePullBinding } from "../../binding/parsing/index.js";
import { handlerProblems } from "../../handling/index.js";
import { credentialProblems, transportProblems } from "../../transport/index.js";
import { checkOf, isObject, type Problem, problemsOf } from "../../validation/index.js";
import { ReceiverConfigurationError } from "../errors.js";
import { type AnyReceiverOptions, type ReceiverOptions, receiverOptions } from "./options.js";

const check = checkOf<ReceiverOptions>(receiverOptions);

/**
 * Checks binding, handlers and options together, and returns the binding with its defaults.
 *
 * @throws {BindingConfigurationError} when only the binding is invalid
 * @throws {ReceiverConfigurationError} otherwise, with the binding's problems among the others
 */
export function checkConfiguration(
  binding: PullRuntimeBinding,
  options: AnyReceiverOptions,
): ServicePullBinding {
  // The key may be an option of the receiver.
  const parsed = parsePullBinding(binding, { supplied: ["accessKey"] });
  const problems: Problem[] = [...problemsOf(check, "", options)];
  if (isObject(options)) {
    problems.push(
      ...handlerProblems(options.on, options.events),
      ...credentialProblems(binding ?? {}, options, "receiveWith", "entra"),
      ...transportProblems(options.transport),
    );
  }
  if (problems.length > 0) {
    throw new ReceiverConfigurationError([...(Array.isArray(parsed) ? parsed : []), ...problems]);
  }
  if (Array.isArray(parsed)) throw new BindingConfigurationError(parsed);
  return parsed;
}
