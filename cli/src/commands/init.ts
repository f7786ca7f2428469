import { basename, resolve } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import { wholeNumber } from "../arguments.js";
import { jsonText, type Terminal } from "../terminal.js";

interface InitFlags {
  readonly name?: string;
  readonly direction?: string;
  readonly source?: string;
  readonly app?: string;
  readonly host?: string;
  readonly cdk?: string;
  readonly endpoint: string;
  readonly port: number;
  readonly force?: true;
  readonly yes?: true;
  readonly json?: true;
}

/** A question with its choices, the default first. */
interface Question {
  readonly flag: "direction" | "source" | "app" | "host" | "cdk";
  readonly text: string;
  readonly choices: readonly string[];
}

const QUESTIONS: readonly Question[] = [
  { flag: "direction", text: "What does it do?", choices: ["receive", "publish", "both"] },
  { flag: "source", text: "Where do the events come from?", choices: ["topic", "storage"] },
  { flag: "app", text: "What serves the webhook?", choices: ["standalone", "fastify"] },
  { flag: "host", text: "Where does it run?", choices: ["none", "container-apps", "kubernetes"] },
  { flag: "cdk", text: "Which cdk?", choices: ["cdktf", "cdktn"] },
];

/** `cloud-eventgrid init`: creates a new project. */
export function initCommand(terminal: Terminal): Command {
  const { directory, out } = terminal;
  const command = new Command("init")
    .description("Create a project: stack, service and test")
    .argument("[folder]", "the folder to create", ".")
    .option("--name <name>", "name of the project (default: the folder's name)");
  for (const { flag, text, choices } of QUESTIONS) {
    command.addOption(new Option(`--${flag} <choice>`, text).choices([...choices]));
  }
  return command
    .option(
      "--endpoint <url>",
      "the webhook's public URL",
      httpsUrl,
      "https://orders.example.com/api/events",
    )
    .option("--port <number>", "the webhook's port", wholeNumber(1, 65_535), 9000)
    .option("--yes", "do not ask; use the first choice for every missing option")
    .option("--force", "write into a folder that is not empty")
    .option("--json", "print one JSON object")
    .addHelpText("after", HELP)
    .action(async (given: string, flags: InitFlags) => {
      const project = await import("../project/index.js");
      const folder = resolve(directory, given);
      const answers = await answersTo(terminal, flags);
      const { endpoint, port } = flags;
      const name = flags.name ?? basename(folder);
      const spec = project.newProject({ ...answers, name, endpoint, port: String(port) });
      const written = project.projectFiles(spec);
      project.writeProject(folder, written, flags.force === true);
      const names = Object.keys(written);
      if (flags.json) out(jsonText({ ok: true, folder, files: names }));
      else {
        for (const each of names) out(`${each}\n`);
        out(`\nNext: ${project.nextCommands(given)}\n`);
      }
    });
}

type Answers = Pick<
  Parameters<typeof import("../project/index.js").newProject>[0],
  "direction" | "source" | "app" | "host" | "cdk"
>;

/** The choice for each question: the option's, the user's, or the first. */
async function answersTo(terminal: Terminal, flags: InitFlags): Promise<Answers> {
  const answers: Record<string, string> = {};
  for (const { flag, text, choices } of QUESTIONS) {
    const [first = ""] = choices;
    const publishes = answers.direction === "publish";
    // A publisher has no source, and nothing that serves a webhook.
    const isNeeded = !(publishes && (flag === "source" || flag === "app" || flag === "host"));
    const mayAsk = terminal.ask !== undefined && flags.yes === undefined && isNeeded;
    answers[flag] = flags[flag] ?? (mayAsk ? await choose(terminal, text, choices) : first);
  }
  return answers as unknown as Answers;
}

async function choose(
  { ask, out }: Terminal,
  text: string,
  choices: readonly string[],
): Promise<string> {
  const [first = ""] = choices;
  for (;;) {
    const answer = (await ask?.(`${text} (${choices.join(", ")}) [${first}] `))?.trim() ?? "";
    if (answer === "") return first;
    const chosen = choices.find((choice) => choice.startsWith(answer.toLowerCase()));
    if (chosen !== undefined) return chosen;
    out(`Please answer ${choices.join(", ")}.\n`);
  }
}

function httpsUrl(text: string): string {
  if (/^https:\/\/[^/?#@]+/.test(text) && URL.canParse(text)) return text;
  throw new InvalidArgumentError("It must be an https URL.");
}

const HELP = `
Without options it asks. With --yes, or without a terminal, it uses the first choice of each question.

Exit codes:
  0  the project is written
  1  the folder is not empty
  2  the arguments are wrong`;
