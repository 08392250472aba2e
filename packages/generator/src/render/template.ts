import Handlebars from "handlebars";

/** Templates by their path below `templates/`: `package/package.json.hbs`. */
export type Templates = ReadonlyMap<string, string>;

/** A value for a template, already encoded for its position. */
export type Slot = string | readonly Slots[] | undefined;
export interface Slots {
  readonly [name: string]: Slot;
}

/** Fills a template. A slot without a value is a mistake, not an empty text. */
export function fill(path: string, slots: Slots, templates: Templates): string {
  const text = templates.get(path);
  if (text === undefined) {
    throw new Error(`No template ${path}.`);
  }
  const template = Handlebars.compile<Slots>(text, { noEscape: true, strict: true, knownHelpersOnly: true });
  return template(slots, { allowProtoPropertiesByDefault: false, allowProtoMethodsByDefault: false });
}

/** Text as a JSON string; as valid in TypeScript. */
export function json(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** Text as code in a line of Markdown. */
export function code(text: string): string {
  return `\`${text.replace(/[`|\p{Cc}\p{Cf}\u2028\u2029]/gu, " ")}\``;
}

/** `a`, `b` and `c`. */
export function enumerated(texts: readonly string[]): string {
  const last = texts.at(-1) ?? "";
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(", ")} and ${last}`;
}

/** The relative path from one folder of the tree to another. */
export function relativePath(from: string, to: string): string {
  const start = from.split("/").filter((step) => step !== "" && step !== ".");
  const end = to.split("/").filter((step) => step !== "" && step !== ".");
  let shared = 0;
  while (shared < start.length && shared < end.length && start[shared] === end[shared]) {
    shared += 1;
  }
  return [...start.slice(shared).map(() => ".."), ...end.slice(shared)].join("/") || ".";
}
