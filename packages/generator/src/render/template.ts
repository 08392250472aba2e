import Handlebars from "handlebars";

/** Templates by their path below `templates/`: `package/package.json.hbs`. */
export type Templates = ReadonlyMap<string, string>;

/** A value for a template, encoded for the place where it goes. */
export type Slot = string | readonly Slots[] | undefined;
export interface Slots {
  readonly [name: string]: Slot;
}

/** Fills a template. A slot that the template names and nobody fills is a mistake, not an empty text. */
export function fill(path: string, slots: Slots, templates: Templates): string {
  const text = templates.get(path);
  if (text === undefined) throw new Error(`No template ${path}.`);
  const template = Handlebars.compile<Slots>(text, { noEscape: true, strict: true, knownHelpersOnly: true });
  return template(slots, { allowProtoPropertiesByDefault: false, allowProtoMethodsByDefault: false });
}
