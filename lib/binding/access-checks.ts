import { TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";
import { ExistingWebhookApplication } from "../application/index.js";
import { grantsDeadLettering, managedIdentityProblems } from "../subscription/index.js";
import { choiceRule, problemsOf, received } from "../validation/index.js";
import type { CloudEventGridBindingProps } from "./props.js";

const assignmentRule = choiceRule(
  "eventGrid",
  "client",
  "writers",
  "clientAtScope",
  "writersAtScope",
  "deadLetter",
);

/** What is wrong with who may do what, as far as it is known by now. */
export function accessProblems(construct: IConstruct, props: CloudEventGridBindingProps): string[] {
  return [
    ...assignmentProblems(props),
    ...writerProblems(props),
    ...clientProblems(props),
    ...applicationProblems(props),
    ...foreignApplication(construct, props),
    ...managedIdentityProblems(construct, props),
  ];
}

function assignmentProblems({ existingAssignments }: CloudEventGridBindingProps): string[] {
  return problemsOf({
    field: "existingAssignments",
    value: existingAssignments,
    rule: assignmentRule,
    items: true,
    early: true,
  });
}

function writerProblems(props: CloudEventGridBindingProps): string[] {
  const { writer, writerPrincipals, roleEffectSeconds } = props;
  const problems: string[] = [];
  if (writer === "client" && writerPrincipals !== undefined) {
    problems.push('writerPrincipals is not used where writer is "client": remove one of the two');
  }
  const gainsRights =
    writer === "client" || writerPrincipals !== undefined || grantsDeadLettering(props);
  if (roleEffectSeconds !== undefined && !gainsRights) {
    problems.push(
      'roleEffectSeconds is used only where writer is "client", writerPrincipals are named or an ' +
        "identity of deadLetter is given its role: whoever applies now has its rights already",
    );
  }
  if (writerPrincipals?.length === 0) {
    problems.push("writerPrincipals must name somebody: leave it out for whoever applies now");
  }
  return problems;
}

/** The client's provider signs in whenever Terraform plans, the first time included. */
function clientProblems({
  writer,
  servicePrincipal,
  application,
}: CloudEventGridBindingProps): string[] {
  if (writer !== "client") return [];
  const made = application
    ? ExistingWebhookApplication.isExistingWebhookApplication(application) &&
      application.makesPrincipal
    : servicePrincipal === "provision";
  if (!made) return [];
  return [
    'writer "client" cannot sign in as an application whose service principal the same stack makes ' +
      '(servicePrincipal "provision"): Terraform signs in when it plans. Make the principal ' +
      "before (az ad sp create --id with the client ID, or a stack that is applied earlier) and " +
      "have it looked up, or leave writer to the deployer",
  ];
}

function applicationProblems(props: CloudEventGridBindingProps): string[] {
  const { application, writer, existingAssignments = [] } = props;
  const problems: string[] = [];
  if (application === undefined) return problems;
  if (props.cloudClientId !== undefined) {
    problems.push("cloudClientId and application name the same thing: give one of the two");
  }
  if (writer === "client" && application.provisioned) {
    problems.push(
      'writer "client" cannot sign in as an application that the same stack makes: its credentials ' +
        "are unknown when Terraform plans. Make the application in a stack of its own, or leave " +
        "writer to the deployer",
    );
  }
  const cloud = props.cloudEnvironment ?? "public";
  if (cloud !== application.cloudEnvironment) {
    problems.push(
      `cloudEnvironment is ${received(cloud)}, but ${received(application.cloudEnvironment)} where ` +
        "the application is made: say the same on both",
    );
  }
  const elsewhere = [
    ...(["servicePrincipal", "eventGridApplicationId"] as const).filter(
      (field) => props[field] !== undefined,
    ),
    ...existingAssignments
      .filter((value) => value === "eventGrid" || value === "client")
      .map((value) => `existingAssignments "${value}"`),
  ];
  problems.push(
    ...elsewhere.map((what) => `${what} is said where the application is made, not on the binding`),
  );
  return problems;
}

/** The application's roles and assignments are made where it is, and cannot wait for another stack. */
function foreignApplication(
  construct: IConstruct,
  { application }: CloudEventGridBindingProps,
): string[] {
  if (application === undefined) return [];
  const stack = TerraformStack.of(application);
  if (stack === TerraformStack.of(construct)) return [];
  return [
    `application belongs to the stack ${stack.node.id}: in this one, use ` +
      "WebhookApplication.fromClientId with its clientId, and existingAssignments " +
      '["eventGrid", "client"]',
  ];
}
