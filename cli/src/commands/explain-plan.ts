import { setImmediate } from "node:timers/promises";
import { Command } from "commander";
import { collect } from "../arguments.js";
import { readText } from "../files.js";
import { ExitCode, jsonText, standardInput, type Terminal, UsageError } from "../terminal/index.js";

interface ExplainPlanFlags {
  readonly events?: readonly string[];
  readonly allow?: readonly string[];
  readonly json?: true;
}

/** `cloud-eventgrid explain-plan`: what a plan of Terraform does to events. */
export function explainPlanCommand(terminal: Terminal, end: (exitCode: number) => void): Command {
  return new Command("explain-plan")
    .description("Explain which events a Terraform plan loses")
    .argument("[file]", "the output of terraform show -json, or - for standard input", "-")
    .option("--events <path>", "recorded events to count, as [SCOPE=]PATH (repeatable)", collect)
    .option(
      "--allow <name>",
      "an event type or a check whose loss is intended (repeatable)",
      collect,
    )
    .option("--json", "print JSON")
    .addHelpText("after", HELP)
    .action(async (file: string, { events = [], allow = [], json }: ExplainPlanFlags) => {
      const { COLOURS, explainPlan, planText, readEvents, readPlan } = await import(
        "../plan/index.js"
      );
      const { directory, input, out, columns = 80 } = terminal;
      // At a terminal it would wait in silence.
      if (file === "-" && (input === undefined || terminal.ask !== undefined)) {
        throw new UsageError("give a file, or pipe the output of terraform show -json into it");
      }
      const text = file === "-" ? await standardInput(terminal) : readText(directory, file);
      const onProgress = async (number: number, count: number) => {
        terminal.progress(`comparing resource ${number} of ${count}`);
        if (number % 20 === 0) await setImmediate();
      };
      const plan = readPlan(text);
      const read = readEvents(directory, events);
      const explanation = await explainPlan(plan, read, allow, onProgress);
      const { lost, unknown } = explanation;
      if (json) out(jsonText({ ok: lost === 0 && unknown === 0, ...explanation }));
      else out(planText(explanation, columns), COLOURS);
      end(lost > 0 ? ExitCode.problems : unknown > 0 ? ExitCode.unknown : ExitCode.ok);
    });
}

const HELP = `
Examples:
  terraform show -json tfplan | cloud-eventgrid explain-plan
  cloud-eventgrid explain-plan plan.json --events recordings/ \\
    --allow shop.order.cancelled

A plan has secrets in plain text: treat the file as a secret. None is printed.

Exit codes:
  0  no event is lost: every change to what deliveries depend on was understood
  1  the plan or a file of events cannot be read
  2  the arguments are wrong
  3  events are lost
  4  events may be lost: the plan does not tell, or a change was not understood`;
