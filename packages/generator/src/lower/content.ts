import { clark } from "@bothends/xml";
import type { ElementDeclaration, ModelGroup, Particle as SchemaParticle, Wildcard } from "../components/xsd-model.js";
import type { AnyField, ElementField, Max, Particle, RecordType, TypeId, WireName } from "../model/schema-types.js";
import { Members, type Way } from "./members.js";
import type { TypeLowering } from "./types.js";

/** Whose content it is: what records for its repeated groups are named after. */
export interface ContentOwner {
  readonly id: TypeId;
  readonly words: readonly string[];
  readonly wireName: WireName;
}

/** What a particle becomes: a step, a step that is always there and says nothing, or nothing that could ever be there. */
type Step = Particle | "empty" | "never";

interface Occurs {
  readonly min: number;
  readonly max: Max;
}

/** Lowers the particles of one record (XSD 1.0 Part 1 §3.8, §3.9) to members, and steps over their keys. */
export class ContentLowering {
  readonly #owner: ContentOwner;
  readonly #members: Members;
  readonly #types: TypeLowering;

  constructor(owner: ContentOwner, members: Members, types: TypeLowering) {
    this.#owner = owner;
    this.#members = members;
    this.#types = types;
  }

  /** The steps of an implied sequence. */
  steps(particle: SchemaParticle): readonly Particle[] {
    const step = this.#particle(particle, []);
    if (step === "empty" || step === "never") return [];
    return step.kind === "sequence" && !step.optional ? step.particles : [step];
  }

  #particle(particle: SchemaParticle, way: Way): Step {
    const { term, min, max } = particle;
    if (max === 0) return "never";
    switch (term.kind) {
      case "element":
        return this.#element(term, { particle, way, occurs: { min, max } });
      case "wildcard":
        return this.#wildcard(term, { particle, way, occurs: { min, max } });
      case "modelGroup":
        return this.#group(term, { particle, way, occurs: { min, max } });
    }
  }

  #element(declaration: ElementDeclaration, place: Place): Step {
    const concrete = declaration.abstract ? declaration.substitutes : [declaration, ...declaration.substitutes];
    const [only, ...others] = concrete;
    if (only === undefined) return this.#nothingConcrete(declaration, place);
    if (others.length === 0) return this.#field(only, place);
    return this.#substitutions(declaration, concrete, place);
  }

  #field(declaration: ElementDeclaration, { particle, way, occurs }: Place): Particle {
    const field = elementField(declaration, { particle, occurs, types: this.#types });
    return { kind: "field", key: this.#members.add(field, declaration.name.local, way) };
  }

  /** XSD 1.0 Part 1 §3.3.6: each member of a substitution group may stand in the head's place. */
  #substitutions(head: ElementDeclaration, members: readonly ElementDeclaration[], place: Place): Particle {
    const choice = {};
    const arms = (content: ContentLowering, way: Way) =>
      members.map((member, arm) =>
        content.#field(member, {
          particle: { ...place.particle, term: member, documentation: member.documentation },
          way: [...way, { choice, arm }],
          occurs: once,
        }),
      );
    if (place.occurs.max === 1) {
      return { kind: "choice", particles: arms(this, place.way), optional: place.occurs.min === 0 };
    }
    const item = this.#item(`(${head.name.local})`, head, (content) => [
      { kind: "choice", particles: arms(content, []), optional: false },
    ]);
    return this.#repeated(item, { ...place, wanted: head.name.local, node: head });
  }

  #nothingConcrete(declaration: ElementDeclaration, { particle }: Place): Step {
    this.#types.warnOnce("WSDL035", particle.span, {
      message: `The element "${declaration.name.local}" is abstract, and no element may stand in for it; it is left out.`,
      help: "Declare an element with this substitutionGroup, or import the schema that does.",
    });
    return "never";
  }

  #wildcard(wildcard: Wildcard, { particle, way, occurs }: Place): Particle {
    return { kind: "field", key: this.#members.add(anyField(wildcard, particle, occurs), "any", way) };
  }

  #group(group: ModelGroup, place: Place): Step {
    const present = group.particles.filter((particle) => particle.max !== 0);
    const [only] = present;
    if (only === undefined) return group.compositor === "choice" && group.particles.length > 0 ? "never" : "empty";
    const merged = present.length === 1 ? product(place.occurs, only) : undefined;
    if (merged !== undefined) return this.#particle({ ...only, ...merged }, place.way);
    return place.occurs.max === 1 ? this.#single(group, present, place) : this.#many(group, present, place);
  }

  #single(group: ModelGroup, particles: readonly SchemaParticle[], { way, occurs }: Place): Step {
    const optional = occurs.min === 0;
    if (group.compositor === "choice") return this.#choice(group, particles, { way, optional });
    const steps = particles.map((particle) => this.#particle(particle, way));
    const present = steps.filter((step) => typeof step === "object").flatMap((step) => inlined(step, group.compositor));
    return sequenceOf(present, group.compositor === "all" ? "all" : "sequence", optional);
  }

  #choice(
    choice: object,
    particles: readonly SchemaParticle[],
    { way, optional }: { readonly way: Way; readonly optional: boolean },
  ): Step {
    const steps = particles.map((particle, arm) => this.#particle(particle, [...way, { choice, arm }]));
    const arms = steps.filter((step) => typeof step === "object");
    const flat = arms.flatMap((arm) => (arm.kind === "choice" ? arm.particles : [arm]));
    const mayBeEmpty = optional || steps.includes("empty") || arms.some((arm) => arm.kind === "choice" && arm.optional);
    if (flat.length === 0) return steps.includes("empty") || optional ? "empty" : "never";
    return { kind: "choice", particles: flat, optional: mayBeEmpty };
  }

  /** A group that may occur more than once: each occurrence is a record of its own. */
  #many(group: ModelGroup, particles: readonly SchemaParticle[], place: Place): Step {
    const named = place.particle.group?.modelGroup === group ? place.particle.group.name : undefined;
    const body = (content: ContentLowering) => {
      const step = content.#single(group, particles, { ...place, way: [], occurs: once });
      return typeof step === "object" ? inlined(step, "sequence") : [];
    };
    const item =
      named === undefined ? this.#item(`(${group.compositor})`, group, body) : this.#sharedItem(named, group, body);
    return this.#repeated(item, { ...place, wanted: group.compositor, node: group });
  }

  #repeated(
    item: TypeId,
    place: Place & { readonly wanted: string; readonly node: ElementDeclaration | ModelGroup },
  ): Particle {
    const { span, documentation } = place.node;
    const field = { kind: "group" as const, item, ...place.occurs, span, documentation };
    return { kind: "field", key: this.#members.add(field, place.wanted, place.way) };
  }

  /** The record for the items of a group of this owner. */
  #item(step: string, node: ElementDeclaration | ModelGroup, body: ItemBody): TypeId {
    const base = `${this.#owner.id}/${step}`;
    let id = base;
    for (let count = 2; this.#types.find(id) !== undefined; count += 1) id = `${base};${count}`;
    const words = [...this.#owner.words, step.slice(1, -1)];
    return this.#record({ id, words, wireName: this.#owner.wireName }, node, body);
  }

  /** The record for the items of a named group is one, whoever refers to the group. */
  #sharedItem(name: WireName, node: ModelGroup, body: ItemBody): TypeId {
    const id = `${clark(name.namespace, name.local)}@group`;
    if (this.#types.find(id) !== undefined) return id;
    return this.#record({ id, words: [name.local], wireName: name }, node, body);
  }

  #record(owner: ContentOwner, node: ElementDeclaration | ModelGroup, body: ItemBody): TypeId {
    const empty: RecordType = {
      ...owner,
      kind: "record",
      name: undefined,
      span: node.span,
      documentation: undefined,
      abstract: false,
      base: undefined,
      removed: [],
      fields: [],
      content: [],
    };
    this.#types.add(empty);
    const members = new Members([], this.#types);
    const content = body(new ContentLowering(owner, members, this.#types));
    this.#types.add({ ...empty, fields: members.fields, content });
    return owner.id;
  }
}

type ItemBody = (content: ContentLowering) => readonly Particle[];

interface Place {
  readonly particle: SchemaParticle;
  readonly way: Way;
  readonly occurs: Occurs;
}

const once: Occurs = { min: 1, max: 1 };

export function elementField(
  declaration: ElementDeclaration,
  {
    particle,
    occurs,
    types,
  }: { readonly particle: SchemaParticle; readonly occurs: Occurs; readonly types: TypeLowering },
): Omit<ElementField, "key" | "inherited"> {
  return {
    kind: "element",
    span: declaration.scope === "local" ? declaration.span : particle.span,
    documentation: particle.documentation ?? declaration.documentation,
    wireName: declaration.name,
    type: types.elementType(declaration),
    min: occurs.min,
    max: occurs.max,
    nillable: declaration.nillable,
    ...constraintOf(declaration),
  };
}

/** What the value of an element is bound to (XSD 1.0 Part 1 §3.3.1). */
export function constraintOf({ valueConstraint }: ElementDeclaration): Pick<ElementField, "default" | "fixed"> {
  if (valueConstraint === undefined) return unconstrained;
  return { ...unconstrained, [valueConstraint.kind]: valueConstraint.value };
}

export const unconstrained = { default: undefined, fixed: undefined };

export function anyField(
  wildcard: Wildcard,
  particle: Pick<SchemaParticle, "documentation">,
  occurs: Occurs,
): Omit<AnyField, "key" | "inherited"> {
  return {
    kind: "any",
    span: wildcard.span,
    documentation: particle.documentation ?? wildcard.documentation,
    min: occurs.min,
    max: occurs.max,
    namespaces: wildcard.namespaces,
    process: wildcard.process,
  };
}

/**
 * How often a group's only particle occurs in all, where that is one range: `(a+)*` is `a*`, but `(a{2})*` is not.
 */
function product(group: Occurs, inner: Occurs): Occurs | undefined {
  if (group.min === 1 && group.max === 1) return inner;
  if (inner.min === 1 && inner.max === 1) return group;
  // With gaps between the ranges for one, two … occurrences, the product would allow too much.
  if (inner.min > 1) return undefined;
  return { min: group.min * inner.min, max: times(group.max, inner.max) };
}

function times(a: Max, b: Max): Max {
  return a === "unbounded" || b === "unbounded" ? "unbounded" : a * b;
}

/** A sequence in a sequence that is always there needs no step of its own. */
function inlined(step: Particle, compositor: ModelGroup["compositor"]): readonly Particle[] {
  return compositor === "sequence" && step.kind === "sequence" && !step.optional ? step.particles : [step];
}

function sequenceOf(particles: readonly Particle[], kind: "sequence" | "all", optional: boolean): Step {
  const [only, ...others] = particles;
  if (only === undefined) return "empty";
  if (others.length === 0 && !optional) return only;
  return { kind, particles, optional };
}
