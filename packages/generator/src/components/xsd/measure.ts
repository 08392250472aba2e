import type { ModelGroup, Particle } from "../xsd-model.js";

/** How much a content is, with references to groups written out. */
export interface Measure {
  readonly particles: number;
  readonly depth: number;
}

/** Measures contents. What refers to groups comes after them, so that no walk is deeper than one definition. */
export class Measures {
  readonly #known = new Map<ModelGroup, Measure>();

  of(particle: Particle): Measure {
    const { term } = particle;
    if (term.kind !== "modelGroup") return { particles: 1, depth: 1 };
    const inner = this.ofGroup(term);
    return { particles: inner.particles + 1, depth: inner.depth + 1 };
  }

  /** After a group was emptied. */
  forget(group: ModelGroup): void {
    this.#known.delete(group);
  }

  ofGroup(group: ModelGroup): Measure {
    const known = this.#known.get(group);
    if (known !== undefined) return known;
    let particles = 0;
    let depth = 0;
    for (const particle of group.particles) {
      const measure = this.of(particle);
      particles = Math.min(particles + measure.particles, Number.MAX_SAFE_INTEGER);
      depth = Math.max(depth, measure.depth);
    }
    const measure = { particles, depth };
    this.#known.set(group, measure);
    return measure;
  }
}
