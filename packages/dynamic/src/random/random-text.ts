/** Random numbers that are identical in every run (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** An integer from 0 up to, but excluding, a limit. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  pick<T>(items: readonly [T, ...T[]] | readonly T[]): T | undefined {
    return items[this.below(Math.max(1, items.length))];
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  text(length: number): string {
    return Array.from({ length }, () => letters[this.below(letters.length)]).join("");
  }

  digits(length: number): string {
    return Array.from({ length }, () => String(this.below(10))).join("");
  }
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/**
 * Creates text that probably matches an XSD pattern (Part 2 Appendix F); the type checks the result. Character classes other than
 * lists of characters and ranges are guessed.
 */
export function textOfPattern(pattern: string, random: Random): string {
  return new PatternText(pattern, random).branches();
}

class PatternText {
  readonly #pattern: string;
  readonly #random: Random;
  #at = 0;

  constructor(pattern: string, random: Random) {
    this.#pattern = pattern;
    this.#random = random;
  }

  branches(): string {
    const texts = [this.#branch()];
    while (this.#next === "|") {
      this.#at += 1;
      texts.push(this.#branch());
    }
    return this.#random.pick(texts) ?? "";
  }

  get #next(): string {
    return this.#pattern[this.#at] ?? "";
  }

  #branch(): string {
    let text = "";
    while (this.#next !== "" && this.#next !== "|" && this.#next !== ")") {
      const start = this.#at;
      const atom = this.#atom();
      const [min, max] = this.#quantifier();
      const end = this.#at;
      const count = min + this.#random.below(max - min + 1);
      if (count > 0) {
        text += atom;
      }
      for (let more = 1; more < count; more += 1) {
        this.#at = start;
        text += this.#atom();
      }
      this.#at = end;
    }
    return text;
  }

  #atom(): string {
    const character = this.#next;
    this.#at += 1;
    switch (character) {
      case "(": {
        const inner = this.branches();
        this.#at += 1;
        return inner;
      }
      case "[":
        return this.#class();
      case ".":
        return this.#random.text(1);
      case "\\":
        return this.#escape();
      default:
        return character;
    }
  }

  #escape(): string {
    const character = this.#next;
    this.#at += 1;
    if (character === "p" || character === "P") {
      const name = /^\{([^}]*)\}/.exec(this.#pattern.slice(this.#at))?.[1] ?? "";
      this.#at += name.length + 2;
      return /^N/.test(name) === (character === "p") ? this.#random.digits(1) : this.#random.text(1).toUpperCase();
    }
    return escaped(character, this.#random);
  }

  #class(): string {
    const negated = this.#next === "^";
    if (negated) {
      this.#at += 1;
    }
    const options: string[] = [];
    while (this.#next !== "]" && this.#next !== "") {
      if (this.#pattern.startsWith("-[", this.#at)) {
        this.#at += 2;
        this.#class();
        continue;
      }
      const from = this.#classCharacter();
      if (this.#next === "-" && !/^-[[\]]/.test(this.#pattern.slice(this.#at))) {
        this.#at += 1;
        const to = this.#classCharacter();
        const low = from.codePointAt(0) ?? 0;
        options.push(String.fromCodePoint(low + this.#random.below(Math.max(1, (to.codePointAt(0) ?? 0) - low + 1))));
      } else {
        options.push(from);
      }
    }
    this.#at += 1;
    return negated ? this.#random.text(1) : (this.#random.pick(options) ?? "");
  }

  #classCharacter(): string {
    const character = this.#next;
    this.#at += 1;
    return character === "\\" ? this.#escape() : character;
  }

  #quantifier(): readonly [min: number, max: number] {
    const found = /^(?:[?*+]|\{(\d+)(,?)(\d*)\})/.exec(this.#pattern.slice(this.#at));
    if (found === null) {
      return [1, 1];
    }
    this.#at += found[0].length;
    if (found[0] === "?") {
      return [0, 1];
    }
    if (found[0] === "*") {
      return [0, 2];
    }
    if (found[0] === "+") {
      return [1, 3];
    }
    const min = Number(found[1]);
    return [min, found[2] === "" ? min : found[3] === "" ? min + 2 : Math.min(Number(found[3]), min + 200)];
  }
}

function escaped(character: string, random: Random): string {
  switch (character) {
    case "d":
      return random.digits(1);
    case "w":
    case "i":
    case "c":
    case "D":
    case "S":
      return random.text(1);
    case "s":
      return " ";
    case "W":
      return "-";
    case "n":
    case "r":
    case "t":
      return " ";
    default:
      return character;
  }
}
