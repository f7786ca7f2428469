/** The files of one subject that hold rules, and the tests that must notice a change of one. */
export interface Area {
  readonly files: readonly string[];
  /** Files and folders, the fastest first. */
  readonly tests: readonly string[];
}

/**
 * The areas that are measured. The dashboard, templates, generated data and texts of messages are
 * not among them.
 */
export const areas: Readonly<Record<string, Area>> = {
  statuses: {
    files: [
      "runtime/src/listener/responses.ts",
      "runtime/src/transport/failures.ts",
      "runtime/src/postgres/sqlstate.ts",
    ],
    tests: [
      "test/runtime/listener/responses.test.ts",
      "test/runtime/transport/failures.test.ts",
      "test/runtime/postgres/sqlstate.test.ts",
      "test/runtime/transport/responses.test.ts",
      "test/runtime/transport/may-have-arrived.test.ts",
      "test/runtime/transport/refusals.test.ts",
      "test/runtime/handling/handle-events/outcomes.test.ts",
      "test/runtime/listener/delivery/handshake.test.ts",
      "test/runtime/listener/authentication",
      "test/runtime/postgres/relay",
      "test/runtime/postgres/inbox.test.ts",
    ],
  },
  limits: {
    files: [
      "runtime/src/binding/limits.ts",
      "runtime/src/postgres/limits.ts",
      "lib/subscription/settings-checks.ts",
      "lib/monitoring/alert-rules.ts",
    ],
    tests: [
      "test/runtime/binding",
      "test/lib/subscription/problems.test.ts",
      "test/lib/subscription/dead-letter.test.ts",
      "test/lib/monitoring",
      "test/lib/subscription/filters-without-match.test.ts",
      "test/runtime/postgres/limits.test.ts",
      "test/runtime/postgres/inbox.test.ts",
      "test/runtime/publisher/event/sizes.test.ts",
    ],
  },
  envelope: {
    files: [
      "runtime/src/events/envelope/attributes.ts",
      "runtime/src/events/envelope/exact-text.ts",
      "runtime/src/events/envelope/read-event.ts",
      "runtime/src/publisher/event/encode-event.ts",
    ],
    tests: ["test/runtime/events", "test/runtime/publisher/event"],
  },
  filters: {
    files: [
      "cli/src/rules/filters/compare.ts",
      "cli/src/rules/filters/event-filter.ts",
      "cli/src/rules/filters/find-text.ts",
      "cli/src/rules/filters/find-value.ts",
      "lib/subscription/advanced-filters.ts",
      "local/src/eventgrid/filters/advanced-filter.ts",
      "local/src/eventgrid/filters/event-filter.ts",
    ],
    tests: [
      "test/cli/rules/filters",
      "test/cli/rules/agreement.test.ts",
      "test/local/eventgrid/filters",
      "test/lib/subscription",
      "test/local/parity",
    ],
  },
  "retry policy": {
    files: [
      "local/src/eventgrid/delivery/retry-policy.ts",
      "runtime/src/publisher/batch-sender.ts",
      "runtime/src/receiver/locks.ts",
    ],
    tests: [
      "test/local/eventgrid/delivery",
      "test/runtime/publisher/batch-sender",
      "test/runtime/publisher/call",
      "test/runtime/transport/refusals.test.ts",
      "test/runtime/transport/may-have-arrived.test.ts",
      "test/runtime/receiver",
    ],
  },
  token: {
    files: [
      "runtime/src/listener/authentication/token.ts",
      "runtime/src/listener/authentication/authenticator.ts",
      "runtime/src/listener/authentication/denials.ts",
      "runtime/src/listener/authentication/issuers.ts",
      "runtime/src/listener/authentication/signing-keys.ts",
      "runtime/src/listener/authentication/issuer-document.ts",
    ],
    tests: ["test/runtime/listener/authentication"],
  },
  claims: {
    files: ["runtime/src/handling/deduplication.ts", "runtime/src/handling/store.ts"],
    tests: [
      "test/runtime/handling/store",
      "test/runtime/handling/deduplication",
      "test/runtime/receiver/deduplication.test.ts",
    ],
  },
  relay: {
    files: ["runtime/src/postgres/relay.ts", "runtime/src/postgres/outbox-table.ts"],
    tests: [
      "test/runtime/postgres/outbox-table.test.ts",
      "test/runtime/postgres/relay",
      "test/runtime/postgres/outbox.test.ts",
    ],
  },
  inbox: {
    files: ["runtime/src/postgres/inbox.ts", "runtime/src/postgres/inbox-table.ts"],
    tests: [
      "test/runtime/postgres/inbox-table.test.ts",
      "test/runtime/postgres/limits.test.ts",
      "test/runtime/postgres/inbox.test.ts",
    ],
  },
  validation: {
    files: [
      "runtime/src/validation/checks.ts",
      "runtime/src/validation/rules.ts",
      "runtime/src/binding/field-rules.ts",
      "lib/validation/index.ts",
    ],
    tests: [
      "test/runtime/validation",
      "test/runtime/binding",
      "test/runtime/listener/check.test.ts",
      "test/runtime/publisher/settings.test.ts",
      "test/runtime/receiver/settings.test.ts",
      "test/lib/validation",
    ],
  },
  secrecy: {
    files: ["runtime/src/validation/secrets.ts", "runtime/src/transport/service.ts"],
    tests: [
      "test/runtime/validation",
      "test/runtime/publisher/settings.test.ts",
      "test/runtime/receiver/settings.test.ts",
      "test/runtime/transport/refusals.test.ts",
      "test/runtime/transport/secrets.test.ts",
      "test/runtime/publisher/namespace-topics.test.ts",
      "test/runtime/misplaced-secrets.test.ts",
      "test/runtime/secrets.test.ts",
    ],
  },
  roles: {
    files: [
      "cli/src/rules/built-in-roles.ts",
      "cli/src/rules/permission.ts",
      "cli/src/rules/identity.ts",
      "lib/roles/azure-role-assignment.ts",
      "lib/roles/writers.ts",
    ],
    tests: ["test/cli/rules", "test/lib/roles", "test/cli/plan/graph/followed-rights.test.ts"],
  },
  "event subscription": {
    files: [
      "lib/subscription/event-subscription.ts",
      "lib/subscription/settings.ts",
      "lib/subscription/scopes.ts",
      "lib/subscription/storage-subjects.ts",
      "lib/subscription/webhook.ts",
    ],
    tests: ["test/lib/subscription", "test/lib/binding/binding.test.ts"],
  },
  names: {
    files: [
      "lib/validation/names.ts",
      "runtime/src/binding/subscription-name.ts",
      "runtime/src/binding/patterns.ts",
      "runtime/src/binding/scope.ts",
      "cli/src/project/names.ts",
    ],
    tests: ["test/lib/validation/names.test.ts", "test/cli/names.test.ts", "test/runtime/binding"],
  },
  doctor: {
    files: [
      "cli/src/rules/application.ts",
      "cli/src/rules/clients.ts",
      "cli/src/rules/delivery.ts",
      "cli/src/rules/network.ts",
      "cli/src/rules/target.ts",
      "cli/src/doctor/checks/deliveries.ts",
      "cli/src/doctor/checks/event-subscription.ts",
      "cli/src/doctor/checks/handshake.ts",
    ],
    tests: ["test/cli/rules", "test/cli/doctor"],
  },
  "explain-plan": {
    files: [
      "cli/src/plan/effects/judgements.ts",
      "cli/src/plan/effects/resources.ts",
      "cli/src/plan/effects/subscription.ts",
      "cli/src/plan/graph/dependencies.ts",
      "cli/src/plan/effects/neighbours.ts",
      "cli/src/plan/worlds/plan-world.ts",
    ],
    tests: ["test/cli/plan"],
  },
  "local deliveries": {
    files: [
      "local/src/eventgrid/delivery/attempt-sender.ts",
      "local/src/eventgrid/delivery/dead-letters.ts",
      "local/src/eventgrid/delivery/push-subscriber.ts",
      "local/src/eventgrid/delivery/stages.ts",
    ],
    tests: [
      "test/local/eventgrid/delivery",
      "test/local/eventgrid/destinations",
      "test/local/simulation",
      "test/local/parity",
    ],
  },
};
