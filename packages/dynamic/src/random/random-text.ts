/** Makes random numbers and strings (algorithm mulberry32). The same seed always gives the same sequence. */
export class Random {
  #generatorState: number;

  constructor(seed: number) {
    this.#generatorState = seed >>> 0;
  }

  /** Returns an integer from 0 up to, but excluding, a limit. */
  drawIntegerBelow(limit: number): number {
    this.#generatorState = (this.#generatorState + 0x6d2b79f5) >>> 0;
    let bits = this.#generatorState;
    bits = Math.imul(bits ^ (bits >>> 15), bits | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) % limit;
  }

  pick<T>(items: readonly [T, ...T[]] | readonly T[]): T | undefined {
    return items[this.drawIntegerBelow(Math.max(1, items.length))];
  }

  drawBoolean(percent: number): boolean {
    return this.drawIntegerBelow(100) < percent;
  }

  drawText(length: number): string {
    return Array.from({ length }, () => letters[this.drawIntegerBelow(letters.length)]).join("");
  }

  drawDigits(length: number): string {
    return Array.from({ length }, () => String(this.drawIntegerBelow(10))).join("");
  }
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/**
 * Makes a string that probably matches an XSD pattern (XSD 1.0 Part 2 Appendix F). Callers must check the result,
 * because character classes are guessed, except lists of characters and ranges.
 */
export function getTextOfPattern(pattern: string, random: Random): string {
  return new PatternText(pattern, random).makeBranches();
}

class PatternText {
  readonly #pattern: string;
  readonly #random: Random;
  #position = 0;

  constructor(pattern: string, random: Random) {
    this.#pattern = pattern;
    this.#random = random;
  }

  makeBranches(): string {
    const texts = [this.#makeBranch()];
    while (this.#nextCharacter === "|") {
      this.#position += 1;
      texts.push(this.#makeBranch());
    }
    return this.#random.pick(texts) ?? "";
  }

  get #nextCharacter(): string {
    return this.#pattern[this.#position] ?? "";
  }

  #makeBranch(): string {
    let text = "";
    while (this.#nextCharacter !== "" && this.#nextCharacter !== "|" && this.#nextCharacter !== ")") {
      const start = this.#position;
      const atom = this.#makeAtom();
      const [min, max] = this.#readQuantifier();
      const end = this.#position;
      const count = min + this.#random.drawIntegerBelow(max - min + 1);
      if (count > 0) {
        text += atom;
      }
      for (let repetition = 1; repetition < count; repetition += 1) {
        this.#position = start;
        text += this.#makeAtom();
      }
      this.#position = end;
    }
    return text;
  }

  #makeAtom(): string {
    const character = this.#nextCharacter;
    this.#position += 1;
    switch (character) {
      case "(": {
        const groupText = this.makeBranches();
        this.#position += 1;
        return groupText;
      }
      case "[":
        return this.#makeClassText();
      case ".":
        return this.#random.drawText(1);
      case "\\":
        return this.#makeEscape();
      default:
        return character;
    }
  }

  #makeEscape(): string {
    const character = this.#nextCharacter;
    this.#position += 1;
    if (character === "p" || character === "P") {
      const name = /^\{([^}]*)\}/.exec(this.#pattern.slice(this.#position))?.[1] ?? "";
      this.#position += name.length + 2;
      return /^N/.test(name) === (character === "p")
        ? this.#random.drawDigits(1)
        : this.#random.drawText(1).toUpperCase();
    }
    return drawEscapedCharacter(character, this.#random);
  }

  #makeClassText(): string {
    const isNegated = this.#nextCharacter === "^";
    if (isNegated) {
      this.#position += 1;
    }
    const options: string[] = [];
    while (this.#nextCharacter !== "]" && this.#nextCharacter !== "") {
      if (this.#pattern.startsWith("-[", this.#position)) {
        this.#position += 2;
        this.#makeClassText();
        continue;
      }
      const firstCharacter = this.#readClassCharacter();
      if (this.#nextCharacter === "-" && !/^-[[\]]/.test(this.#pattern.slice(this.#position))) {
        this.#position += 1;
        const lastCharacter = this.#readClassCharacter();
        const firstCode = firstCharacter.codePointAt(0) ?? 0;
        options.push(
          String.fromCodePoint(
            firstCode + this.#random.drawIntegerBelow(Math.max(1, (lastCharacter.codePointAt(0) ?? 0) - firstCode + 1)),
          ),
        );
      } else {
        options.push(firstCharacter);
      }
    }
    this.#position += 1;
    return isNegated ? this.#random.drawText(1) : (this.#random.pick(options) ?? "");
  }

  #readClassCharacter(): string {
    const character = this.#nextCharacter;
    this.#position += 1;
    return character === "\\" ? this.#makeEscape() : character;
  }

  #readQuantifier(): readonly [min: number, max: number] {
    const match = /^(?:[?*+]|\{(\d+)(,?)(\d*)\})/.exec(this.#pattern.slice(this.#position));
    if (match === null) {
      return [1, 1];
    }
    this.#position += match[0].length;
    if (match[0] === "?") {
      return [0, 1];
    }
    if (match[0] === "*") {
      return [0, 2];
    }
    if (match[0] === "+") {
      return [1, 3];
    }
    const min = Number(match[1]);
    return [min, match[2] === "" ? min : match[3] === "" ? min + 2 : Math.min(Number(match[3]), min + 200)];
  }
}

function drawEscapedCharacter(character: string, random: Random): string {
  switch (character) {
    case "d":
      return random.drawDigits(1);
    case "w":
    case "i":
    case "c":
    case "D":
    case "S":
      return random.drawText(1);
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
