/** The characters of names, by the word for them in messages. */
const CHARACTERS = {
  letters: "a-zA-Z",
  "lower-case letters": "a-z",
  digits: "0-9",
  hyphens: "\\-",
  "single hyphens": "\\-",
  periods: ".",
  underscores: "_",
  slashes: "/",
  tildes: "~",
};

type Characters = readonly (keyof typeof CHARACTERS)[];

/** The names that a kind of resource may have. */
export class NameRule {
  constructor(
    private readonly allowed: {
      /** The numbers of characters, both included. */
      readonly least: number;
      readonly most: number;
      readonly characters: Characters;
      /** @default all `characters` */
      readonly first?: Characters;
      /** @default those of `first` */
      readonly last?: Characters;
    },
  ) {}

  allows(name: string): boolean {
    const { least, most, characters, first = characters, last = first } = this.allowed;
    return (
      name.length >= least &&
      name.length <= most &&
      consistsOf(name, characters) &&
      !(characters.includes("single hyphens") && name.includes("--")) &&
      consistsOf(name.slice(0, 1), first) &&
      consistsOf(name.slice(-1), last)
    );
  }

  /** For messages: `3 to 64 letters, digits or hyphens`. */
  toString(): string {
    const { least, most, characters } = this.allowed;
    const others = characters.slice(0, -1).join(", ");
    return `${least} to ${most} ${others} or ${characters.at(-1)}`;
  }
}

/** Names of letters, digits and hyphens. */
export function hyphenated(least: number, most: number): NameRule {
  return new NameRule({ least, most, characters: ["letters", "digits", "hyphens"] });
}

function consistsOf(text: string, characters: Characters): boolean {
  const allowed = characters.map((each) => CHARACTERS[each]).join("");
  return !new RegExp(`[^${allowed}]`).test(text);
}
