import type { Field, MaxOccurs, Particle, RecordType, Span, TypeDefinition, TypeId } from "@bothends/generator";
import { listKeys } from "./content-language.js";

/** How often a member or a group may occur. */
export interface Bounds {
  readonly min: number;
  readonly max: MaxOccurs;
}

export function formatBounds({ min, max }: Bounds): string {
  return `${min}..${max === "unbounded" ? "*" : max}`;
}

/** A sequence, a choice or an all-group of a content model. */
export type GroupParticle = Extract<Particle, { readonly particles: readonly Particle[] }>;

/**
 * Whether readers refuse messages without a member. "sometimes": they do if a message contains the group or the branch
 * of a choice to which the member belongs.
 */
export type Requirement = "always" | "sometimes" | "never";

/** A choice that is not itself optional. */
export interface RequiredChoice {
  readonly variant: "branch" | "choice" | "group";
  readonly choice: Particle;
}

/** A branch of a choice. */
export interface Branch {
  readonly choice: Particle;
  readonly branch: Particle;
}

/**
 * The content model of a record, with methods that search for the groups that contain a member, directly or indirectly.
 */
export class ContentModel {
  readonly root: GroupParticle;
  readonly fields: RecordType["fields"];
  readonly #groups = new Map<string, readonly GroupParticle[]>();
  readonly #fields: ReadonlyMap<string, RecordType["fields"][number]>;
  readonly #emptiableItems: ReadonlySet<TypeId>;

  /** `emptiableItems` are the types of those items of repeated groups that may have no elements. */
  constructor({ content, fields }: RecordType, { emptiableItems }: { readonly emptiableItems: ReadonlySet<TypeId> }) {
    this.root = { kind: "sequence", particles: content, optional: false };
    this.#emptiableItems = emptiableItems;
    this.fields = fields;
    this.#fields = new Map(fields.map((field) => [field.key, field]));
    this.#visit(this.root, []);
  }

  #visit(group: GroupParticle, enclosingGroups: readonly GroupParticle[]): void {
    for (const particle of group.particles) {
      if (particle.kind === "field") {
        this.#groups.set(particle.key, [group, ...enclosingGroups]);
      } else {
        this.#visit(particle, [group, ...enclosingGroups]);
      }
    }
  }

  /** Whether a message contains at most one of two members, because they are in different branches of a choice. */
  isExclusive(key: string, otherKey: string): boolean {
    const otherGroups = this.#groups.get(otherKey) ?? [];
    return this.#groups.get(key)?.find((group) => otherGroups.includes(group))?.kind === "choice";
  }

  /** Whether a group that contains the member is optional or a choice. */
  isOptional(key: string): boolean {
    return (this.#groups.get(key) ?? []).some(({ kind, optional }) => optional || kind === "choice");
  }

  /**
   * Whether a member belongs to a sequence or an all-group that may be absent, and to no choice. In code, the member is
   * then optional, even if the group requires it.
   */
  isInOptionalGroup(key: string): boolean {
    const groups = this.#groups.get(key) ?? [];
    return groups.some(({ optional }) => optional) && groups.every(({ kind }) => kind !== "choice");
  }

  /**
   * Whether a member is in a branch that was added to, or removed from, a choice: no member of this branch is in
   * `keptKeys`, but a member of another branch is.
   */
  isBranch(key: string, keptKeys: ReadonlySet<string>): boolean {
    return this.listKeptBranches(key, keptKeys).length > 0;
  }

  /**
   * If no member of the given member's branch is in `keptKeys`, returns the members of the choice's other branches that
   * are in `keptKeys`; otherwise an empty list.
   */
  listKeptBranches(key: string, keptKeys: ReadonlySet<string>): readonly string[] {
    for (const group of this.#groups.get(key) ?? []) {
      const groupKeys = listKeys(group).filter((groupKey) => keptKeys.has(groupKey));
      if (groupKeys.length > 0) {
        return group.kind === "choice" ? groupKeys : [];
      }
    }
    return [];
  }

  /**
   * Returns the innermost choice of which one branch contains the given member, if a member of this choice is in
   * `keptKeys`; undefined if there is none.
   */
  findBranch(key: string, keptKeys: ReadonlySet<string>): Branch | undefined {
    const groups = this.#groups.get(key) ?? [];
    const start = groups.findIndex((group) => listKeys(group).some((groupKey) => keptKeys.has(groupKey)));
    const index = groups.findIndex(({ kind }, position) => position >= start && kind === "choice");
    const choice = start === -1 ? undefined : groups[index];
    return choice && { choice, branch: groups[index - 1] ?? { kind: "field", key } };
  }

  /**
   * Returns the outermost required choice that contains the given member and none of `otherKeys`; undefined if there is
   * none. The variant is "branch" or "group" if the choice itself is inside a choice or an optional group, and may
   * therefore be absent.
   */
  findRequiredChoice(key: string, otherKeys: ReadonlySet<string>): RequiredChoice | undefined {
    const groups = this.#groups.get(key) ?? [];
    const separateGroups = groups.filter((group) => !listKeys(group).some((groupKey) => otherKeys.has(groupKey)));
    const choice = separateGroups.findLast(({ kind, optional }) => kind === "choice" || optional);
    if (choice === undefined || this.#accepts(choice, () => true)) {
      return undefined;
    }
    const enclosingGroups = groups.slice(separateGroups.length);
    if (enclosingGroups.some(({ kind }) => kind === "choice")) {
      return { variant: "branch", choice };
    }
    return { variant: enclosingGroups.some(({ optional }) => optional) ? "group" : "choice", choice };
  }

  /**
   * Returns the position of the innermost choice that contains all of the given members; without one, that of the
   * innermost group. Undefined if no schema declares the group.
   */
  findChoiceSpan(keys: readonly string[]): Span | undefined {
    const groups = (this.#groups.get(keys[0] ?? "") ?? []).filter((group) => {
      const groupKeys = listKeys(group);
      return keys.every((key) => groupKeys.includes(key));
    });
    return (groups.find(({ kind }) => kind === "choice") ?? groups[0])?.span;
  }

  /** Whether a member is a branch of a choice: the innermost group that contains it is a choice. */
  isDirectBranch(key: string): boolean {
    return this.#groups.get(key)?.[0]?.kind === "choice";
  }

  /** Whether the innermost group that contains a member contains none of `otherKeys`. */
  isSingle(key: string, otherKeys: readonly string[]): boolean {
    const [group] = this.#groups.get(key) ?? [];
    return group !== undefined && !listKeys(group).some((groupKey) => groupKey !== key && otherKeys.includes(groupKey));
  }

  /**
   * Searches for a sequence or an all-group that contains the given member and one of `otherKeys`, and that may be
   * absent. Returns "branch" if it may be absent because it is in a choice, "group" if it is optional, and undefined if
   * there is no such group.
   */
  findOmittableGroup(key: string, otherKeys: ReadonlySet<string>): "branch" | "group" | undefined {
    const groups = this.#groups.get(key) ?? [];
    const index = groups.findIndex(
      (group) =>
        group.kind === "choice" || group.optional || listKeys(group).some((groupKey) => otherKeys.has(groupKey)),
    );
    const group = groups[index];
    if (
      group === undefined ||
      group.kind === "choice" ||
      !listKeys(group).some((groupKey) => otherKeys.has(groupKey))
    ) {
      return undefined;
    }
    return groups.slice(index).some(({ kind }) => kind === "choice") ? "branch" : "group";
  }

  /**
   * Returns whether readers refuse messages in which a member has a name that they do not know. `keptKeys` are the
   * other members, which they know. `isOptionalItem`: the record is the item of a repeated group that may be absent.
   */
  getRequirement(
    key: string,
    { keptKeys, isOptionalItem }: { readonly keptKeys: ReadonlySet<string>; readonly isOptionalItem: boolean },
  ): Requirement {
    const field = this.#fields.get(key);
    if (field?.kind === "attribute") {
      return field.required ? "always" : "never";
    }
    // A required element that is nillable may be nil, so readers treat its absence as nil.
    if (field?.kind !== "element" || field.min === 0 || (field.nillable && field.max === 1)) {
      return "never";
    }
    if (!this.isOptional(key)) {
      return isOptionalItem ? "sometimes" : "always";
    }
    if (this.findOmittableGroup(key, keptKeys) !== undefined) {
      return "sometimes";
    }
    return (isOptionalItem && this.isAlone(key, keptKeys)) || this.acceptsAbsence([key]) ? "never" : "sometimes";
  }

  /**
   * Returns the smallest group that contains the given members, but without the members in `otherKeys`. If this group
   * is the root, the result contains only the given members.
   */
  getSmallestPart(keys: ReadonlySet<string>, otherKeys: ReadonlySet<string>): Particle | undefined {
    const [firstKey = ""] = keys;
    const containsAll = (group: GroupParticle) => {
      const groupKeys = new Set(listKeys(group));
      return [...keys].every((key) => groupKeys.has(key));
    };
    const group = this.#groups.get(firstKey)?.find(containsAll) ?? this.root;
    const partKeys = listKeys(group).filter((key) => (group === this.root ? keys.has(key) : !otherKeys.has(key)));
    return reduceContent(group, (key) => key, new Set(partKeys));
  }

  /**
   * Whether a part consists of whole particles of the outermost sequence, and is therefore not inside any other group.
   */
  isTopLevel(part: Particle): boolean {
    const keys = new Set(listKeys(part));
    const particles = this.root.particles.filter((particle) => listKeys(particle).some((key) => keys.has(key)));
    const content = reduceContent({ ...this.root, particles }, (key) => key, keys);
    return (
      particles.flatMap(listKeys).length === keys.size &&
      content !== undefined &&
      formatParticle(content) === formatParticle(part)
    );
  }

  /**
   * Whether content is valid without the given members. If one of them is in a choice, the members of all branches of
   * that choice are treated as absent.
   */
  acceptsAbsence(keys: readonly string[]): boolean {
    return this.#accepts(this.root, (key) => keys.includes(key));
  }

  #accepts(particle: Particle, isAbsent: (key: string) => boolean): boolean {
    if (particle.kind === "field") {
      return !isAbsent(particle.key) || !this.isRequired(particle.key);
    }
    if (particle.optional) {
      return true;
    }
    if (particle.kind === "choice") {
      const isAbsentBranch = listKeys(particle).some(isAbsent) ? () => true : isAbsent;
      return particle.particles.some((branch) => this.#accepts(branch, isAbsentBranch));
    }
    return particle.particles.every((nestedParticle) => this.#accepts(nestedParticle, isAbsent));
  }

  /** Formats a particle with the bounds of its members: `(a, b?, c 1..*)`. */
  formatWithBounds(particle: Particle): string {
    return formatParticle(particle, (key) => {
      const field = this.#fields.get(key);
      if (field === undefined || !("min" in field) || (field.min === 1 && field.max === 1)) {
        return key;
      }
      return field.min === 0 && field.max === 1 ? `${key}?` : `${key} ${formatBounds(field)}`;
    });
  }

  /** Whether messages are valid without any element of the record. */
  get mayBeEmpty(): boolean {
    return this.#accepts(this.root, () => true);
  }

  /** Whether a message with the given member contains none of the other members in `otherKeys`. */
  isAlone(key: string, otherKeys: Iterable<string>): boolean {
    return [...otherKeys].every((otherKey) => otherKey === key || this.isExclusive(key, otherKey));
  }

  /** Whether the record has no members. */
  get isEmpty(): boolean {
    return this.#fields.size === 0;
  }

  field(key: string): Field | undefined {
    return this.#fields.get(key);
  }

  /**
   * Whether a member must be present in messages whenever the groups that contain it are present. Of a repeated group
   * whose items may have no elements, readers require none.
   */
  isRequired(key: string): boolean {
    const field = this.#fields.get(key);
    return (
      field !== undefined &&
      "min" in field &&
      field.min > 0 &&
      !(field.kind === "group" && this.#emptiableItems.has(field.item))
    );
  }
}

/** Whether a particle is present in every message that contains the enclosing group. */
export function isParticleRequired(particle: Particle, isRequired: (key: string) => boolean): boolean {
  if (particle.kind === "field") {
    return isRequired(particle.key);
  }
  const isNestedRequired = (nestedParticle: Particle) => isParticleRequired(nestedParticle, isRequired);
  return (
    !particle.optional &&
    (particle.kind === "choice"
      ? particle.particles.every(isNestedRequired)
      : particle.particles.some(isNestedRequired))
  );
}

/** Returns the types of those items of repeated groups that may have no elements. */
export function findEmptiableItems(types: readonly TypeDefinition[]): ReadonlySet<TypeId> {
  const records = types.flatMap((type) => (type.kind === "record" ? type : []));
  const items = new Set(
    records.flatMap(({ fields }) => fields.flatMap((field) => (field.kind === "group" ? field.item : []))),
  );
  const emptiableItems = new Set<TypeId>();
  // An item may have no elements because the groups in it may have none.
  for (let count = -1; count < emptiableItems.size; ) {
    count = emptiableItems.size;
    for (const record of records) {
      if (items.has(record.id) && new ContentModel(record, { emptiableItems }).mayBeEmpty) {
        emptiableItems.add(record.id);
      }
    }
  }
  return emptiableItems;
}

/** The content models of a record in both versions. */
export interface Models {
  readonly before: ContentModel;
  readonly after: ContentModel;
}

/**
 * Removes members that are not in `keptKeys`, and groups that become redundant, from a content model. Returns undefined
 * if no member remains.
 */
export function reduceContent(
  particle: Particle,
  getKey: (key: string) => string | undefined,
  keptKeys: ReadonlySet<string>,
): Particle | undefined {
  if (particle.kind === "field") {
    const key = getKey(particle.key);
    return key !== undefined && keptKeys.has(key) ? { kind: "field", key } : undefined;
  }
  const particles = particle.particles
    .flatMap((nestedParticle) => reduceContent(nestedParticle, getKey, keptKeys) ?? [])
    .flatMap((nestedParticle) =>
      nestedParticle.kind !== "field" &&
      nestedParticle.kind === particle.kind &&
      nestedParticle.kind !== "all" &&
      !nestedParticle.optional
        ? nestedParticle.particles
        : [nestedParticle],
    );
  const [firstParticle] = particles;
  if (firstParticle === undefined) {
    return undefined;
  }
  if (particles.length > 1) {
    return { ...particle, particles };
  }
  // A choice or an all-group with only one member means the same as a sequence with that member.
  return particle.optional ? { ...particle, kind: "sequence", particles } : firstParticle;
}

/**
 * Formats a content model: `(a, b)` for a sequence, `(a | b)` for a choice, `(a & b)` for an all-group, `?` for an
 * optional group. A member is shown by its key, or by the result of `fieldText`.
 */
export function formatParticle(particle: Particle, fieldText: (key: string) => string = (key) => key): string {
  if (particle.kind === "field") {
    return fieldText(particle.key);
  }
  const texts = particle.particles.map((nestedParticle) => formatParticle(nestedParticle, fieldText));
  const separator = { sequence: ", ", choice: " | ", all: " & " }[particle.kind];
  const orderedTexts = particle.kind === "sequence" ? texts : texts.sort();
  return `(${orderedTexts.join(separator)})${particle.optional ? "?" : ""}`;
}

/** A particle of a group in both versions. */
export interface MatchedParticle {
  readonly before: Particle;
  readonly after: Particle;
  /** The position of the particle in the old group. */
  readonly index: number;
}

/** Groups those members of a sequence or an all-group that form a choice or an optional group in the other version. */
export function withGroups(group: GroupParticle, other: GroupParticle): GroupParticle {
  const grouped = other.particles.reduce((particles: readonly Particle[], otherGroup) => {
    const isSeparate = otherGroup.kind !== "field" && (otherGroup.kind === "choice" || otherGroup.optional);
    const keys = isSeparate ? listKeys(otherGroup) : [];
    const members = particles.filter((particle) => listKeys(particle).every((key) => keys.includes(key)));
    const [firstMember, ...otherMembers] = members;
    const start = firstMember === undefined ? 0 : particles.indexOf(firstMember);
    const isInOrder =
      otherGroup.kind === "choice" || members.every((member, index) => particles[start + index] === member);
    if (otherMembers.length === 0 || members.flatMap(listKeys).length !== keys.length || !isInOrder) {
      return particles;
    }
    return particles.flatMap((particle): readonly Particle[] => {
      if (particle === firstMember) {
        return [{ kind: group.kind, particles: members, optional: false }];
      }
      return members.includes(particle) ? [] : [particle];
    });
  }, group.particles);
  return group.kind === "choice" ? group : { ...group, particles: grouped };
}

/** Matches the particles of two groups by their members, in the new order; undefined if a particle has no match. */
export function matchParticles(before: GroupParticle, after: GroupParticle): readonly MatchedParticle[] | undefined {
  const getIdentity = (particle: Particle) => [...listKeys(particle)].sort().join(" ");
  const oldParticles = new Map(before.particles.map((particle, index) => [getIdentity(particle), { particle, index }]));
  if (oldParticles.size !== after.particles.length) {
    return undefined;
  }
  const matchedParticles = after.particles.flatMap((particle) => {
    const counterpart = oldParticles.get(getIdentity(particle));
    return counterpart === undefined
      ? []
      : [{ before: counterpart.particle, after: particle, index: counterpart.index }];
  });
  return matchedParticles.length === after.particles.length ? matchedParticles : undefined;
}
