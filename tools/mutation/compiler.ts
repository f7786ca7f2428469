import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { applied, type Mutant, mutantsOf } from "./mutants.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The files of one package, as the compiler sees them. */
export class Compiler {
  readonly #service: ts.LanguageService;
  readonly #replaced = new Map<string, string>();
  #version = 0;

  /** @param folder - the folder of the package's tsconfig.json, such as `runtime` */
  constructor(folder: string) {
    const path = join(root, folder, "tsconfig.json");
    const { config } = ts.readConfigFile(path, ts.sys.readFile);
    const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(path));
    this.#service = ts.createLanguageService({
      getCompilationSettings: () => ({ ...options, composite: false, incremental: false }),
      getScriptFileNames: () => fileNames,
      getScriptVersion: (file) => (this.#replaced.has(file) ? `mutant ${this.#version}` : "0"),
      getScriptSnapshot: (file) => {
        const text = this.#replaced.get(file) ?? ts.sys.readFile(file);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => root,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: ts.sys.fileExists,
      readFile: ts.sys.readFile,
      readDirectory: ts.sys.readDirectory,
      directoryExists: ts.sys.directoryExists,
      getDirectories: ts.sys.getDirectories,
    });
  }

  mutantsOf(file: string): Mutant[] {
    const program = this.#service.getProgram();
    const source = program?.getSourceFile(resolve(root, file));
    if (!program || !source) throw new Error(`${file} does not belong to its package.`);
    return mutantsOf(source, program.getTypeChecker(), file);
  }

  /** Says what the compiler reports in the mutated file, which a contributor sees before any test. */
  problem(mutant: Mutant): string | undefined {
    const file = resolve(root, mutant.file);
    this.#version += 1;
    this.#replaced.set(file, applied(readFileSync(file, "utf8"), mutant));
    try {
      const [first] = [
        ...this.#service.getSyntacticDiagnostics(file),
        ...this.#service.getSemanticDiagnostics(file),
      ];
      return first && ts.flattenDiagnosticMessageText(first.messageText, " ");
    } finally {
      this.#replaced.delete(file);
    }
  }
}
