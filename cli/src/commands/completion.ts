import { Argument, Command } from "commander";
import { candidates, completionScript, SHELLS, type Shell } from "../completion.js";
import type { Terminal } from "../terminal/index.js";

/** `cloud-eventgrid completion`: prints the script that completes commands in a shell. */
export function completionCommand({ out }: Terminal): Command {
  return new Command("completion")
    .description("Print the script that completes commands in a shell")
    .addArgument(new Argument("<shell>", "your shell").choices(SHELLS))
    .addHelpText("after", HELP)
    .action((shell: Shell) => out(completionScript(shell)));
}

/** `cloud-eventgrid complete`: what the scripts of `completion` ask. */
export function completeCommand(program: Command, { out }: Terminal): Command {
  return new Command("complete")
    .argument("[words...]")
    .allowUnknownOption()
    .helpOption(false)
    .action((words: readonly string[]) => {
      // PowerShell drops an empty argument, so that its script sends the quotes.
      const typed = words.map((word) => (word === '""' ? "" : word));
      for (const { word, description } of candidates(program, typed)) {
        out(description === "" ? `${word}\n` : `${word}\t${description}\n`);
      }
    });
}

const HELP = `
The program must be on the PATH, as after a global installation.

Examples:
  bash        echo 'eval "$(cloud-eventgrid completion bash)"' >> ~/.bashrc
  zsh         echo 'eval "$(cloud-eventgrid completion zsh)"' >> ~/.zshrc
  fish        cloud-eventgrid completion fish > \\
                ~/.config/fish/completions/cloud-eventgrid.fish
  powershell  cloud-eventgrid completion powershell >> $PROFILE`;
