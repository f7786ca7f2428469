import { DataAzureadClientConfig } from "@cdktf/provider-azuread/lib/data-azuread-client-config/index.js";
import { DataAzureadServicePrincipal } from "@cdktf/provider-azuread/lib/data-azuread-service-principal/index.js";
import {
  ServicePrincipal,
  type ServicePrincipalConfig,
} from "@cdktf/provider-azuread/lib/service-principal/index.js";
import { type TerraformProvider, Token } from "cdktf";
import {
  bindingFields,
  type Checks,
  type CloudEnvironmentName,
  cloudEnvironments,
  type Problem,
  problem,
  uuidRule,
} from "cloud-eventgrid-binding-runtime/internal";
import { Construct, type IConstruct } from "constructs";
import {
  defined,
  identityOf,
  OncePerStack,
  protection,
  shortHash,
  withAlias,
} from "../terraform/index.js";
import { literal, provider, report, validated } from "../validation/index.js";

/** Props of {@link EventGridServicePrincipal}: there is one for each Azure cloud. */
export interface EventGridServicePrincipalProps {
  /** @default "public" */
  readonly cloudEnvironment?: CloudEnvironmentName;
  /**
   * Application ID of Event Grid itself in this cloud.
   *
   * @default the published one of `cloudEnvironment`. The one of China is not published, so it is
   * required there
   */
  readonly eventGridApplicationId?: string;
  /** @default the stack's azuread provider */
  readonly azuread?: TerraformProvider;
}

/** Application ID of Event Grid in a cloud; undefined when it is neither published nor given. */
export function eventGridApplicationId(props: EventGridServicePrincipalProps): string | undefined {
  const environment = cloudEnvironments[props.cloudEnvironment ?? "public"];
  return props.eventGridApplicationId ?? environment?.eventGridApplicationId;
}

export function eventGridChecks(construct: IConstruct): Checks<EventGridServicePrincipalProps> {
  return {
    cloudEnvironment: literal(bindingFields.cloudEnvironment.rule),
    eventGridApplicationId: uuidRule,
    azuread: provider("azuread", construct),
  };
}

export function eventGridProblems(props: EventGridServicePrincipalProps): Problem[] {
  const { cloudEnvironment } = props;
  if (cloudEnvironment === undefined || !Object.hasOwn(cloudEnvironments, cloudEnvironment))
    return [];
  if (eventGridApplicationId(props) !== undefined) return [];
  const message =
    `is required when cloudEnvironment is "${cloudEnvironment}": Event Grid's application ID is not ` +
    "published for that cloud (look it up in your tenant's enterprise applications; a binding takes it " +
    "from its application, such as WebhookApplication.fromClientId)";
  return [problem("eventGridApplicationId", { required: message })];
}

const principals = new OncePerStack<DataAzureadServicePrincipal>("event-grid-principal");

/**
 * Looks up Event Grid's service principal, once in a stack. A binding never creates it: destroying
 * it with the binding would break every other binding in the tenant.
 */
export function lookUpEventGridPrincipal(
  construct: Construct,
  applicationId: string,
  azuread: TerraformProvider | undefined,
): DataAzureadServicePrincipal {
  const application = Token.isUnresolved(applicationId)
    ? shortHash(identityOf(construct, applicationId))
    : applicationId;
  const key = withAlias(application, azuread?.alias);
  return principals.get(construct, key, (home) => {
    return new DataAzureadServicePrincipal(home, `event-grid-principal-${key}`, {
      clientId: applicationId,
      ...defined({ provider: azuread }),
    });
  });
}

/**
 * Event Grid's service principal, for a tenant that does not have it yet.
 *
 * It belongs to the whole tenant: put it into a small stack of its own that an administrator applies
 * once, never next to a binding. Terraform refuses to destroy it.
 */
export class EventGridServicePrincipal extends Construct {
  /** Object ID of the principal. */
  readonly objectId: string;

  constructor(scope: Construct, id: string, rawProps: EventGridServicePrincipalProps = {}) {
    super(scope, id);
    const { props, problems } = validated(rawProps, eventGridChecks(this));
    const clientId = eventGridApplicationId(props);
    report(this, () => [...problems, ...eventGridProblems(props)]);
    const principal = new ServicePrincipal(this, "principal", {
      clientId: clientId ?? "",
      ...protection(true),
      ...defined({ provider: props.azuread }),
    });
    this.objectId = principal.objectId;
  }
}

const directoryCallers = new OncePerStack<DataAzureadClientConfig>("azuread caller");

/**
 * Creates the service principal of an application, owned by the identity that creates it.
 *
 * Without owners the provider removes that identity from the owners, which then could not destroy the
 * principal with the permission `Application.ReadWrite.OwnedBy`. Later changes of the owners are
 * ignored, because another identity may apply next.
 */
export function createServicePrincipal(
  scope: Construct,
  id: string,
  azuread: TerraformProvider | undefined,
  config: Pick<ServicePrincipalConfig, "clientId" | "dependsOn">,
): ServicePrincipal {
  const provider = azuread && { provider: azuread };
  const callerId = withAlias("directory-caller", azuread?.alias);
  const caller = directoryCallers.get(scope, callerId, (home) => {
    return new DataAzureadClientConfig(home, callerId, { ...provider });
  });
  return new ServicePrincipal(scope, id, {
    ...config,
    owners: [caller.objectId],
    lifecycle: { ignoreChanges: ["owners"] },
    ...provider,
  });
}
