import { Command, InvalidArgumentError } from "commander";
import type { Terminal } from "../terminal.js";

const NAME = "cloud-eventgrid-local";
const FUNCTION = "_cloud_eventgrid_local";

/** Each script asks the hidden command `complete` for the words that may follow, or completes file names if there are none. */
const scripts: Readonly<Record<string, string>> = {
  bash: `${FUNCTION}() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(${NAME} complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F ${FUNCTION} ${NAME}
`,
  zsh: `#compdef ${NAME}
${FUNCTION}() {
  local -a candidates
  candidates=("\${(@f)$(${NAME} complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  candidates=("\${(@)candidates:#}")
  if (( \${#candidates} )); then compadd -a candidates; else _files; fi
}
(( \${+functions[compdef]} )) || { autoload -Uz compinit && compinit }
compdef ${FUNCTION} ${NAME}
`,
  fish: `function ${FUNCTION}
  set -l words (commandline -opc) (commandline -ct)
  set -l candidates (${NAME} complete -- $words[2..-1] 2>/dev/null)
  if test (count $candidates) -gt 0
    printf '%s\\n' $candidates
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c ${NAME} -f -a '(${FUNCTION})'
`,
};

/** `completion SHELL` prints the script of a shell; `complete WORDS` the words that may follow. */
export function completionCommands(terminal: Terminal, program: Command) {
  const completion = new Command("completion")
    .description("print the completion script of a shell")
    .argument("<shell>", `${Object.keys(scripts).join(", ")}`, (shell: string) => {
      if (Object.hasOwn(scripts, shell)) return shell;
      throw new InvalidArgumentError(`It must be ${Object.keys(scripts).join(", ")}.`);
    })
    .action((shell: string) => terminal.print(scripts[shell] ?? ""));
  const complete = new Command("complete").argument("[words...]").action((words: string[]) => {
    terminal.print(
      candidates(program, words)
        .map((word) => `${word}\n`)
        .join(""),
    );
  });
  return { completion, complete };
}

/** The subcommands and options that fit after the words, of which the last may be incomplete. */
export function candidates(program: Command, words: readonly string[]): string[] {
  let command = program;
  for (const word of words.slice(0, -1)) {
    const next = command.commands.find((each) => each.name() === word);
    if (next) command = next;
  }
  const subcommands = command.commands
    .map((each) => each.name())
    .filter((name) => name !== "complete");
  const options = command.options.flatMap(({ long }) => (long ? [long] : []));
  const last = words.at(-1) ?? "";
  const all = last.startsWith("-") ? options : subcommands;
  return all.filter((word) => word.startsWith(last)).sort();
}
