import { createRequire } from "node:module";
import type Handlebars from "handlebars";

/** Templates by their path below `templates/`: `package/package.json.hbs`. */
export type Templates = ReadonlyMap<string, Template>;

/** The text of a template, or what Handlebars compiled it to: the published command line has no texts. */
export type Template = string | CompiledTemplate;
export type CompiledTemplate = (slots: Slots, options: Handlebars.RuntimeOptions) => string;

/** A value for a template, already encoded for its position. */
export type Slot = string | readonly Slots[] | undefined;
export interface Slots {
  readonly [name: string]: Slot;
}

/** Fills a template. A slot without a value is a mistake, not an empty text. */
export function fill(path: string, slots: Slots, templates: Templates): string {
  const template = templates.get(path);
  if (template === undefined) {
    throw new Error(`No template ${path}.`);
  }
  const compiled = typeof template === "string" ? compile(template) : template;
  return compiled(slots, { allowProtoPropertiesByDefault: false, allowProtoMethodsByDefault: false });
}

/** Loads Handlebars with the first template that is a text, because importing it takes 40 ms. */
function compile(text: string): CompiledTemplate {
  const handlebars: typeof Handlebars = createRequire(import.meta.url)("handlebars");
  // The same options as for the compiled templates of the published package.
  return handlebars.compile<Slots>(text, { noEscape: true, strict: true, knownHelpersOnly: true });
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
