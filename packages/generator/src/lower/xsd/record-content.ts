import { clark } from "@bothends/xml";
import type {
  ElementDeclaration,
  ModelGroup,
  Particle as SchemaParticle,
  Wildcard,
} from "../../components/xsd/schema-components.js";
import { getDeclaredText } from "../../components/xsd/simple-values.js";
import type {
  AnyField,
  DeclaredGroup,
  ElementField,
  MaxOccurs,
  Particle,
  RecordType,
  TypeId,
  WireName,
} from "../../model/xsd-types.js";
import { withParts } from "../../source/span.js";
import { type ChoicePath, RecordMembers } from "./record-members.js";
import type { TypeReferences } from "./type-references.js";

/** The names of a record, from which the names of its repeated groups' records are derived. */
export interface RecordNames {
  readonly id: TypeId;
  readonly words: readonly string[];
  readonly wireName: WireName;
}

type GroupParticle = Extract<Particle, { readonly particles: readonly Particle[] }>;

/** The result of lowering a particle. "empty": it matches only empty content. "never": it matches no content. */
type LoweredParticle = Particle | "empty" | "never";

interface Occurs {
  readonly min: number;
  readonly max: MaxOccurs;
}

const exactlyOnce: Occurs = { min: 1, max: 1 };

interface ParticleUse {
  readonly particle: SchemaParticle;
  readonly path: ChoicePath;
  readonly occurs: Occurs;
  /** The occurrences that the schema declares. `occurs` also includes those of groups with no other particle. */
  readonly declared: Occurs;
}

type ItemContent = (content: ContentLowering) => readonly Particle[];

/**
 * Lowers the particles of a complex type (XSD 1.0 Part 1 §3.8, §3.9) to the fields and the content model of its record.
 */
export class ContentLowering {
  /** The groups of the particles that were lowered, each before those in it. */
  readonly groups: DeclaredGroup[] = [];
  readonly #names: RecordNames;
  readonly #members: RecordMembers;
  readonly #references: TypeReferences;

  constructor(names: RecordNames, members: RecordMembers, references: TypeReferences) {
    this.#names = names;
    this.#members = members;
    this.#references = references;
  }

  /** Lowers a particle to the particles of a sequence. */
  lowerToSequence(particle: SchemaParticle): readonly Particle[] {
    const loweredParticle = this.#lowerParticle(particle, []);
    if (loweredParticle === "empty" || loweredParticle === "never") {
      return [];
    }
    return loweredParticle.kind === "sequence" && !loweredParticle.optional
      ? loweredParticle.particles
      : [loweredParticle];
  }

  #lowerParticle(particle: SchemaParticle, path: ChoicePath, declared: Occurs = particle): LoweredParticle {
    const { term, min, max } = particle;
    if (max === 0) {
      return "never";
    }
    const use = { particle, path, occurs: { min, max }, declared: { min: declared.min, max: declared.max } };
    switch (term.kind) {
      case "element":
        return this.#lowerElement(term, use);
      case "wildcard":
        return this.#lowerWildcard(term, use);
      case "modelGroup":
        return this.#lowerGroup(term, use);
    }
  }

  #lowerElement(declaration: ElementDeclaration, use: ParticleUse): LoweredParticle {
    const concreteDeclarations = declaration.abstract
      ? declaration.substitutes
      : [declaration, ...declaration.substitutes];
    const [firstDeclaration, ...otherDeclarations] = concreteDeclarations;
    if (firstDeclaration === undefined) {
      this.#reportNothingConcrete(declaration, use);
      return "never";
    }
    return otherDeclarations.length === 0
      ? this.#addField(firstDeclaration, use)
      : this.#lowerSubstitutions(declaration, concreteDeclarations, use);
  }

  #addField(declaration: ElementDeclaration, { particle, path, occurs }: ParticleUse): Particle {
    const field = createElementField(declaration, { particle, occurs, references: this.#references });
    return { kind: "field", key: this.#members.add(field, path) };
  }

  /**
   * Lowers the head of a substitution group to a choice, because each member may replace the head (XSD 1.0 Part 1
   * §3.3.6).
   */
  #lowerSubstitutions(head: ElementDeclaration, members: readonly ElementDeclaration[], use: ParticleUse): Particle {
    const choice = {};
    const branches = (content: ContentLowering, path: ChoicePath) =>
      members.map((member, branch) =>
        content.#addField(member, {
          particle: { ...use.particle, term: member, span: member.span, documentation: member.documentation },
          path: [...path, { choice, branch }],
          occurs: exactlyOnce,
          declared: exactlyOnce,
        }),
      );
    if (use.occurs.max === 1) {
      const { span } = use.particle;
      return { kind: "choice", particles: branches(this, use.path), optional: use.occurs.min === 0, span };
    }
    const item = this.#defineItem(`(${head.name.local})`, head, (content) => [
      { kind: "choice", particles: branches(content, []), optional: false },
    ]);
    return this.#addRepeatedField(item, { ...use, preferredKey: head.name.local, declaration: head });
  }

  #reportNothingConcrete(declaration: ElementDeclaration, { particle }: ParticleUse): void {
    this.#references.reports.warning("WSDL035", particle.span, {
      message: `The element "${declaration.name.local}" is abstract, and no element can replace it. It is left out.`,
      help: "Declare an element with this substitutionGroup, or import a schema that declares one.",
    });
  }

  #lowerWildcard(wildcard: Wildcard, { particle, path, occurs }: ParticleUse): Particle {
    return { kind: "field", key: this.#members.add(createAnyField(wildcard, particle, occurs), path) };
  }

  #lowerGroup(group: ModelGroup, use: ParticleUse): LoweredParticle {
    const { length: index } = this.groups;
    const loweredGroup = this.#lowerGroupParticles(group, use);
    if (typeof loweredGroup === "object") {
      const { particle, declared } = use;
      const definition = particle.group && { definition: { span: group.span } };
      const keys = listKeys(loweredGroup);
      this.groups.splice(index, 0, { kind: group.compositor, ...declared, keys, span: particle.span, ...definition });
    }
    return loweredGroup;
  }

  #lowerGroupParticles(group: ModelGroup, use: ParticleUse): LoweredParticle {
    const possibleParticles = group.particles.filter((particle) => particle.max !== 0);
    const [onlyParticle] = possibleParticles;
    if (onlyParticle === undefined) {
      return group.compositor === "choice" && group.particles.length > 0 ? "never" : "empty";
    }
    const mergedOccurs = possibleParticles.length === 1 ? findTotalOccurs(use.occurs, onlyParticle) : undefined;
    if (mergedOccurs !== undefined) {
      return this.#lowerParticle({ ...onlyParticle, ...mergedOccurs }, use.path, onlyParticle);
    }
    return use.occurs.max === 1
      ? this.#lowerGroupOnce(group, possibleParticles, use)
      : this.#lowerRepeatedGroup(group, possibleParticles, use);
  }

  #lowerGroupOnce(group: ModelGroup, particles: readonly SchemaParticle[], use: ParticleUse): LoweredParticle {
    const { path, occurs } = use;
    if (group.compositor === "choice") {
      return this.#lowerChoice(group, particles, use);
    }
    const loweredParticles = particles.map((particle) => this.#lowerParticle(particle, path));
    const sequence = loweredParticles
      .filter((lowered) => typeof lowered === "object")
      .flatMap((lowered) => inlineSequence(lowered, group.compositor));
    return lowerSequence(sequence, {
      kind: group.compositor === "all" ? "all" : "sequence",
      optional: occurs.min === 0,
      span: use.particle.span,
    });
  }

  #lowerChoice(
    choice: ModelGroup,
    particles: readonly SchemaParticle[],
    { particle: { span }, path, occurs }: ParticleUse,
  ): LoweredParticle {
    const loweredParticles = particles.map((particle, branch) =>
      this.#lowerParticle(particle, [...path, { choice, branch }]),
    );
    const branches = loweredParticles.filter((lowered) => typeof lowered === "object");
    const alternatives = branches.flatMap((branch) => (branch.kind === "choice" ? branch.particles : [branch]));
    const mayBeEmpty = occurs.min === 0 || loweredParticles.includes("empty");
    if (alternatives.length === 0) {
      return mayBeEmpty ? "empty" : "never";
    }
    const optionalBranch = branches.find((branch) => branch.kind === "choice" && branch.optional);
    return mayBeEmpty || optionalBranch?.kind !== "choice"
      ? { kind: "choice", particles: alternatives, optional: mayBeEmpty, span }
      : { ...optionalBranch, particles: alternatives };
  }

  /** Lowers a group that may occur more than once to an array of records, one for each occurrence. */
  #lowerRepeatedGroup(group: ModelGroup, particles: readonly SchemaParticle[], use: ParticleUse): LoweredParticle {
    const { group: definition } = use.particle;
    const createItemContent = (content: ContentLowering) => {
      const loweredParticle = content.#lowerGroupOnce(group, particles, { ...use, path: [], occurs: exactlyOnce });
      return typeof loweredParticle === "object" ? inlineSequence(loweredParticle, "sequence") : [];
    };
    const item =
      definition?.modelGroup === group
        ? this.#defineSharedItem(definition.name, group, createItemContent)
        : this.#defineItem(`(${group.compositor})`, group, createItemContent);
    return this.#addRepeatedField(item, { ...use, preferredKey: group.compositor, declaration: group });
  }

  #addRepeatedField(
    item: TypeId,
    use: ParticleUse & { readonly preferredKey: string; readonly declaration: ElementDeclaration | ModelGroup },
  ): Particle {
    const { span, documentation } = use.declaration;
    const { preferredKey: key } = use;
    const field = { kind: "group" as const, item, ...use.occurs, span, documentation, key, inherited: false };
    return { kind: "field", key: this.#members.add(field, use.path) };
  }

  /** Defines the record for the items of a repeated group in this record. */
  #defineItem(lastStep: string, declaration: ElementDeclaration | ModelGroup, content: ItemContent): TypeId {
    const baseId = `${this.#names.id}/${lastStep}`;
    let id = baseId;
    for (let count = 2; this.#references.findDefinition(id) !== undefined; count += 1) {
      id = `${baseId};${count}`;
    }
    const words = [...this.#names.words, lastStep.slice(1, -1)];
    return this.#defineRecord({ id, words, wireName: this.#names.wireName }, declaration, content);
  }

  /** Defines the record for the items of a named group. All references to the group share this record. */
  #defineSharedItem(name: WireName, declaration: ModelGroup, content: ItemContent): TypeId {
    const id = `${clark(name.namespace, name.local)}@group`;
    if (this.#references.findDefinition(id) !== undefined) {
      return id;
    }
    return this.#defineRecord({ id, words: [name.local], wireName: name }, declaration, content);
  }

  #defineRecord(names: RecordNames, declaration: ElementDeclaration | ModelGroup, itemContent: ItemContent): TypeId {
    const emptyType: RecordType = { ...emptyRecord, ...names, span: declaration.span };
    // Defines the record before its content is lowered, because the content may refer to the record.
    this.#references.define(emptyType);
    const members = new RecordMembers([], this.#references);
    const lowering = new ContentLowering(names, members, this.#references);
    const content = itemContent(lowering);
    this.#references.define({ ...emptyType, fields: members.fields, content, ...describeGroups(lowering, content) });
    return names.id;
  }
}

/** Returns the groups of a record's content. The keys of a group that contains all elements are left out. */
export function describeGroups({ groups }: ContentLowering, content: readonly Particle[]): Pick<RecordType, "groups"> {
  const count = content.flatMap(listKeys).length;
  const omitKeys = ({ keys = [], ...group }: DeclaredGroup) => (keys.length === count ? group : { ...group, keys });
  return groups.length === 0 ? {} : { groups: groups.map(omitKeys) };
}

/** Returns the keys of the fields in a particle. */
export function listKeys(particle: Particle): readonly string[] {
  return particle.kind === "field" ? [particle.key] : particle.particles.flatMap(listKeys);
}

/** The initial properties of a record that no schema declares. */
export const emptyRecord = {
  kind: "record",
  name: undefined,
  documentation: undefined,
  abstract: false,
  base: undefined,
  removed: [],
  fields: [],
  content: [],
} as const;

/** Returns the field for an element of a content model. `occurs` is its number of occurrences in the record. */
export function createElementField(
  declaration: ElementDeclaration,
  {
    particle,
    occurs,
    references,
  }: { readonly particle: SchemaParticle; readonly occurs: Occurs; readonly references: TypeReferences },
): ElementField {
  const { default: defaultValue, fixed, identity } = selectConstraints(declaration);
  return {
    kind: "element",
    span:
      declaration.scope === "local" ? declaration.span : withParts(particle.span, [["declaration", declaration.span]]),
    documentation: particle.documentation ?? declaration.documentation,
    wireName: declaration.name,
    type: references.toTypeOf(declaration),
    min: occurs.min,
    max: occurs.max,
    nillable: declaration.nillable,
    default: defaultValue,
    fixed,
    identity,
    key: declaration.name.local,
    inherited: false,
  };
}

/** Returns the default, the fixed value and the identity constraints of an element. */
export function selectConstraints({
  type,
  valueConstraint,
  identityConstraints,
}: ElementDeclaration): Pick<ElementField, "default" | "fixed" | "identity"> {
  if (valueConstraint === undefined && identityConstraints.length === 0) {
    return noConstraints;
  }
  const identity = identityConstraints.map(({ kind, name, selector, fields, refer, span }) => {
    return { kind, name, selector, fields, refer, span };
  });
  return valueConstraint === undefined
    ? { ...noConstraints, identity }
    : { ...noConstraints, identity, [valueConstraint.kind]: getDeclaredText(type, valueConstraint) };
}

/** The constraints of an element that has neither a default, a fixed value nor identity constraints. */
export const noConstraints = { default: undefined, fixed: undefined, identity: [] };

/** Returns the field for a wildcard of a content model. */
export function createAnyField(
  wildcard: Wildcard,
  particle: Pick<SchemaParticle, "documentation">,
  occurs: Occurs,
): AnyField {
  return {
    kind: "any",
    span: wildcard.span,
    documentation: particle.documentation ?? wildcard.documentation,
    min: occurs.min,
    max: occurs.max,
    namespaces: wildcard.namespaces,
    process: wildcard.processContents,
    key: "any",
    inherited: false,
  };
}

/**
 * Returns how often the only particle of a group occurs in total. Undefined if not all numbers in the range are
 * possible: `(a+)*` is `a*`, but `(a{2})*` allows only even numbers.
 */
function findTotalOccurs(group: Occurs, particle: Occurs): Occurs | undefined {
  if (group.min === 1 && group.max === 1) {
    return particle;
  }
  if (particle.min === 1 && particle.max === 1) {
    return group;
  }
  // There may be gaps between the possible totals: 2, 4, 6 … No range is returned, because it would also allow the
  // numbers in between.
  if (particle.min > 1) {
    return undefined;
  }
  return { min: group.min * particle.min, max: multiplyMaxOccurs(group.max, particle.max) };
}

function multiplyMaxOccurs(a: MaxOccurs, b: MaxOccurs): MaxOccurs {
  return a === "unbounded" || b === "unbounded" ? "unbounded" : a * b;
}

/** Replaces a required sequence inside another sequence with its particles. Returns any other particle unchanged. */
function inlineSequence(particle: Particle, compositor: ModelGroup["compositor"]): readonly Particle[] {
  return compositor === "sequence" && particle.kind === "sequence" && !particle.optional
    ? particle.particles
    : [particle];
}

function lowerSequence(particles: readonly Particle[], group: Omit<GroupParticle, "particles">): LoweredParticle {
  const [firstParticle, ...otherParticles] = particles;
  if (firstParticle === undefined) {
    return "empty";
  }
  return otherParticles.length === 0 && !group.optional ? firstParticle : { ...group, particles };
}
