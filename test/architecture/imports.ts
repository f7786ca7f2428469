import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

/** One import statement (or re-export, `require` or `import()`) of a source file. */
export interface Import {
  /** The importing file, relative to the project's root. */
  readonly file: string;
  /** What it imports: a package's specifier, or a path relative to the project's root. */
  readonly target: string;
  /** Whether only types are imported, so that nothing is loaded at run time. */
  readonly typeOnly: boolean;
}

export const root = fileURLToPath(new URL("../..", import.meta.url));

const statement =
  /(?:^|\n)\s*(?:import|export)\s+(type\s)?(?:[^"';]*?\sfrom\s+)?["']([^"']+)["']|\b(?:require|import)\(\s*["']([^"']+)["']\s*\)/g;

/** Every import of the TypeScript files below `folder`. */
export function importsOf(folder: string): Import[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !/(^|\/)(node_modules|dist)\//.test(file))
    .map((file) => join(folder, file))
    .flatMap((file) => importsIn(file, readFileSync(join(root, file), "utf8")));
}

/** The imports in the text of one file. */
export function importsIn(file: string, text: string): Import[] {
  return [...withoutComments(text).matchAll(statement)].map((match) => {
    const specifier = match[2] ?? match[3] ?? "";
    return {
      file,
      target: specifier.startsWith(".") ? normalize(join(dirname(file), specifier)) : specifier,
      typeOnly: match[1] !== undefined,
    };
  });
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");
}
