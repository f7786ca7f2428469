import { variablesOf } from "./binding-code.js";
import { namesOf, type ProjectSpec } from "./spec.js";

/** `README.md`: what the project contains, and the next commands. */
export function readmeFile(spec: ProjectSpec): string {
  const { name, bindings, host } = spec;
  const folders = bindings.map((binding) => {
    const { folder, prefix } = namesOf(binding.name);
    const what = [
      binding.input &&
        `receives events at ${binding.input.subscriberEndpoint.replace(/\?.*$/, "?…")}`,
      binding.output && "publishes events",
    ];
    return `- \`${folder}/\`: ${what.filter(Boolean).join(" and ")}; its environment variables begin with \`${prefix}_\``;
  });
  const variables = bindings.flatMap(variablesOf);
  const adopts = bindings.some(({ input }) => input?.adopt === true);
  const examples = bindings.filter(({ typesAreKnown }) => !typesAreKnown);
  return `# ${name}

${folders.join("\n")}
- \`stack.ts\`: their Azure resources, for Terraform; \`main.ts\` synthesizes it

\`\`\`sh
npm install
npm test        # the ${bindings.length === 1 ? "service" : "services"} against a local Azure
npm run synth   # writes cdktf.out/stacks/${name} for terraform init and terraform apply
\`\`\`
${
  examples.length > 0
    ? `
## Before you deploy

Replace the example in ${examples.map((each) => `\`${namesOf(each.name).folder}/events.ts\``).join(" and ")} with the events that arrive, and add a handler for each in \`service.ts\`. Until then other types are answered with 503, so that Event Grid keeps them and delivers them again. Then pass \`events\` to the binding in \`stack.ts\`, which restricts the subscription to these types.
`
    : ""
}${
  variables.length > 0
    ? `
## Secrets

Terraform asks for ${variables.map((each) => `\`${each}\``).join(" and ")}: set ${variables.map((each) => `\`TF_VAR_${each}\``).join(" and ")} from your secret store.
`
    : ""
}${
  adopts
    ? `
## Take over the existing subscription

The first apply imports it and updates it, so that Event Grid sends a handshake to the new service: start the service first. From the second apply on set \`ADOPTED=yes\` for \`npm run synth\`.

The component's application has its roles already, so \`existingAssignments\` leaves them alone. If the identity that runs Terraform has the app role too, for example because it ran Microsoft's script, add \`"writers"\`.
`
    : ""
}${
  host === "kubernetes"
    ? `
## Deploy to Kubernetes

Put the stack's outputs \`…_environment\` into the secrets that \`manifests/\` name, adapt image and host name, and apply the manifests before the stack's event subscription is created.
`
    : ""
}
When no events arrive: \`npx cloud-eventgrid doctor --help\`.
`;
}
