import { basename, resolve } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import { PACKAGES, wholeNumber } from "../arguments.js";
import { jsonText, type Terminal, UsageError } from "../terminal/index.js";

/** The choices of each option, the default first. Without the option they are asked for. */
const QUESTIONS = {
  direction: { text: "What does it do?", choices: ["receive", "publish", "both"] },
  source: { text: "Where do the events come from?", choices: ["topic", "storage"] },
  app: { text: "What serves the webhook?", choices: ["standalone", "express", "fastify"] },
  host: { text: "Where does it run?", choices: ["none", "container-apps", "kubernetes"] },
  cdk: { text: "Which cdk?", choices: ["cdktn", "cdktf"] },
} as const;

type Question = keyof typeof QUESTIONS;

type Answers = { readonly [Q in Question]: (typeof QUESTIONS)[Q]["choices"][number] };

interface InitFlags extends Partial<Answers> {
  readonly pull?: true;
  readonly name?: string;
  readonly endpoint: string;
  readonly port: number;
  readonly packages?: string;
  readonly force?: true;
  readonly yes?: true;
  readonly json?: true;
}

/**
 * `cloud-eventgrid init`: creates a new project.
 *
 * @param installedIn where this command is installed, if it is not where this file is
 */
export function initCommand(terminal: Terminal, installedIn?: string): Command {
  const { directory, env, out } = terminal;
  const command = new Command("init")
    .description("Create a project: stack, service and test")
    .argument("[folder]", "the folder to create", ".")
    .option("--name <name>", "name of the project (default: the folder's name)");
  for (const [name, { text, choices }] of Object.entries(QUESTIONS)) {
    command.addOption(new Option(`--${name} <choice>`, text).choices(choices));
  }
  command.option("--pull", "receive from a namespace, without a public endpoint");
  return command
    .option(
      "--endpoint <url>",
      "the webhook's public URL",
      httpsUrl,
      "https://orders.example.com/api/events",
    )
    .option("--port <number>", "the webhook's port", wholeNumber(1, 65_535), 9000)
    .option("--packages <folder>", PACKAGES)
    .option("--yes", "do not ask; use the first choice for every missing option")
    .option("--force", "write into a folder that is not empty")
    .option("--json", "print one JSON object")
    .addHelpText("after", HELP)
    .action(async (target: string, flags: InitFlags) => {
      const project = await import("../project/index.js");
      const folder = resolve(directory, target);
      project.requireEmpty(folder, flags.force === true);
      const answers = await answersTo(terminal, flags);
      const { endpoint, port, packages, name = basename(folder) } = flags;
      const source = project.packageSource(packages && resolve(directory, packages), installedIn);
      const created = project.newProject({
        ...answers,
        pull: flags.pull === true,
        name,
        endpoint,
        port: String(port),
        hasPackages: source.folder !== undefined,
      });
      const terraform = project.terraformCommand(env);
      const names = project.writeProjects(folder, { "": created }, source.folder, terraform);
      const { notes } = source;
      if (flags.json) out(jsonText({ ok: true, folder, files: names, notes }));
      else {
        for (const line of [...names, ...notes]) out(`${line}\n`);
        out(`\nNext: ${project.nextCommands(target)}\n`);
      }
    });
}

/** Questions about the webhook, which a project that only publishes does not have. */
const OF_WEBHOOKS = ["source", "app", "host"] as const;

/** Questions that a project which pulls does not have. */
const NOT_WITH_PULL = ["direction", "source", "app"] as const;

async function answersTo(terminal: Terminal, flags: InitFlags): Promise<Answers> {
  if (flags.pull) return answersToPull(terminal, flags);
  const direction = await answerTo(QUESTIONS.direction, terminal, flags, flags.direction);
  const publishes = direction === "publish";
  const useless = OF_WEBHOOKS.filter((question) => publishes && flags[question] !== undefined);
  if (useless.length > 0) {
    const options = useless.map((question) => `--${question}`).join(" and ");
    throw new UsageError(
      `a project that only publishes has no webhook: leave out ${options}, or use --direction both`,
    );
  }
  const first = { yes: true } as const;
  return {
    direction,
    source: await answerTo(QUESTIONS.source, terminal, publishes ? first : flags, flags.source),
    app: await answerTo(QUESTIONS.app, terminal, publishes ? first : flags, flags.app),
    host: await answerTo(QUESTIONS.host, terminal, publishes ? first : flags, flags.host),
    cdk: await answerTo(QUESTIONS.cdk, terminal, flags, flags.cdk),
  };
}

/** A project that pulls receives the events of its own topic, with the runtime's receiver. */
async function answersToPull(terminal: Terminal, flags: InitFlags): Promise<Answers> {
  const useless = NOT_WITH_PULL.filter((question) => flags[question] !== undefined);
  if (useless.length > 0) {
    const options = useless.map((question) => `--${question}`).join(" and ");
    throw new UsageError(
      `a project with --pull receives from its own topic, without a webhook: leave out ${options}`,
    );
  }
  if (flags.host === "kubernetes") {
    throw new UsageError("--pull goes with --host none or container-apps");
  }
  const { text } = QUESTIONS.host;
  const choices = ["none", "container-apps"] as const;
  return {
    direction: "receive",
    source: "topic",
    app: "standalone",
    host: await answerTo({ text, choices }, terminal, flags, flags.host),
    cdk: await answerTo(QUESTIONS.cdk, terminal, flags, flags.cdk),
  };
}

/** The option's choice, the user's, or the first. */
async function answerTo<C extends string>(
  { text, choices }: { readonly text: string; readonly choices: readonly [C, ...C[]] },
  { ask, out }: Terminal,
  { yes }: Pick<InitFlags, "yes">,
  option: C | undefined,
): Promise<C> {
  const [first] = choices;
  if (option !== undefined) return option;
  if (yes || ask === undefined) return first;
  for (;;) {
    const answer = await ask(`${text} (${choices.join(", ")}) [${first}] `);
    // An empty answer is the beginning of the first choice, too.
    const chosen = choices.find((choice) => choice.startsWith(answer.trim().toLowerCase()));
    if (chosen !== undefined) return chosen;
    out(`Please answer ${choices.join(", ")}.\n`);
  }
}

function httpsUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:" || url.username !== "" || url.hash !== "") {
    throw new InvalidArgumentError("It must be an https URL.");
  }
  if (url.search !== "") {
    throw new InvalidArgumentError(
      "Its query counts as a secret: leave it out, and add it to the stack as a variable.",
    );
  }
  return text;
}

const HELP = `
Without options it asks. With --yes, or without a terminal, it uses the first
choice of each question.

Examples:
  cloud-eventgrid init orders --yes
  cloud-eventgrid init orders --source storage --host container-apps
  cloud-eventgrid init orders --pull --host container-apps

Exit codes:
  0  the project is written
  1  the folder is not empty
  2  the arguments are wrong`;
