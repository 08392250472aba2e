import { clark } from "@bothends/xml";
import type { Budget } from "../../source/budget.js";
import type { ElementDeclaration, Particle, Wildcard } from "../xsd-model.js";
import type { Resolution } from "./resolution.js";
import { placeText } from "./symbols.js";
import { allowsNamespace, intersectionOf } from "./wildcards.js";

/** Larger contents are not looked at: the work is quadratic. */
const mostPositions = 1_000;

/** A place in a content, groups written out, that one element of a message can belong to. */
interface Position {
  readonly index: number;
  readonly term: ElementDeclaration | Wildcard;
}

/** A repeated part with an exact count: it either goes round again or is left, never both. */
interface Loop {
  readonly from: number;
  readonly to: number;
}

/** What may come next, and round which exact loop. */
interface Next {
  readonly position: Position;
  readonly loop: Loop | undefined;
}

interface Part {
  readonly nullable: boolean;
  readonly first: readonly Position[];
  readonly last: readonly Position[];
}

/**
 * Reports contents in which an element of a message could belong to two particles (Part 1 §3.8.6, Unique Particle Attribution;
 * appendix H): two positions that may follow one position have a name in common.
 */
export function checkAmbiguity(content: Particle, resolution: Resolution, budget: Budget): void {
  if (budget.isSpent) return;
  const automaton = new Automaton(budget);
  const part = automaton.add(content);
  if (part === undefined) return;
  const conflict = automaton.conflict(part.first.map((position) => ({ position, loop: undefined })));
  if (conflict === undefined) return;
  const [a, b] = conflict;
  const key = `ambiguous ${placeText(a.term.span)} ${placeText(b.term.span)}`;
  if (resolution.reported.has(key)) return;
  resolution.reported.add(key);
  const other = a.term.span === b.term.span ? "itself, in another place" : `that at ${placeText(b.term.span)}`;
  resolution.diagnostics.breach("XSD050", a.term.span, {
    message: `${describe(a)} and ${other} could both take one element of a message.`,
  });
}

function describe({ term }: Position): string {
  return term.kind === "element" ? `The element ${term.name.local}` : "The wildcard";
}

class Automaton {
  readonly #next: Next[][] = [];
  readonly #budget: Budget;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** The part of a particle; undefined where the content is too large to look at. */
  add(particle: Particle): Part | undefined {
    const from = this.#next.length;
    const inner = this.#term(particle.term);
    if (inner === undefined) return undefined;
    const { min, max } = particle;
    const exact = min === max && min > 1 && !inner.nullable;
    if (max === "unbounded" || max > 1) {
      const loop = exact ? { from, to: this.#next.length } : undefined;
      for (const position of inner.last) this.#connect(position, inner.first, loop);
    }
    return { ...inner, nullable: inner.nullable || min === 0 };
  }

  /** Two positions that compete, at the start or behind any position. */
  conflict(start: readonly Next[]): readonly [Position, Position] | undefined {
    for (const next of [start, ...this.#next]) {
      const found = conflictIn(next, this.#budget);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #term(term: Particle["term"]): Part | undefined {
    if (term.kind !== "modelGroup") return this.#leaf(term);
    let part: Part = { nullable: term.compositor !== "choice" || term.particles.length === 0, first: [], last: [] };
    const parts: Part[] = [];
    for (const particle of term.particles) {
      const inner = this.add(particle);
      if (inner === undefined) return undefined;
      if (term.compositor === "sequence") {
        for (const position of part.last) this.#connect(position, inner.first, undefined);
      } else if (term.compositor === "all") {
        for (const other of parts) {
          for (const position of other.last) this.#connect(position, inner.first, undefined);
          for (const position of inner.last) this.#connect(position, other.first, undefined);
        }
        parts.push(inner);
      }
      part = term.compositor === "sequence" ? inSequence(part, inner) : inChoice(part, inner, term.compositor);
    }
    return part;
  }

  #leaf(term: ElementDeclaration | Wildcard): Part | undefined {
    if (this.#next.length >= mostPositions) return undefined;
    const position = { index: this.#next.length, term };
    this.#next.push([]);
    return { nullable: false, first: [position], last: [position] };
  }

  #connect(from: Position, to: readonly Position[], loop: Loop | undefined): void {
    if (!this.#budget.spend(to.length)) return;
    const next = this.#next[from.index];
    for (const position of to) next?.push({ position, loop });
  }
}

function inSequence(a: Part, b: Part): Part {
  return {
    nullable: a.nullable && b.nullable,
    first: a.nullable ? [...a.first, ...b.first] : a.first,
    last: b.nullable ? [...a.last, ...b.last] : b.last,
  };
}

function inChoice(a: Part, b: Part, compositor: "choice" | "all"): Part {
  const nullable = compositor === "choice" ? a.nullable || b.nullable : a.nullable && b.nullable;
  return { nullable, first: [...a.first, ...b.first], last: [...a.last, ...b.last] };
}

function conflictIn(next: readonly Next[], budget: Budget): readonly [Position, Position] | undefined {
  const byName = new Map<string, Next[]>();
  const wildcards: Next[] = [];
  for (const one of next) {
    const { term } = one.position;
    if (term.kind === "wildcard") wildcards.push(one);
    else {
      if (!budget.spend(1 + term.substitutes.length)) return undefined;
      for (const { name } of [term, ...term.substitutes]) {
        const key = clark(name.namespace, name.local);
        const others = byName.get(key) ?? [];
        const other = others.find((candidate) => competes(candidate, one));
        if (other !== undefined) return [one.position, other.position];
        byName.set(key, [...others, one]);
      }
    }
  }
  for (const [index, wildcard] of wildcards.entries()) {
    if (!budget.spend(next.length)) return undefined;
    const other = [...wildcards.slice(0, index), ...next].find(
      (candidate) => competes(candidate, wildcard) && overlaps(candidate.position.term, wildcard.position.term),
    );
    if (other !== undefined) return [wildcard.position, other.position];
  }
  return undefined;
}

/** Different positions, unless one is reached by going round an exact loop and the other by leaving it. */
function competes(a: Next, b: Next): boolean {
  if (a.position.index === b.position.index) return false;
  return !leaves(a.loop, b.position) && !leaves(b.loop, a.position);
}

function leaves(loop: Loop | undefined, position: Position): boolean {
  return loop !== undefined && (position.index < loop.from || position.index >= loop.to);
}

function overlaps(a: ElementDeclaration | Wildcard, b: ElementDeclaration | Wildcard): boolean {
  if (b.kind === "element") return a.kind === "wildcard" && overlaps(b, a);
  if (a.kind === "element") {
    return [a, ...a.substitutes].some(({ name }) => allowsNamespace(b.namespaces, name.namespace));
  }
  const common = intersectionOf(a.namespaces, b.namespaces);
  return common === undefined || !Array.isArray(common) || common.length > 0;
}
