import type { Field, RecordType, TypeReference } from "@bothends/generator";
import { type Place, placeWithoutPair, type TypeComparison } from "../sides.js";
import { ContentModel, compareContent } from "./content-model.js";
import { compareField, compareNamedFields } from "./fields.js";
import { isNamed, type MatchedField, type MatchedFields, matchFields, type NamedField } from "./match-fields.js";

/** Two states of a record. */
export interface Records {
  readonly before: RecordType;
  readonly after: RecordType;
}

/** The content models of a record in both states. */
interface Models {
  readonly before: ContentModel;
  readonly after: ContentModel;
}

/** Compares two states of a complex type. Inherited members are compared with their base type if it is the same in both states. */
export function compareRecords(context: TypeComparison, records: Records, place: Place): void {
  const { before, after } = records;
  const hasBase = !hasMovedMembers(records) && compareBases(context, records, place);
  const fieldsOf = ({ fields }: RecordType) => (hasBase ? fields.filter(({ inherited }) => !inherited) : fields);
  const isSameType = (left: TypeReference, right: TypeReference) => isEqualType(context, left, right, place);
  const [oldModel, newModel] = [new ContentModel(before), new ContentModel(after)];
  const models = { before: oldModel, after: newModel };
  const { matched, removed, added } = separateBranches(
    matchFields(fieldsOf(before), fieldsOf(after), isSameType),
    models,
  );
  const regroupedMembers = regroupedFields(context, { removed, added });
  if (regroupedMembers.size > 0) {
    const isMixed = [...regroupedMembers].some(({ kind }) => kind === "mixed");
    const change = isMixed
      ? { rule: "mixed-changed" as const }
      : { rule: "content-model-changed" as const, variant: "group" };
    place.pair.differences.push({ ...change, ...placeWithoutPair(place) });
  }
  for (const field of removed.filter((each) => !regroupedMembers.has(each))) {
    const isOptional = context.new.optionalItems.has(after.id);
    reportPresence("removed", field, { place, model: oldModel, otherModel: newModel, matched, isOptional });
  }
  for (const field of added.filter((each) => !regroupedMembers.has(each))) {
    const isOptional = context.old.optionalItems.has(before.id);
    reportPresence("added", field, { place, model: newModel, otherModel: oldModel, matched, isOptional });
  }
  for (const matchedField of matched) {
    const fieldPlace = {
      ...place,
      subject: `${place.subject}.${matchedField.after.key}`,
      oldSpan: matchedField.before.span,
      newSpan: matchedField.after.span,
    };
    if (matchedField.before.documentation !== matchedField.after.documentation) {
      place.pair.differences.push({
        rule: "documentation-changed",
        ...placeWithoutPair(fieldPlace),
        direction: undefined,
      });
    }
    if (isNamed(matchedField.before) && isNamed(matchedField.after)) {
      compareNamedFields(
        context,
        { ...matchedField, ...withKeptAbsence([matchedField.before, matchedField.after], models) },
        fieldPlace,
      );
    } else {
      compareField(context, matchedField, fieldPlace);
    }
  }
  const orderedFields = matched.filter(
    (matchedField) =>
      matchedField.before.kind === matchedField.after.kind && !(hasBase && matchedField.after.inherited),
  );
  const keptKeys = new Set(orderedFields.map(({ after: { key } }) => key));
  const newKeys = new Map(matched.map((matchedField) => [matchedField.before.key, matchedField.after.key]));
  compareContent({ before: oldModel, after: newModel, newKeys, keptKeys }, place);
}

/**
 * Returns an element with equal least numbers of occurrences in both states if it is a required branch of a choice in one state, but
 * messages may lack it in both: in the content `(a | b)?`, the element `a` is required only as the content of its branch.
 */
function withKeptAbsence(
  [before, after]: readonly [NamedField, NamedField],
  models: Models,
): { readonly before: NamedField; readonly after: NamedField } {
  const isOmittable = (model: ContentModel, key: string) => model.isDirectBranch(key) && model.acceptsAbsence([key]);
  if (before.kind !== "element" || after.kind !== "element" || before.min > 0 === after.min > 0) {
    return { before, after };
  }
  return after.min > 0
    ? { before, after: isOmittable(models.after, after.key) ? { ...after, min: 0 } : after }
    : { before: isOmittable(models.before, before.key) ? { ...before, min: 0 } : before, after };
}

/** Undoes the match of a branch of a choice with the attribute that replaces it, so that the removed branch is reported. */
function separateBranches(
  { matched, removed, added }: MatchedFields,
  models: Models,
): MatchedFields {
  const isBranch = (each: MatchedField) => {
    const keysOf = (state: "before" | "after") =>
      new Set(matched.filter((other) => other !== each).map((other) => other[state].key));
    return (
      each.before.kind !== each.after.kind &&
      (["before", "after"] as const).some((state) => models[state].isBranch(each[state].key, keysOf(state)))
    );
  };
  const branches = matched.filter(isBranch);
  return {
    matched: matched.filter((each) => !branches.includes(each)),
    removed: [...removed, ...branches.map((each) => each.before)],
    added: [...added, ...branches.map((each) => each.after)],
  };
}

/** Whether a member moved between a type and its base type. The messages contain it in both states. */
function hasMovedMembers({ before, after }: Records): boolean {
  const names = ({ fields }: RecordType, inherited: boolean) =>
    new Set(
      fields.flatMap((field) =>
        isNamed(field) && field.inherited === inherited ? [`${field.kind} ${field.wireName.local}`] : [],
      ),
    );
  const isShared = (left: ReadonlySet<string>, right: ReadonlySet<string>) => [...left].some((name) => right.has(name));
  return isShared(names(before, true), names(after, false)) || isShared(names(before, false), names(after, true));
}

/** Compares the base types of two types; returns false if the base types have different names, or one has none. */
function compareBases(context: TypeComparison, { before, after }: Records, place: Place): boolean {
  const [oldBase, newBase] = [before.base, after.base];
  if (oldBase === undefined || newBase === undefined) {
    return false;
  }
  const isSameName = oldBase === newBase || localName(oldBase) === localName(newBase);
  if (isSameName) {
    const types = { before: { kind: "named", id: oldBase }, after: { kind: "named", id: newBase } } as const;
    context.compare(context, types, place);
  }
  return isSameName;
}

function localName(id: string): string {
  return id.slice(id.indexOf("}") + 1);
}

/** Whether two types are equal. Differences are not reported. */
function isEqualType(context: TypeComparison, before: TypeReference, after: TypeReference, place: Place): boolean {
  if (before.kind === "builtin" && after.kind === "builtin") {
    return before.name === after.name;
  }
  // A named type that changed is still the same type.
  if (before.kind === "named" && after.kind === "named" && localName(before.id) === localName(after.id)) {
    return true;
  }
  const pair = { differences: [], uses: new Set<string>() };
  const trial = { ...context, pairs: new Map() };
  context.compare(trial, { before, after }, { ...place, pair });
  const differences = [pair, ...trial.pairs.values()].flatMap(({ differences }) => differences);
  return differences.every(({ rule }) => rule === "type-renamed");
}

/** Compares a simple type with a complex type that adds attributes to text; returns false if the complex type has no text. */
export function compareWithText(
  context: TypeComparison,
  {
    record,
    simpleType,
    change,
  }: { readonly record: RecordType; readonly simpleType: TypeReference; readonly change: Change },
  place: Place,
): boolean {
  const text = record.fields.find(({ kind }) => kind === "text");
  if (text?.kind !== "text") {
    return false;
  }
  const names = { simple: "a value", record: "an object with attributes" };
  const [before, after] = change === "added" ? [names.simple, names.record] : [names.record, names.simple];
  place.pair.differences.push({ rule: "type-in-code-changed", ...placeWithoutPair(place), before, after });
  const types =
    change === "added" ? { before: simpleType, after: text.type } : { before: text.type, after: simpleType };
  context.compare(context, types, place);
  const model = new ContentModel(record);
  for (const field of record.fields.filter((each) => each !== text)) {
    reportPresence(change, field, { place, model, otherModel: model, matched: [], isOptional: false });
  }
  return true;
}

type Change = "added" | "removed";

interface Presence {
  readonly place: Place;
  /** The content model of the state that has the member. */
  readonly model: ContentModel;
  readonly otherModel: ContentModel;
  readonly matched: readonly MatchedField[];
  /** Whether the record is an item of a repeated group that the other state allows to be absent. */
  readonly isOptional: boolean;
}

function reportPresence(change: Change, field: Field, presence: Presence): void {
  const { place, model, matched } = presence;
  const keptKeys = new Set(matched.map((each) => (change === "added" ? each.after.key : each.before.key)));
  const spans = change === "added" ? { newSpan: field.span } : { oldSpan: field.span };
  const value = change === "added" ? { after: field.key } : { before: field.key };
  const subject = `${place.subject}.${field.key}`;
  const difference = { ...placeWithoutPair(place), ...spans, ...value, subject };
  const { differences } = place.pair;
  if (field.kind === "text" || field.kind === "mixed") {
    differences.push({
      ...difference,
      subject: place.subject,
      rule: field.kind === "text" ? "type-changed" : "mixed-changed",
    });
  } else if ((field.kind === "any" && field.min === 0) || field.kind === "anyAttribute") {
    differences.push({ ...difference, rule: change === "added" ? "wildcard-opened" : "wildcard-closed" });
  } else if (model.isBranch(field.key, keptKeys)) {
    const variant = branchVariant(change, field, presence);
    differences.push({ ...difference, rule: `choice-branch-${change}`, variant });
  } else {
    differences.push({ ...difference, rule: `member-${change}-${presenceOf(field, model)}` });
  }
}

/**
 * The variant of the rules for branches of a choice. A reader that does not know the branch ignores the member. It then accepts the
 * message if its choice, or the single member that it has instead, may be absent.
 */
function branchVariant(
  change: Change,
  { key }: Field,
  { model, otherModel, matched, isOptional }: Presence,
): string | undefined {
  if (isOptional) {
    return "repeated";
  }
  const otherKeys = new Map(
    matched.map(({ before, after }) => (change === "added" ? [after.key, before.key] : [before.key, after.key])),
  );
  const keptBranches = model.keptBranches(key, new Set(otherKeys.keys()));
  const branches = keptBranches.flatMap((each) => otherKeys.get(each) ?? []);
  if (!otherModel.acceptsAbsence(branches)) {
    return undefined;
  }
  return branches.some((each) => otherModel.isDirectBranch(each)) ? "optional" : "single";
}

function presenceOf(field: Field, model: ContentModel): "required" | "optional" | "nillable" {
  if (field.kind === "attribute") {
    return field.required ? "required" : "optional";
  }
  const isRequired = "min" in field && field.min > 0 && !model.isOptional(field.key);
  if (!isRequired) {
    return "optional";
  }
  return field.kind === "element" && field.nillable && field.max === 1 ? "nillable" : "required";
}

/** Finds members that moved into or out of a repeated group. Returns the members and their groups. */
function regroupedFields(
  context: TypeComparison,
  { removed, added }: { readonly removed: readonly Field[]; readonly added: readonly Field[] },
): ReadonlySet<Field> {
  const movedFields = new Set<Field>();
  const findMoved = (groups: readonly Field[], members: readonly Field[], side: TypeComparison["old"]) => {
    for (const group of groups) {
      const names = namesInside(group, side);
      const movedMembers = members.filter((field) => names.has(isNamed(field) ? field.wireName.local : field.kind));
      if (movedMembers.length > 0) {
        movedFields.add(group);
        for (const field of movedMembers) {
          movedFields.add(field);
        }
      }
    }
  };
  findMoved(added, removed, context.new);
  findMoved(removed, added, context.old);
  return movedFields;
}

/** The local names of the elements and attributes in a repeated group, and "any" for a wildcard. */
function namesInside(field: Field, side: TypeComparison["old"]): ReadonlySet<string> {
  const item = field.kind === "group" || field.kind === "mixed" ? side.types.get(field.item) : undefined;
  const fields = item?.kind === "record" ? item.fields : [];
  return new Set(
    fields.flatMap((each) => (isNamed(each) ? [each.wireName.local] : [each.kind, ...namesInside(each, side)])),
  );
}
