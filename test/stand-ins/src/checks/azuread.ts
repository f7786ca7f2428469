import { type Checks, matching, notEmpty, oneOf, uuid } from "./checks.js";

const applicationId = matching(/^\/applications\/[^/]+$/, "to be the ID of an application");

/** The checks of azuread 3.7 for what constructs and modules set; each from the resource's own source. */
export const azureadChecks: Readonly<Record<string, Checks>> = {
  azuread_application_registration: { display_name: notEmpty, notes: notEmpty },
  azuread_application_app_role: {
    application_id: applicationId,
    role_id: uuid,
    allowed_member_types: oneOf("Application", "User"),
    description: notEmpty,
    display_name: notEmpty,
    value: matching(/^[^.][-!#$%&'()*+,./:;<=>?@[\]^_`{|}~\w]{0,249}$/, "to be a value of a role"),
  },
  azuread_application_password: { application_id: applicationId, end_date_relative: notEmpty },
  azuread_service_principal: { client_id: uuid, owners: uuid },
  azuread_app_role_assignment: {
    app_role_id: uuid,
    principal_object_id: uuid,
    resource_object_id: uuid,
  },
};

/** The same for data sources. */
export const azureadDataChecks: Readonly<Record<string, Checks>> = {
  azuread_application: { client_id: uuid, object_id: uuid },
  azuread_service_principal: { client_id: uuid, object_id: uuid },
};
