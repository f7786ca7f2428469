/** Writes one variable in the syntax of a shell, and the command that sets all of them there. */
interface Shell {
  readonly assignment: (name: string, value: string) => string;
  /** Runs `env` with these options, and sets what it prints. */
  readonly evaluation: (env: string) => string;
}

const SHELLS = {
  sh: {
    assignment: (name, value) => `export ${name}='${value.replaceAll("'", `'\\''`)}'`,
    evaluation: (env) => `eval "$(${env})"`,
  },
  fish: {
    assignment: (name, value) => `set -gx ${name} '${value.replace(/[\\']/g, "\\$&")}'`,
    evaluation: (env) => `${env} | source`,
  },
  powershell: {
    assignment: (name, value) => `$env:${name} = '${value.replaceAll("'", "''")}'`,
    evaluation: (env) => `${env} | Out-String | Invoke-Expression`,
  },
  cmd: {
    assignment: (name, value) => `set "${name}=${value}"`,
    evaluation: (env) => `for /f "delims=" %i in ('${env}') do @%i`,
  },
} as const satisfies Readonly<Record<string, Shell>>;

export type ShellName = keyof typeof SHELLS;

export const shellNames = Object.keys(SHELLS) as readonly ShellName[];

/** Lines that set an environment. */
export function environmentLines(
  environment: Readonly<Record<string, string>>,
  shell: ShellName = "sh",
): string {
  return Object.entries(environment)
    .map(([name, value]) => `${SHELLS[shell].assignment(name, value)}\n`)
    .join("");
}

/** What to run in a shell to set the environment of the running local Azure. */
export function environmentCommand(shell: ShellName): string {
  const option = shell === "sh" ? "" : ` --shell ${shell}`;
  return SHELLS[shell].evaluation(`npx --no cloud-eventgrid-local env${option}`);
}
