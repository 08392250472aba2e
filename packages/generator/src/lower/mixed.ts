import type {
  ComplexTypeDefinition,
  ElementDeclaration,
  Particle as SchemaParticle,
  Wildcard,
} from "../components/xsd-model.js";
import type { RecordType, TypeId } from "../model/schema-types.js";
import { anyField, elementField } from "./content.js";
import { Members } from "./members.js";
import type { TypeLowering } from "./types.js";

/** The record for the elements among the text of mixed content: each item holds one of all that may occur. */
export function lowerMixedItem(type: ComplexTypeDefinition, particle: SchemaParticle, types: TypeLowering): TypeId {
  const { id: owner, words, wireName } = types.namesOf(type);
  const id = `${owner}/(content)`;
  const members = new Members([], types);
  const choice = {};
  const keys = new Set<string>();
  for (const [arm, { term, documentation }] of [...termsOf(particle)].entries()) {
    const way = [{ choice, arm }];
    const occurs = { min: 1, max: 1 } as const;
    if (term.kind === "element") {
      const field = elementField(term, { particle: { ...particle, documentation }, occurs, types });
      keys.add(members.add(field, term.name.local, way));
    } else {
      keys.add(members.add(anyField(term, { documentation }, occurs), "any", way));
    }
  }
  const particles = [...keys].map((key) => ({ kind: "field" as const, key }));
  const record: RecordType = {
    kind: "record",
    id,
    name: undefined,
    words: [...words, "content"],
    wireName,
    span: type.span,
    documentation: undefined,
    abstract: false,
    base: undefined,
    removed: [],
    fields: members.fields,
    content: particles.length > 1 ? [{ kind: "choice", particles, optional: false }] : particles,
  };
  types.add(record);
  return id;
}

interface Term {
  readonly term: ElementDeclaration | Wildcard;
  readonly documentation: string | undefined;
}

/** Every element and wildcard of a content model, in the order of the schema. */
function* termsOf({ term, max, documentation }: SchemaParticle): Generator<Term> {
  if (max === 0) return;
  if (term.kind === "wildcard") {
    yield { term, documentation };
  } else if (term.kind === "element") {
    if (!term.abstract) yield { term, documentation };
    for (const member of term.substitutes) yield { term: member, documentation: member.documentation };
  } else {
    for (const particle of term.particles) yield* termsOf(particle);
  }
}
