import type { Account } from "../cloud/account.js";
import { listAt, stringAt } from "../cloud/json-client.js";
import { doing } from "../cloud/refusal.js";
import { matches } from "../provider/checks.js";
import { type ResourceType, text } from "../provider/provider.js";
import { objectIdOf, v1 } from "./graph.js";

/** `azuread_application_password`: a client secret. The directory returns its value only once. */
export const applicationPassword: ResourceType<Account> = {
  forceNew: [
    "application_id",
    "display_name",
    "start_date",
    "end_date",
    "end_date_relative",
    "rotate_when_changed",
  ],
  check: (config) =>
    matches(config, "application_id", /^\/applications\/[^/]+$/, "expected /applications/{id}"),

  async create(planned, account) {
    const application = objectIdOf(text(planned, "application_id"));
    const added = await doing("adding password for Application", () =>
      account.graph.call("POST", v1(`/applications/${application}/addPassword`), {
        passwordCredential: {
          displayName: text(planned, "display_name") || undefined,
          startDateTime: text(planned, "start_date") || undefined,
          endDateTime: text(planned, "end_date") || undefined,
        },
      }),
    );
    const keyId = stringAt(added.body, "keyId");
    return {
      id: `${application}/password/${keyId}`,
      key_id: keyId,
      value: stringAt(added.body, "secretText"),
      display_name: stringAt(added.body, "displayName"),
      start_date: stringAt(added.body, "startDateTime"),
      end_date: stringAt(added.body, "endDateTime"),
    };
  },

  async read(state, account) {
    const [application = "", , keyId = ""] = text(state, "id").split("/");
    const found = await account.graph.find(v1(`/applications/${application}`));
    const credential = listAt(found, "passwordCredentials").find(
      (each) => stringAt(each, "keyId") === keyId,
    );
    if (credential === undefined) return undefined;
    return {
      application_id: `/applications/${application}`,
      key_id: keyId,
      display_name: stringAt(credential, "displayName"),
      start_date: stringAt(credential, "startDateTime"),
      end_date: stringAt(credential, "endDateTime"),
    };
  },

  async delete(state, account) {
    const [application = "", , keyId = ""] = text(state, "id").split("/");
    await doing("removing password from Application", () =>
      account.graph.call("POST", v1(`/applications/${application}/removePassword`), { keyId }),
    );
  },
};
