import type { AnswerDefinition, AnswerSchema } from "./answer-model.js";

type Definitions = ReadonlyMap<string, AnswerDefinition>;

/** Finds definitions that are nothing but references to themselves, and so no types. */
export class AnswerCircles {
  readonly #definitions: Definitions;
  readonly #settled = new Set<string>();

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
  }

  /** The circles that a definition leads to and that were not found before, each by the definition that closes it. */
  from(start: string): readonly AnswerDefinition[] {
    const found: AnswerDefinition[] = [];
    const path: { readonly id: string; readonly references: string[] }[] = [];
    const open = new Set<string>();
    const enter = (id: string): void => {
      const definition = this.#definitions.get(id);
      if (definition === undefined || this.#settled.has(id)) return;
      open.add(id);
      path.push({ id, references: [...referencesOf(definition.schema)] });
    };
    enter(start);
    // Iteratively: a chain of references may be long.
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const next = last.references.pop();
      const closing = this.#definitions.get(last.id);
      if (next === undefined) {
        path.pop();
        open.delete(last.id);
        this.#settled.add(last.id);
      } else if (open.has(next) && closing !== undefined) found.push(closing);
      else enter(next);
    }
    return found;
  }
}

/** What a schema is, and not what it has in it. */
function referencesOf({ reference, alternatives }: AnswerSchema): readonly string[] {
  return reference === undefined ? alternatives.flatMap(referencesOf) : [reference];
}
