import { variablesOf } from "./binding-code.js";
import {
  type BindingSpec,
  deploysApart,
  type Host,
  type InputSpec,
  namesOf,
  type ProjectSpec,
  pathOf,
} from "./spec.js";

/** `README.md`: what the project contains, and the next commands. */
export function readmeFile(spec: ProjectSpec): string {
  const { name, bindings, host } = spec;
  const folders = bindings.map((binding) => {
    const { folder, prefix } = namesOf(binding.name);
    const what = [
      binding.input && `receives events at ${addressOf(binding.input, host)}`,
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
}${deployment(spec)}${
  adopts
    ? `
## Take over the existing subscription

The apply with the event subscription imports it and updates it, so that Event Grid sends a handshake to the new service. Afterwards set \`ADOPTED=yes\` for \`npm run synth\`.

The component's application has its roles already, so \`existingAssignments\` leaves them alone. If the identity that runs Terraform has the app role too, for example because it ran Microsoft's script, add \`"writers"\`.
`
    : ""
}
When no events arrive: \`npx cloud-eventgrid doctor --help\`.
`;
}

function addressOf(input: InputSpec, host: Host): string {
  return host === "container-apps"
    ? `${pathOf(input)} of its container app`
    : input.subscriberEndpoint.replace(/\?.*$/, "?…");
}

/** How to apply the stack together with its services. */
function deployment(spec: ProjectSpec): string {
  const { name, bindings, host } = spec;
  const receivers = bindings.filter(({ input }) => input !== undefined);
  const terraform = `terraform -chdir=cdktf.out/stacks/${name}`;
  if (deploysApart(spec)) {
    const outputs = receivers.map((each) => `${namesOf(each.name).output}_environment`);
    return `
## Deploy

Event Grid sends a handshake when an event subscription is created, so the service must run by then. First apply everything else, and read the service's environment:

\`\`\`sh
SUBSCRIBED=no npm run synth
${terraform} init
${terraform} apply
${outputs.map((output) => `${terraform} output -json ${output}`).join("\n")}
\`\`\`

${host === "kubernetes" ? inCluster(receivers) : `Start the service with these variables, and route its public URL to it.`} Then create the event subscription:

\`\`\`sh
npm run synth
${terraform} apply
\`\`\`
`;
  }
  if (host !== "container-apps" || receivers.length === 0) return "";
  return `
## Deploy

Build the image and push it to your registry. The stack takes its name from \`IMAGE\`:

\`\`\`sh
export IMAGE=example.azurecr.io/${name}:1
docker build --tag $IMAGE . && docker push $IMAGE
npm run synth
${terraform} init
${terraform} apply
\`\`\`

If the registry needs credentials, add \`registry\` to the container app in \`stack.ts\`.
`;
}

function inCluster(receivers: readonly BindingSpec[]): string {
  const secrets = receivers.map(({ name }) => `\`${namesOf(name).folder}-binding\``).join(" and ");
  return `Put these variables into the Kubernetes secret ${secrets}, adapt image and host name in \`manifests/\`, and apply the manifests.`;
}
