import { Argument, Command, type Option } from "commander";
import type { Terminal } from "../terminal/index.js";

/** `cloud-eventgrid completion`: prints the script that completes commands in a shell. */
export function completionCommand({ out }: Terminal): Command {
  return new Command("completion")
    .description("Print the script that completes commands in a shell")
    .addArgument(new Argument("<shell>", "your shell").choices(Object.keys(SCRIPTS)))
    .addHelpText("after", HELP)
    .action((shell: keyof typeof SCRIPTS) => out(SCRIPTS[shell]));
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

interface Candidate {
  readonly word: string;
  readonly description: string;
}

/**
 * The words that may come next on a command line; none where a file or a free text is expected.
 *
 * @param words the words after the program's name; the last one is being typed and may be empty
 */
function candidates(program: Command, words: readonly string[]): Candidate[] {
  const current = words.at(-1) ?? "";
  let command = program;
  let option: Option | undefined;
  let argument = 0;
  for (const word of words.slice(0, -1)) {
    if (option !== undefined) option = undefined;
    else if (word.startsWith("-")) option = withValue(optionNamed(command, word));
    else {
      const inner = command.commands.find((sub) => sub.name() === word);
      if (inner === undefined) argument += 1;
      else [command, argument] = [inner, 0];
    }
  }
  return wordsOf(command, option, argument, current).filter(({ word }) => word.startsWith(current));
}

function wordsOf(
  command: Command,
  option: Option | undefined,
  argument: number,
  current: string,
): Candidate[] {
  if (option !== undefined) return choices(option.argChoices);
  if (current.startsWith("-")) {
    return command
      .createHelp()
      .visibleOptions(command)
      .map(({ long, short, description }) => ({ word: long ?? short ?? "", description }));
  }
  const commands = command.createHelp().visibleCommands(command);
  if (command.commands.length > 0) {
    return commands.map((sub) => ({ word: sub.name(), description: sub.description() }));
  }
  return choices(command.registeredArguments[argument]?.argChoices);
}

function choices(words: readonly string[] | undefined): Candidate[] {
  return (words ?? []).map((word) => ({ word, description: "" }));
}

function optionNamed(command: Command, name: string): Option | undefined {
  return command.options.find(({ long, short }) => long === name || short === name);
}

/** An option whose value comes next. */
function withValue(option: Option | undefined): Option | undefined {
  return option?.required || option?.optional ? option : undefined;
}

/**
 * The scripts that teach a shell to complete the program's command line. They ask the program itself,
 * so that they stay right when a command gets an option. Files are completed where it has no candidates.
 */
const SCRIPTS = {
  bash: `_cloud_eventgrid() {
  local IFS=$'\\n'
  COMPREPLY=($(cloud-eventgrid complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1))
}
complete -o default -F _cloud_eventgrid cloud-eventgrid
`,
  zsh: `#compdef cloud-eventgrid
_cloud_eventgrid() {
  local -a candidates
  candidates=("\${(@f)$(cloud-eventgrid complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  candidates=("\${(@)candidates:#}")
  if (( \${#candidates} )); then
    candidates=("\${(@)candidates//:/\\\\:}")
    candidates=("\${(@)candidates/$'\\t'/:}")
    _describe 'cloud-eventgrid' candidates
  else
    _files
  fi
}
if [ "$funcstack[1]" = "_cloud_eventgrid" ]; then
  _cloud_eventgrid
else
  (( \${+functions[compdef]} )) || { autoload -Uz compinit && compinit }
  compdef _cloud_eventgrid cloud-eventgrid
fi
`,
  fish: `function __cloud_eventgrid
  set -l words (commandline -opc) (commandline -ct)
  set -l candidates (cloud-eventgrid complete -- $words[2..-1] 2>/dev/null)
  if test (count $candidates) -gt 0
    printf '%s\\n' $candidates
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c cloud-eventgrid -f -a '(__cloud_eventgrid)'
`,
  powershell: `Register-ArgumentCompleter -Native -CommandName cloud-eventgrid -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($wordToComplete -eq '') { $words += '""' }
  cloud-eventgrid complete -- $words 2>$null | ForEach-Object {
    $word, $description = $_ -split "\`t", 2
    if (-not $description) { $description = $word }
    [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $description)
  }
}
`,
};

const HELP = `
The program must be on the PATH, as after a global installation.

Examples:
  bash        echo 'eval "$(cloud-eventgrid completion bash)"' >> ~/.bashrc
  zsh         echo 'eval "$(cloud-eventgrid completion zsh)"' >> ~/.zshrc
  fish        cloud-eventgrid completion fish > \\
                ~/.config/fish/completions/cloud-eventgrid.fish
  powershell  cloud-eventgrid completion powershell >> $PROFILE`;
