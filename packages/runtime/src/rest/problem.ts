import type { JsonValue } from "../descriptor.js";

/** Why an argument is refused: a code and message as WordPress has them. No message repeats what the request said. */
export class Problem {
  /** The argument, or the item or property of it, that does not fit: `include[1]`. */
  readonly name: string;
  readonly code: string;
  readonly message: string;
  readonly data: JsonValue;

  constructor(name: string, code: string, message: string, data: JsonValue = null) {
    this.name = name;
    this.code = code;
    this.message = message;
    this.data = data;
  }
}

export function typeProblem(name: string, types: readonly string[]): Problem {
  return new Problem(name, "rest_invalid_type", `${name} is not of type ${types.join(",")}.`, { param: name });
}

/** `a`, `a and b`, `a, b, and c`. */
export function listed(words: readonly string[]): string {
  if (words.length < 3) return words.join(" and ");
  return `${words.slice(0, -1).join(", ")}, and ${words.at(-1)}`;
}

/** `1 item`, `2 items`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
