import type { ApiRequest, ApiResponse } from "../../api/index.js";
import { objectAt } from "../../base/index.js";
import { type ResourceState, resourceResponse } from "../engine/index.js";
import { asServiceError } from "../resources/index.js";
import { evaluate } from "./expressions.js";
import { isSecure, type Plan } from "./plan.js";

/** What has become of a resource of the template. */
export interface Step {
  readonly id: string;
  readonly error?: { readonly code: string; readonly message: string };
}

/**
 * Writes the resources of a plan as if the caller had sent them.
 *
 * @param steps gets an entry for each resource
 * @returns the outputs
 * @throws ServiceError of the first resource that is refused
 */
export async function deploy(
  { resources, outputs, context }: Plan,
  request: ApiRequest,
  state: ResourceState,
  steps: Step[],
): Promise<object> {
  for (const { id, template } of resources) {
    try {
      const evaluated = objectAt(evaluate(template, context));
      const {
        type: _,
        name: __,
        apiVersion: ___,
        dependsOn: ____,
        scope: _____,
        ...body
      } = evaluated;
      await completed(resourceResponse(state, { ...request, headers: {}, body }, "PUT", id), state);
      steps.push({ id });
    } catch (error) {
      const { serviceCode: code, message } = asServiceError(error);
      steps.push({ id, error: { code, message } });
      throw error;
    }
  }
  return Object.fromEntries(
    Object.entries(outputs).map(([name, output]) => {
      const { type, value } = objectAt(evaluate(output, context));
      return [name, { type, ...(!isSecure(type) && { value }) }];
    }),
  );
}

/** Waits for a resource that is created by an operation, such as an event subscription. */
async function completed({ headers }: ApiResponse, { operations }: ResourceState): Promise<void> {
  const url = headers?.["azure-asyncoperation"];
  const id = url === undefined ? undefined : new URL(url).pathname.split("/").at(-1);
  if (id !== undefined) await operations.ended(id.toLowerCase());
}
