import { Token } from "cdktf";
import type { Construct } from "constructs";
import type { CloudEventGridBindingProps } from "./binding-props.js";
import { identityOf, shortHash } from "./deterministic-id.js";
import {
  ExistingWebhookApplication,
  type ExistingWebhookApplicationProps,
} from "./existing-webhook-application.js";
import { StackParts } from "./stack-parts.js";

/** An application that bindings name by its client ID, and how the first of them described it. */
export interface NamedApplication {
  readonly application: ExistingWebhookApplication;
  readonly described: string;
}

/** One construct for all the bindings of a stack that name the same application. */
export function namedApplication(
  construct: Construct,
  props: CloudEventGridBindingProps,
): ExistingWebhookApplication {
  const parts = StackParts.of(construct);
  const { cloudClientId: clientId = "", azuread } = props;
  const readable = Token.isUnresolved(clientId)
    ? shortHash(identityOf(construct, clientId))
    : clientId.toLowerCase();
  const key = azuread?.alias === undefined ? readable : `${readable}-${azuread.alias}`;
  const description = describe(props);
  const described = JSON.stringify(description);
  const made = parts.applications.get(key, () => {
    const application = new ExistingWebhookApplication(parts, `application-${key}`, {
      clientId,
      ...(azuread && { azuread }),
      ...description,
    });
    return { application, described };
  });
  if (made.described !== described) {
    construct.node.addValidation({ validate: () => [OTHER_DESCRIPTION] });
  }
  return made.application;
}

const OTHER_DESCRIPTION =
  "servicePrincipal, cloudEnvironment, eventGridApplicationId or existingAssignments say something " +
  "else of the application than another binding of the stack with the same cloudClientId: say the " +
  "same on both, or give both the application as WebhookApplication.fromClientId makes it";

function describe(
  props: CloudEventGridBindingProps,
): Omit<ExistingWebhookApplicationProps, "clientId" | "azuread"> {
  const { servicePrincipal, cloudEnvironment, eventGridApplicationId } = props;
  const existing = props.existingAssignments ?? [];
  const existingAssignments = (["eventGrid", "client"] as const).filter((one) =>
    existing.includes(one),
  );
  return {
    ...(servicePrincipal === "provision" && { servicePrincipal }),
    ...(cloudEnvironment && cloudEnvironment !== "public" && { cloudEnvironment }),
    ...(eventGridApplicationId !== undefined && { eventGridApplicationId }),
    ...(existingAssignments.length > 0 && { existingAssignments }),
  };
}
