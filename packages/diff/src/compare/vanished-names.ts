import {
  type Endpoint,
  type ExportedName,
  listExportedNames,
  type NamedDeclaration,
  type Operation,
  type Span,
} from "@bothends/generator";
import { getRule, type RuleId } from "../rules/index.js";
import { type Consequences, getConsequences, type Level, levels } from "../rules/rule.js";
import type { DifferenceWithOperations } from "./difference.js";
import { findPlaceOfName } from "./places-of-names.js";
import { findRenamedType, listUses, type NamedVersions, type Place, type Uses } from "./uses-of-types.js";

type Party = "callers" | "handlers";

const parties = { client: "callers", operations: "callers", server: "handlers" } as const;

/**
 * Adds the names that the old packages export and the new ones do not, unless a difference explains them: code that
 * imports such a name no longer compiles. A difference explains a name if it breaks the same code, and if it is about
 * the name or about a use of its declaration. If the declaration was renamed, the difference lists its other names.
 */
export function addVanishedNames(versions: NamedVersions): readonly DifferenceWithOperations[] {
  const { differences } = versions;
  const [oldNames, newNames] = [versions.before, versions.after].map(({ plan }) => listExportedNames(plan));
  const newKeys = new Set(newNames?.flatMap(listKeys));
  const vanishedNames = (oldNames ?? []).flatMap((exported) => {
    const entries = exported.entries.filter((entry) => !newKeys.has(formatKey(entry, exported)));
    return entries.length === 0 ? [] : [{ ...exported, entries }];
  });
  if (vanishedNames.length === 0) {
    return differences;
  }
  const uses = listUses(versions);
  const explanations = new Explanations(versions, uses);
  const oldKeys = new Set(oldNames?.flatMap(listKeys));
  const isNew = (name: string) => !oldKeys.has(`client ${name}`) && newKeys.has(`client ${name}`);
  const namesByDeclaration = new Map<unknown, ExportedName[]>();
  for (const exported of vanishedNames) {
    const declaration = getFirstDeclaration(exported);
    namesByDeclaration.set(declaration, [...(namesByDeclaration.get(declaration) ?? []), exported]);
  }
  const addedDifferences = [...namesByDeclaration.values()].flatMap((names): readonly DifferenceWithOperations[] => {
    const exported = names.find((each) => !isExplained(each, explanations));
    return exported === undefined ? [] : [createVanishedName(exported, { versions, uses, isNew })];
  });
  const impliedNames = listImpliedNames(
    vanishedNames.filter((exported) => isExplained(exported, explanations)),
    explanations,
  );
  const impliedNamesByKey = new Map(
    Array.from(impliedNames, ([difference, names]) => [formatChange(difference), names]),
  );
  return [...differences, ...addedDifferences].map((difference) => {
    const names = namingRules.includes(difference.rule)
      ? [...namesByDeclaration.values()].find((group) => group.some(({ name }) => name === difference.before))
      : undefined;
    const otherNames = (names ?? [])
      .filter(hasMainEntry)
      .flatMap(({ name }) => (name === difference.before ? [] : [name]))
      .sort();
    const implied = impliedNamesByKey.get(formatChange(difference)) ?? noNames;
    const vanished = [...implied.names].sort();
    return otherNames.length + vanished.length === 0
      ? difference
      : {
          ...breakImports(difference, implied.parties),
          ...(otherNames.length > 0 && { otherNames }),
          ...(vanished.length > 0 && { vanishedNames: vanished }),
        };
  });
}

/** Returns a text that is the same for the differences of several services that are one change in reports. */
function formatChange({ rule, direction, subject, before, after, oldSpan }: DifferenceWithOperations): string {
  return JSON.stringify([rule, direction, subject, before, after, oldSpan?.source.path, oldSpan?.start]);
}

/** Rules about the name of a declaration. */
const namingRules: readonly RuleId[] = ["type-renamed", "name-in-code-changed"];

/** Whether differences say to everybody who imports a name that it vanished. */
function isExplained(exported: ExportedName, explanations: Explanations): boolean {
  const explainedParties = new Set(
    [...explanations.list(exported)].flatMap((difference) => explanations.parties.get(difference) ?? []),
  );
  return exported.entries.every((entry) => explainedParties.has(parties[entry]));
}

/** Names that vanished because of a difference, and the parties whose packages exported them. */
interface ImpliedNames {
  readonly names: ReadonlySet<string>;
  readonly parties: ReadonlySet<Party>;
}

const noNames: ImpliedNames = { names: new Set(), parties: new Set() };

/**
 * Returns the names that differences explain, but do not contain, by one of these differences for each party: a removed
 * operation explains that the types of its messages vanished.
 */
function listImpliedNames(
  vanishedNames: readonly ExportedName[],
  explanations: Explanations,
): ReadonlyMap<DifferenceWithOperations, ImpliedNames> {
  const impliedNames = new Map<DifferenceWithOperations, ImpliedNames>();
  for (const exported of vanishedNames.filter(hasMainEntry)) {
    const explaining = [...explanations.list(exported)];
    if (explaining.some((difference) => containsName(difference, exported.name))) {
      continue;
    }
    for (const entry of exported.entries) {
      const difference = findFirst(explaining, explanations, entry);
      if (difference !== undefined) {
        const previous = impliedNames.get(difference) ?? noNames;
        impliedNames.set(difference, {
          names: new Set([...previous.names, exported.name]),
          parties: new Set([...previous.parties, parties[entry]]),
        });
      }
    }
  }
  return impliedNames;
}

/**
 * Raises the effects of a difference on code that imports a name that vanished because of it. The effects of a removed
 * operation already include those on code that imports its types.
 */
function breakImports(
  difference: DifferenceWithOperations,
  brokenParties: ReadonlySet<Party>,
): DifferenceWithOperations {
  if (removingOperations.test(difference.rule)) {
    return difference;
  }
  const consequences = getConsequences(getRule(difference.rule), difference);
  const [callers, handlers] = (["callers", "handlers"] as const).map((party) =>
    brokenParties.has(party) ? "breaks" : consequences[party],
  ) as [Level, Level];
  return callers === consequences.callers && handlers === consequences.handlers
    ? difference
    : {
        ...difference,
        sameCode: false,
        codeLevels: difference.direction === "output" ? [handlers, callers] : [callers, handlers],
      };
}

/** Returns the first difference that breaks the code of those who import names from an entry. */
function findFirst(
  explaining: readonly DifferenceWithOperations[],
  { parties: brokenParties }: Explanations,
  entry: ExportedName["entries"][number],
): DifferenceWithOperations | undefined {
  const breaking = explaining.filter((difference) => brokenParties.get(difference)?.includes(parties[entry]));
  return breaking.find(({ rule }) => removingOperations.test(rule)) ?? breaking[0];
}

/** Rules about operations, routes and services that no longer exist, or no longer by themselves. */
const removingOperations = /^(?:operation|route|method|service|services|protocol)-(?:removed|renamed|joined|split)$/;

function containsName({ subject, before, after }: DifferenceWithOperations, name: string): boolean {
  return [subject, before, after].some((text) => text === name);
}

/** Whether a main entry exports a name, not only the entry of operations, which exports descriptors. */
function hasMainEntry({ entries }: ExportedName): boolean {
  return !entries.every((entry) => entry === "operations");
}

function createVanishedName(
  exported: ExportedName,
  {
    versions,
    uses,
    isNew,
  }: { readonly versions: NamedVersions; readonly uses: Uses; readonly isNew: (name: string) => boolean },
): DifferenceWithOperations {
  const { plan } = versions.before;
  const brokenParties = new Set<Party>(exported.entries.map((entry) => parties[entry]));
  // Clients and servers check answers with the schemas.
  if (plan.kind === "rest" && exported.name === plan.answerSchemas) {
    brokenParties.add("handlers");
  }
  const newName = findRenamedType(exported.declaration, versions);
  const names = newName !== undefined && isNew(newName.name) ? newName : undefined;
  return {
    rule: "name-in-code-changed",
    subject: names?.name ?? exported.name,
    before: exported.name,
    ...(names === undefined ? { variant: "removed" } : { after: names.name }),
    ...findPlaceOfName(exported.declaration, { versions, uses }),
    ...(names?.span === undefined ? {} : { newSpan: names.span }),
    codeLimits: [brokenParties.has("callers") ? "breaks" : "none", brokenParties.has("handlers") ? "breaks" : "none"],
    operations: [],
  };
}

function formatKey(entry: ExportedName["entries"][number], { name }: ExportedName): string {
  return `${entry} ${name}`;
}

function listKeys(exported: ExportedName): readonly string[] {
  return exported.entries.map((entry) => formatKey(entry, exported));
}

/** Returns the declaration of which only the first vanished name is reported: other names follow from this name. */
function getFirstDeclaration({ declaration, name }: ExportedName): unknown {
  switch (declaration?.kind) {
    case "type":
      return declaration.type.kind === "polymorphic"
        ? declaration.type.declared
        : (declaration.type.exact ?? declaration.type.id);
    case "fault":
      return declaration.fault;
    case "answer":
      return `answer ${declaration.id}`;
    default:
      return `name ${name}`;
  }
}

/** Rules about declarations that no longer exist, or no longer have the same type or name. */
const removingRules = /removed|renamed|moved|changed|widened|narrowed|overlaps|opened|closed|split|joined|undeclared/;
/** Rules that may explain that a type has no name, but that are reported for the type itself. */
const typeRules = /^(?:type|enum|declaration|derived-type|wildcard|mixed|union)-/;

/** Rules about endpoints that still exist under another name. Each vanished name is reported in addition. */
const endpointRenames: readonly RuleId[] = ["name-in-code-changed", "route-renamed"];

type Explaining = ReadonlySet<DifferenceWithOperations>;

/** The differences that explain vanished names, by what they are about. */
class Explanations {
  /** The parties whose code each difference breaks. */
  readonly parties = new Map<DifferenceWithOperations, readonly Party[]>();
  readonly #uses: Uses;
  readonly #byName = new Map<string, Set<DifferenceWithOperations>>();
  readonly #bySpan = new Map<Span, Set<DifferenceWithOperations>>();
  readonly #byOwnSpan = new Map<Span, Set<DifferenceWithOperations>>();
  readonly #byOperation = new Map<Operation | Endpoint, Set<DifferenceWithOperations>>();
  readonly #byLostEndpoint = new Map<Endpoint | Operation | Span, Set<DifferenceWithOperations>>();
  readonly #bySubject = new Map<string, Set<DifferenceWithOperations>>();

  constructor(versions: NamedVersions, uses: Uses) {
    this.#uses = uses;
    const oldOperations = new Map(versions.matchedPairs.map(([before, after]) => [after, before]));
    for (const difference of versions.differences) {
      const { rule, variant, before, subject, operations } = difference;
      const oldSpan = difference.oldDeclaration ?? difference.oldSpan;
      const isReplacedAnswer = rule === "type-replaced" && variant === "answer";
      if (!(removingRules.test(rule) || isReplacedAnswer) || rule === "documentation-changed") {
        continue;
      }
      const broken = listBrokenParties(difference);
      if (broken.length === 0) {
        continue;
      }
      this.parties.set(difference, broken);
      addToSet(this.#byName, before, difference);
      addToSet(typeRules.test(rule) ? this.#byOwnSpan : this.#bySpan, oldSpan, difference);
      if (typeRules.test(rule)) {
        addToSet(this.#bySpan, oldSpan, difference);
      }
      addToSet(this.#bySubject, /[^. ]+$/.exec(subject)?.[0], difference);
      const oldVersions = operations.map((operation) => oldOperations.get(operation) ?? operation);
      for (const operation of oldVersions) {
        addToSet(this.#byOperation, operation, difference);
      }
      for (const key of endpointRenames.includes(rule) ? [] : [oldSpan, ...oldVersions]) {
        addToSet(this.#byLostEndpoint, key, difference);
      }
    }
  }

  /** Returns the differences from which parties know that a name vanished. */
  list({ name, declaration, entries }: ExportedName): Explaining {
    // The descriptors of endpoints, which only the entry of operations exports, are named after the methods.
    const isDescriptor = entries.every((entry) => entry === "operations") && declaration?.kind === "endpoints";
    const found = [
      this.#byName.get(name),
      ...(isDescriptor ? this.#listOfEndpoints(declaration.endpoints) : this.#listOfDeclaration(declaration)),
    ];
    return new Set(found.flatMap((each) => [...(each ?? [])]));
  }

  #listOfDeclaration(declaration: NamedDeclaration | undefined): readonly (Explaining | undefined)[] {
    switch (declaration?.kind) {
      case "type":
        return [
          this.#byOwnSpan.get(declaration.type.span),
          ...this.#listAt(this.#uses.listPlaces(declaration.type.id)),
        ];
      case "builtin":
        return this.#listAt(this.#uses.listPlaces(declaration.builtin));
      case "fault":
        return [this.#bySpan.get(declaration.fault.span)];
      case "service": {
        const spans = [declaration.service.span, ...declaration.service.operations.map(({ span }) => span)];
        return spans.map((span) => this.#bySpan.get(span));
      }
      case "operation":
        return this.#listAt(this.#uses.listPlacesOfOperation(declaration.operation));
      case "endpoints":
        return declaration.endpoints.flatMap((endpoint) => [
          this.#byLostEndpoint.get(endpoint),
          this.#byLostEndpoint.get(endpoint.span),
        ]);
      case "answer":
        return this.#listOfEndpoints(this.#uses.listEndpoints(declaration.id));
      case "enumeration":
        return [this.#bySubject.get(declaration.enumeration.member)];
      default:
        return [];
    }
  }

  #listOfEndpoints(endpoints: readonly Endpoint[]): readonly (Explaining | undefined)[] {
    return endpoints.flatMap((endpoint) => [this.#byOperation.get(endpoint), this.#bySpan.get(endpoint.span)]);
  }

  #listAt(places: readonly Place[]): readonly (Explaining | undefined)[] {
    return places.map(({ oldSpan }) => (oldSpan === undefined ? undefined : this.#bySpan.get(oldSpan)));
  }
}

function listBrokenParties(difference: DifferenceWithOperations): readonly Party[] {
  const consequences: Consequences = getConsequences(getRule(difference.rule), difference);
  return (["callers", "handlers"] as const).filter(
    (party) => levels.indexOf(consequences[party]) >= levels.indexOf("some"),
  );
}

function addToSet<Key>(
  map: Map<Key, Set<DifferenceWithOperations>>,
  key: Key | undefined,
  difference: DifferenceWithOperations,
): void {
  if (key === undefined) {
    return;
  }
  const found = map.get(key);
  if (found === undefined) {
    map.set(key, new Set([difference]));
  } else {
    found.add(difference);
  }
}
