import { type ManagementAnswer, textIn } from "../../../support/management-client.js";
import { rowsThat } from "../../row.js";
import { GROUP, prepared } from "../../stage.js";

export const EVENT_GRID = `${GROUP}/providers/Microsoft.EventGrid`;

export interface Write {
  /** `NEW` stands for a new name. */
  readonly path: string;
  readonly body?: object;
  /** What to write before. */
  readonly parent?: string;
}

/** A row about the response to the `PUT` of a resource. */
export const put = rowsThat(async (stage, { path, body, parent }: Write = { path: "" }) => {
  await prepared(stage);
  const name = stage.newName();
  const at = (each: string) =>
    `${each.startsWith("/") ? "" : `${EVENT_GRID}/`}${each.replace("NEW", name)}`;
  const location = "westeurope";
  if (parent !== undefined) await stage.call("PUT", at(parent), { location });
  return stage.call("PUT", at(path), { location, ...body });
});

export const ACCOUNT = `${GROUP}/providers/Microsoft.Storage/storageAccounts/parity`;

/** A storage queue as a destination. */
export const queueOf = (queueName: string) => ({
  endpointType: "StorageQueue",
  properties: { resourceId: ACCOUNT, queueName },
});

export const refusalOf = ({ status, body }: ManagementAnswer) =>
  status < 400 ? status : [status, textIn(body, "error", "code")];
