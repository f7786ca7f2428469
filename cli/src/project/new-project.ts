import { projectName } from "./names.js";
import { compose, type Files } from "./templates.js";
import {
  appEndpoint,
  type Cdk,
  cdkValues,
  directionValue,
  nameValues,
  webhookValues,
} from "./values.js";

/** The server of the webhook: the runtime's own, or the project's Fastify or Express app. */
export type AppKind = "standalone" | "fastify" | "express";

/** The answers to the questions of `init`. */
export interface NewProject {
  readonly cdk: Cdk;
  readonly name: string;
  readonly direction: "receive" | "publish" | "both";
  readonly source: "topic" | "storage";
  readonly app: AppKind;
  readonly host: "none" | "container-apps" | "kubernetes";
  /** Whether the service pulls its events from a namespace, instead of serving a webhook. */
  readonly pull: boolean;
  readonly endpoint: string;
  readonly port: string;
  /** Whether the project has a folder `packages` with packed packages. */
  readonly hasPackages: boolean;
}

export function newProject(answers: NewProject): Files {
  const { cdk, direction, source, app, host, endpoint, port } = answers;
  const values = { ...nameValues(projectName(answers.name)), ...cdkValues[cdk] };
  if (direction === "publish") {
    const folders = ["project", "published-topic", "rights", "publish", cdk];
    const choices = { publishes: true, "stack-identity": true, group: true };
    return compose({ folders, choices, values });
  }
  const isContainerApp = host === "container-apps";
  if (answers.pull) {
    return compose({
      folders: [
        "project",
        "receive",
        "pull",
        "rights",
        "dead-letters",
        ...(isContainerApp ? ["image", "deploy-image", "pull-container-apps"] : ["pull-elsewhere"]),
        "doctor",
        cdk,
      ],
      choices: {
        receives: true,
        pull: true,
        group: true,
        "container-apps": isContainerApp,
        "own-identity": !isContainerApp,
        packages: answers.hasPackages,
      },
      values: { ...values, "9000": port },
    });
  }
  const both = direction === "both";
  return compose({
    folders: [
      "project",
      "receive",
      "webhook",
      app,
      "dead-letters",
      source,
      "local",
      "rights",
      ...(both ? ["both"] : []),
      ...(both && source === "storage" ? ["both-storage"] : []),
      ...(host === "none" ? ["elsewhere"] : ["image", host]),
      ...(isContainerApp ? ["deploy-image"] : []),
      "doctor",
      cdk,
    ],
    choices: {
      receives: true,
      webhook: true,
      [source]: true,
      "own-topic": source === "topic",
      group: true,
      "group-webhook": true,
      both,
      "app-identity": both && isContainerApp,
      "stack-identity": both && !isContainerApp,
      "workload-identity": both && host === "kubernetes",
      "container-apps": isContainerApp,
      packages: answers.hasPackages,
    },
    values: {
      ...values,
      ...webhookValues(endpoint, port),
      ...directionValue(both ? "input, output" : "input"),
      ...(isContainerApp && appEndpoint),
    },
  });
}
