import type { Particle, RecordType } from "@bothends/generator";
import type { RuleId } from "../../rules/index.js";
import { type Place, withoutPair } from "../sides.js";

type Group = Extract<Particle, { readonly particles: readonly Particle[] }>;

/** A record's content model, with the groups around each member. */
export class ContentModel {
  readonly root: Group;
  readonly #groups = new Map<string, readonly Group[]>();
  readonly #fields: ReadonlyMap<string, RecordType["fields"][number]>;

  constructor({ content, fields }: RecordType) {
    this.root = { kind: "sequence", particles: content, optional: false };
    this.#fields = new Map(fields.map((field) => [field.key, field]));
    this.#visit(this.root, []);
  }

  #visit(group: Group, around: readonly Group[]): void {
    for (const particle of group.particles) {
      if (particle.kind === "field") {
        this.#groups.set(particle.key, [group, ...around]);
      } else {
        this.#visit(particle, [group, ...around]);
      }
    }
  }

  /** Whether a group around the member is optional or a choice. */
  isOptional(key: string): boolean {
    return (this.#groups.get(key) ?? []).some(({ kind, optional }) => optional || kind === "choice");
  }

  /**
   * Whether a member is a branch of a choice with other remaining branches: the member, or an enclosing group without kept
   * members.
   */
  isBranch(key: string, kept: ReadonlySet<string>): boolean {
    for (const group of this.#groups.get(key) ?? []) {
      const keepsAny = keysOf(group).some((each) => kept.has(each));
      if (group.kind === "choice") {
        return keepsAny;
      }
      if (keepsAny) {
        return false;
      }
    }
    return false;
  }

  /** Whether all the members of a group may be absent. */
  allowsNone(group: Group): boolean {
    return keysOf(group).every((key) => {
      const field = this.#fields.get(key);
      return field === undefined || !("min" in field) || field.min === 0;
    });
  }
}

function keysOf(particle: Particle): readonly string[] {
  return particle.kind === "field" ? [particle.key] : particle.particles.flatMap(keysOf);
}

/** Two content models and their common members. */
export interface Models {
  readonly before: ContentModel;
  readonly after: ContentModel;
  /** The new keys by the old ones. */
  readonly newKeys: ReadonlyMap<string, string>;
  /** The new keys of the members to compare. */
  readonly kept: ReadonlySet<string>;
}

/** Compares the grouping and order of the members in both states. */
export function compareContent({ before, after, newKeys, kept }: Models, place: Place): void {
  const old = reduced(before.root, (key) => newKeys.get(key), kept);
  const new_ = reduced(after.root, (key) => key, kept);
  if (old === undefined || new_ === undefined || textOf(old) === textOf(new_)) {
    return;
  }
  const found = new Set<string>();
  compareParticles(asSequence(old), asSequence(new_), (rule, group) => {
    const variant =
      (rule === "sequence-to-choice" || rule === "choice-to-sequence") && after.allowsNone(group)
        ? "optional"
        : undefined;
    const key = `${rule} ${variant}`;
    if (!found.has(key)) {
      found.add(key);
      place.pair.differences.push({ rule, ...withoutPair(place), before: textOf(old), after: textOf(new_), variant });
    }
  });
}

function asSequence(particle: Particle): Particle {
  return particle.kind === "field" ? { kind: "sequence", particles: [particle], optional: false } : particle;
}

/** A content model reduced to the kept members, without redundant groups. */
function reduced(
  particle: Particle,
  keyOf: (key: string) => string | undefined,
  kept: ReadonlySet<string>,
): Particle | undefined {
  if (particle.kind === "field") {
    const key = keyOf(particle.key);
    return key !== undefined && kept.has(key) ? { kind: "field", key } : undefined;
  }
  const particles = particle.particles
    .flatMap((each) => reduced(each, keyOf, kept) ?? [])
    .flatMap((each) =>
      each.kind !== "field" && each.kind === particle.kind && each.kind !== "all" && !each.optional
        ? each.particles
        : [each],
    );
  const [first] = particles;
  if (first === undefined) {
    return undefined;
  }
  return particles.length === 1 && !particle.optional ? first : { ...particle, particles };
}

type Report = (rule: RuleId, group: Group) => void;

function compareParticles(before: Particle, after: Particle, report: Report): void {
  if (textOf(before) === textOf(after)) {
    return;
  }
  if (before.kind === "field" || after.kind === "field") {
    compareSingle(before, after, report);
    return;
  }
  if (before.optional !== after.optional) {
    report(after.optional ? "group-became-optional" : "group-became-required", after);
  }
  const matched = matchParticles(before, after);
  if (matched === undefined) {
    report("content-model-changed", after);
    return;
  }
  if (before.kind !== after.kind) {
    report(kindRules[`${before.kind} ${after.kind}`] ?? "content-model-changed", after);
  } else if (before.kind === "sequence" && matched.some(({ index }, position) => index !== position)) {
    report("sequence-order-changed", after);
  }
  for (const each of matched) {
    compareParticles(each.before, each.after, report);
  }
}

const kindRules: Readonly<Record<string, RuleId>> = {
  "sequence all": "sequence-to-all",
  "all sequence": "all-to-sequence",
  "sequence choice": "sequence-to-choice",
  "all choice": "sequence-to-choice",
  "choice sequence": "choice-to-sequence",
  "choice all": "choice-to-sequence",
};

/** Compares a member with a group that contains only that member. */
function compareSingle(before: Particle, after: Particle, report: Report): void {
  const wasOptional = before.kind !== "field" && before.optional;
  const isOptional = after.kind !== "field" && after.optional;
  const group = after.kind === "field" ? before : after;
  if (wasOptional !== isOptional && group.kind !== "field") {
    report(isOptional ? "group-became-optional" : "group-became-required", group);
  }
}

interface MatchedParticle {
  readonly before: Particle;
  readonly after: Particle;
  /** The position of the old particle. */
  readonly index: number;
}

/** Matches the particles of two groups by their members, in the new order; undefined if the groups contain different ones. */
function matchParticles(before: Group, after: Group): readonly MatchedParticle[] | undefined {
  const identity = (particle: Particle) => [...keysOf(particle)].sort().join(" ");
  const old = new Map(before.particles.map((particle, index) => [identity(particle), { particle, index }]));
  if (old.size !== after.particles.length) {
    return undefined;
  }
  const matched = after.particles.flatMap((particle) => {
    const found = old.get(identity(particle));
    return found === undefined ? [] : [{ before: found.particle, after: particle, index: found.index }];
  });
  return matched.length === after.particles.length ? matched : undefined;
}

/** The text of a content model, ignoring the order of choices and all-groups. */
function textOf(particle: Particle): string {
  if (particle.kind === "field") {
    return particle.key;
  }
  const texts = particle.particles.map(textOf);
  const separator = { sequence: ", ", choice: " | ", all: " & " }[particle.kind];
  const ordered = particle.kind === "sequence" ? texts : texts.sort();
  return `(${ordered.join(separator)})${particle.optional ? "?" : ""}`;
}
