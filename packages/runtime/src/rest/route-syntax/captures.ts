import { type Automaton, accepts, markOf, readsNothing } from "@bothends/datatypes/pattern";

/** A way through the automaton: where it is, and the places it has marked. */
interface Way {
  readonly state: number;
  readonly marks: readonly number[];
}

/**
 * Finds what the named groups of a pattern match. Of several ways to match a text it takes PCRE's: the first branch,
 * and as many repetitions as can be, or as few where a quantifier is lazy. All ways are followed at once, the first
 * first, so that time is linear in the text.
 */
export class Captures {
  readonly #automaton: Automaton;
  /** The step in which a state was last met. */
  readonly #met: Int32Array;

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
    this.#met = new Int32Array(automaton.reads.length);
  }

  /** The groups that take part in the match, by name; undefined when the whole text does not match. */
  find(text: string): ReadonlyMap<string, string> | undefined {
    const { reads, next, classes } = this.#automaton;
    this.#met.fill(-1);
    let ways = this.#follow({ state: this.#automaton.start, marks: [] }, 0);
    for (let at = 0; at < text.length && ways.length > 0; ) {
      const codePoint = text.codePointAt(at) ?? 0;
      at += codePoint > 0xffff ? 2 : 1;
      const following: Way[] = [];
      for (const { state, marks } of ways) {
        if (classes[reads[state] ?? accepts]?.has(codePoint) !== true) continue;
        following.push(...this.#follow({ state: next[state] ?? 0, marks }, at));
      }
      ways = following;
    }
    const first = ways.find(({ state }) => reads[state] === accepts);
    return first && this.#texts(first.marks, text);
  }

  /** The ways on that read or accept, in their order; a state that a better way has met at this place is passed over. */
  #follow(from: Way, at: number): readonly Way[] {
    const { reads, next, other } = this.#automaton;
    const found: Way[] = [];
    const pending: Way[] = [from];
    for (let way = pending.pop(); way !== undefined; way = pending.pop()) {
      const { state, marks } = way;
      if (this.#met[state] === at) continue;
      this.#met[state] = at;
      const read = reads[state] ?? accepts;
      if (read === readsNothing) {
        pending.push({ state: other[state] ?? 0, marks }, { state: next[state] ?? 0, marks });
      } else if (read < accepts) {
        pending.push({ state: next[state] ?? 0, marks: marked(marks, markOf(read), at) });
      } else {
        found.push(way);
      }
    }
    return found;
  }

  #texts(marks: readonly number[], text: string): ReadonlyMap<string, string> {
    const texts = new Map<string, string>();
    for (const [number, name] of this.#automaton.captures.entries()) {
      const start = marks[2 * number];
      const end = marks[2 * number + 1];
      if (start !== undefined && end !== undefined) texts.set(name, text.slice(start, end));
    }
    return texts;
  }
}

function marked(marks: readonly number[], mark: number, at: number): readonly number[] {
  const copy = marks.slice();
  copy[mark] = at;
  return copy;
}
