import type { Field, Particle, RecordType, TypeDefinition, TypeReference } from "@bothends/generator";
import { getRule } from "../../rules/index.js";
import {
  type Direction,
  findWorstLevel,
  getConsequences,
  type Level,
  type LevelsOfWriters,
  type Rule,
} from "../../rules/rule.js";
import type { CodeLimits, Difference } from "../difference.js";
import { createSharedSubject } from "../soap/report-operation.js";
import { formatElement, type GroupItem, type SoapSide } from "../soap-side.js";
import { type ContentLanguage, computeExchangeLevel, listKeys } from "./content-language.js";
import { ContentModel } from "./content-model.js";
import { isNamed, type MatchedField, type NamedField } from "./match-fields.js";
import { computeEffectiveType, readsEmptyText } from "./simple/effective-type.js";
import { createTypePair, getName, omitPair, type ReportTarget, type TypeComparison } from "./type-comparison.js";

/** Whether only the new version or only the old version has a member. */
export type Change = "added" | "removed";

interface Presence {
  readonly target: ReportTarget;
  /** The version that has the member. */
  readonly side: SoapSide;
  /** The content model of the version that has the member. */
  readonly model: ContentModel;
  readonly otherModel: ContentModel;
  readonly matched: readonly MatchedField[];
  /** The use of the record as the item of a repeated group in the other version; undefined if it is no item there. */
  readonly item: GroupItem | undefined;
  /** Whether the record is the type of a message. */
  readonly isMessage: boolean;
  /** See `Difference`. */
  readonly contents: readonly string[];
  readonly limits: CodeLimits;
  /**
   * The required choices and the branches of choices that were already reported. Each is reported once, not for each of
   * its members.
   */
  readonly reportedChoices: Set<Particle>;
}

/**
 * Gives the members that a record inherits from a base type that the other version does not have the position of the
 * reference to this base type.
 */
export function locateInherited(
  fields: readonly Field[],
  version: "before" | "after",
  records: { readonly before: RecordType; readonly after: RecordType },
): readonly Field[] {
  const { span } = records[version];
  const baseSpan = span.parts?.["base"] ?? span;
  return records.before.base === records.after.base
    ? fields
    : fields.map((field) => (field.inherited ? { ...field, span: baseSpan } : field));
}

/** Reports a member that only one version has. */
export function reportPresence(change: Change, field: Field, presence: Presence): void {
  const { target, model, matched, isMessage, contents, limits } = presence;
  const keptKeys = new Set(matched.map((pair) => (change === "added" ? pair.after.key : pair.before.key)));
  const spans = change === "added" ? { newSpan: field.span } : { oldSpan: field.span };
  const value = change === "added" ? { after: field.key } : { before: field.key };
  const subject = `${target.subject}.${field.key}`;
  const difference = {
    ...omitPair(target),
    ...spans,
    ...value,
    subject,
    ...(isMessage && { sharedSubject: createSharedSubject(field.key) }),
    ...(contents.length > 0 && { contents }),
    ...limits,
  };
  const isReadAgain = isReadAsOther(change, field, presence);
  const report = (reported: Difference) =>
    target.pair.differences.push(isReadAgain ? addRefusal(change, reported) : reported);
  if (field.kind === "text") {
    report({
      ...difference,
      subject: target.subject,
      rule: "type-changed",
      ...chooseTextVariant(change, field, presence),
    });
  } else if (field.kind === "mixed") {
    const variant = change === "added" ? "allowed" : "refused";
    report({ ...difference, subject: target.subject, rule: "mixed-changed", variant });
  } else if ((field.kind === "any" && field.min === 0) || field.kind === "anyAttribute") {
    const variant = field.kind === "any" ? "elements" : "attributes";
    report({ ...difference, rule: change === "added" ? "wildcard-opened" : "wildcard-closed", variant });
  } else if (model.isBranch(field.key, keptKeys)) {
    const branch = describeBranch(change, field, { presence, keptKeys });
    if (branch !== undefined) {
      const variant = chooseBranchVariant(change, field, presence);
      const spans = findChoiceSpan(change, field, presence);
      report({ ...difference, ...branch, ...spans, rule: `choice-branch-${change}`, variant });
    }
  } else {
    const { rule, variant, choice } = choosePresenceRule(change, field, { model, keptKeys });
    if (choice === undefined || variant !== "choice") {
      const isPlain = isNamed(field) && variant === undefined;
      // The compiler accepts any object where a type without members is expected.
      const isLast = isPlain && change === "removed" && presence.otherModel.isEmpty;
      const branch = variant === "branch" ? model.findBranch(field.key, keptKeys)?.branch : undefined;
      const details = {
        variant: isLast ? "last" : variant,
        ...(isPlain && { member: formatMember(field) }),
        ...(branch && { counterparts: [model.formatWithBounds(branch)] }),
      };
      report({ ...difference, rule, ...details });
    } else if (!presence.reportedChoices.has(choice)) {
      presence.reportedChoices.add(choice);
      // Removes the outer parentheses of the choice.
      const choiceText = model.formatWithBounds(choice).slice(1, -1);
      const values = change === "added" ? { after: choiceText } : { before: choiceText };
      report({ ...difference, ...values, subject: target.subject, rule, variant });
    }
  }
}

/**
 * Describes a branch of a choice that only one version has: with its members if it has several. Returns undefined if it
 * was already reported for another member.
 */
function describeBranch(
  change: Change,
  { key }: Field,
  { presence, keptKeys }: { readonly presence: Presence; readonly keptKeys: ReadonlySet<string> },
): Partial<Difference> | undefined {
  const { target, model, otherModel, matched, isMessage, reportedChoices } = presence;
  const found = model.findBranch(key, keptKeys);
  if (found === undefined) {
    return {};
  }
  const { choice, branch } = found;
  if (reportedChoices.has(branch)) {
    return undefined;
  }
  reportedChoices.add(branch);
  const otherKeys = matched.map(({ before, after }) =>
    change === "added" ? ([after.key, before.key] as const) : ([before.key, after.key] as const),
  );
  const keptBranches = listKeys(choice).flatMap((each) => otherKeys.find(([kept]) => kept === each)?.[1] ?? []);
  const isOnly = keptBranches.length === 1 && !keptBranches.some((each) => otherModel.isDirectBranch(each));
  const counterparts = [model.formatWithBounds(choice), ...(isOnly ? keptBranches : [])];
  const formattedBranch = model.formatWithBounds(branch);
  // The sentence about the branch has parentheses itself.
  const branchText = formattedBranch.endsWith("?") ? formattedBranch : formattedBranch.slice(1, -1);
  if (branch.kind === "field" || listKeys(branch).length === 1) {
    return { counterparts };
  }
  return {
    subject: target.subject,
    ...(change === "added" ? { after: branchText } : { before: branchText }),
    ...(isMessage && { sharedSubject: createSharedSubject(branchText) }),
    counterparts,
  };
}

/** Returns the position of a choice in the version that does not have one of its branches. */
function findChoiceSpan(change: Change, field: Field, { model, otherModel, matched }: Presence): Partial<Difference> {
  const [version, otherVersion] = change === "added" ? (["after", "before"] as const) : (["before", "after"] as const);
  const keptKeys = model.listKeptBranches(field.key, new Set(matched.map((pair) => pair[version].key)));
  const otherKeys = matched
    .filter((pair) => keptKeys.includes(pair[version].key))
    .map((pair) => pair[otherVersion].key);
  const span = otherModel.findChoiceSpan(otherKeys);
  return span === undefined ? {} : change === "added" ? { oldSpan: span } : { newSpan: span };
}

/**
 * Returns the effects of text that replaces elements, or the reverse. Attributes have no effect on them: they are
 * reported as members.
 */
function chooseTextVariant(
  change: Change,
  { type }: Extract<Field, { readonly kind: "text" }>,
  { side, otherModel }: Presence,
): Pick<Difference, "variant"> {
  const elements = otherModel.fields.filter((field) => !isAttribute(field));
  const presence = elements.some(({ kind }) => kind === "mixed")
    ? undefined
    : findLenientPresence(otherModel, elements);
  const effectiveType = computeEffectiveType(side, type);
  const mayBeEmpty = effectiveType !== undefined && readsEmptyText(effectiveType);
  return presence === undefined
    ? {}
    : { variant: chooseReplacementVariant(presence, mayBeEmpty, change === "added" ? "Now" : "Before") };
}

/** Returns the variant of `type-changed` for a value that replaces elements ("Now"), or the reverse ("Before"). */
export function chooseReplacementVariant(
  presence: LenientPresence,
  mayBeEmpty: boolean,
  version: "Now" | "Before",
): string {
  if (presence === "empty" && mayBeEmpty) {
    return "empty";
  }
  return presence === "nillable" ? `nillable${version}` : mayBeEmpty ? `text${version}` : `value${version}`;
}

type LenientPresence = "empty" | "optional" | "nillable";

/**
 * Says whether readers accept all members of a record as absent: "empty" if the type has no elements, "optional" if
 * all members may be absent, and "nillable" if writers must send some of them, as elements that may be nil. Undefined
 * if readers require one of them. `fields` are the members that count.
 */
export function findLenientPresence(model: ContentModel, fields = model.fields): LenientPresence | undefined {
  if (fields.some((field) => field.kind === "attribute" && field.required)) {
    return undefined;
  }
  const elements = fields.filter((field) => !isAttribute(field));
  return elements.length === 0
    ? "empty"
    : model.mayBeEmpty
      ? "optional"
      : elements.every((field) => !model.isRequired(field.key) || isNillable(field))
        ? "nillable"
        : undefined;
}

/** Whether readers read an absent member as nil, even if it is required. */
function isNillable(field: Field | undefined): boolean {
  return field?.kind === "element" && field.nillable && field.max === 1;
}

function isAttribute({ kind }: Field): boolean {
  return kind === "attribute" || kind === "anyAttribute";
}

/**
 * Whether readers of the other version read an element of a member as another member, which may occur only once. They
 * refuse a message in which it occurs again, or lose one of the elements.
 */
function isReadAsOther(change: Change, field: Field, { side, model, matched }: Presence): boolean {
  const names = listElementNames(side, field);
  return matched.some(({ before, after }) => {
    const [sibling, other] = change === "added" ? [after, before] : [before, after];
    return (
      other.kind === "element" &&
      other.max === 1 &&
      names.includes(formatElement({ element: other.wireName })) &&
      !model.isExclusive(sibling.key, field.key)
    );
  });
}

/** Lists the names of the elements of a member: its own name, or those in a repeated group. */
function listElementNames({ types }: Pick<SoapSide, "types">, field: Field): readonly string[] {
  if (field.kind === "element") {
    return [formatElement({ element: field.wireName })];
  }
  const item = field.kind === "group" ? types.get(field.item) : undefined;
  return item?.kind === "record" ? item.fields.flatMap((member) => listElementNames({ types }, member)) : [];
}

/** Adds to the effects of a difference that readers refuse some messages of the version that has the member. */
function addRefusal(change: Change, difference: Difference): Difference {
  const rule: Rule = getRule(difference.rule);
  const { variant } = difference;
  if (rule.variants?.["sameName"] !== undefined && (variant === undefined || variant === "last")) {
    return { ...difference, variant: "sameName" };
  }
  const { oldClients, newClients } = getConsequences(rule, { variant, direction: "input" });
  const levels: LevelsOfWriters =
    change === "added"
      ? [oldClients, findWorstLevel([newClients, "some"])]
      : [findWorstLevel([oldClients, "some"]), newClients];
  return { ...difference, levels };
}

/** Formats the name in messages and the type of a member. An anonymous type is equal only to itself. */
export function formatMember({ kind, wireName, type, ...field }: NamedField): string {
  const typeName = type.kind === "builtin" ? type.name : type.id;
  const max = "max" in field ? field.max : 1;
  return JSON.stringify([kind, wireName.namespace, wireName.local, typeName, max]);
}

/**
 * Returns the variant of the rule for an added or removed branch of a choice; undefined if a reader that does not know
 * the branch refuses the message. Such a reader ignores the member, and accepts the message in three cases:
 *
 * - "repeated": the record is the item of a repeated group that may be absent, and has no other member in messages.
 * - "optional": the choice may be empty, or all its branches are optional.
 * - "single": the only other member may be absent.
 */
function chooseBranchVariant(
  change: Change,
  { key }: Field,
  { model, otherModel, matched, item }: Presence,
): string | undefined {
  const otherKeys = new Map(
    matched.map(({ before, after }) => (change === "added" ? [after.key, before.key] : [before.key, after.key])),
  );
  if (item?.isOptional === true && model.isAlone(key, otherKeys.keys())) {
    return "repeated";
  }
  const keptBranches = model.listKeptBranches(key, new Set(otherKeys.keys()));
  const branches = keptBranches.flatMap((branch) => otherKeys.get(branch) ?? []);
  // Readers read an absent member that may be nil as nil, unless it belongs to a choice or is the item of a group.
  const isNil =
    item === undefined &&
    branches.every((branch) => isNillable(otherModel.field(branch)) && !otherModel.isOptional(branch));
  if (!isNil && !otherModel.acceptsAbsence(branches)) {
    return undefined;
  }
  const isOptionalChoice =
    branches.some((branch) => otherModel.isDirectBranch(branch)) ||
    keptBranches.every((branch) => !model.isRequired(branch));
  return isOptionalChoice ? "optional" : "single";
}

function choosePresenceRule(
  change: Change,
  field: Field,
  { model, keptKeys }: { readonly model: ContentModel; readonly keptKeys: ReadonlySet<string> },
): Pick<Difference, "rule" | "variant"> & { readonly choice?: Particle } {
  if (field.kind === "attribute") {
    return { rule: `member-${change}-${field.required ? "required" : "optional"}` };
  }
  const mayBeNil = isNillable(field);
  if (!("min" in field) || field.min === 0) {
    return { rule: `member-${change}-optional` };
  }
  if (!model.isRequired(field.key)) {
    return model.isOptional(field.key)
      ? { rule: `member-${change}-optional` }
      : { rule: `member-${change}-required`, variant: "emptiable" };
  }
  if (model.isOptional(field.key)) {
    const group = mayBeNil ? undefined : model.findOmittableGroup(field.key, keptKeys);
    if (group !== undefined) {
      return { rule: `member-${change}-required`, variant: group };
    }
    const choice = mayBeNil ? undefined : model.findRequiredChoice(field.key, keptKeys);
    return choice === undefined
      ? { rule: `member-${change}-optional` }
      : { rule: `member-${change}-required`, ...choice };
  }
  return field.kind === "any"
    ? { rule: `member-${change}-required`, variant: "any" }
    : { rule: `member-${change}-${mayBeNil ? "nillable" : "required"}` };
}

type SoapArray = Extract<TypeDefinition, { readonly kind: "array" }>;

/** Compares two complex types of which at least one is a SOAP array. */
export function compareArrays(
  context: TypeComparison,
  [before, after]: readonly [TypeDefinition, TypeDefinition],
  target: ReportTarget,
): void {
  if (before.kind === "array" && after.kind === "array") {
    const types = { before: before.item, after: after.item };
    context.compare(context, types, { ...target, subject: `${target.subject} (items)`, isElement: true });
  } else if (before.kind === "array" && after.kind === "record") {
    compareArrayWithRecord(context, { array: before, record: after, change: "removed" }, target);
  } else if (before.kind === "record" && after.kind === "array") {
    compareArrayWithRecord(context, { array: after, record: before, change: "added" }, target);
  } else {
    const names = { before: getName(before), after: getName(after) };
    target.pair.differences.push({ rule: "type-changed", ...omitPair(target), ...names });
  }
}

/**
 * Reports that a type with members replaced a SOAP array ("removed"), or the reverse ("added"). Readers of an array
 * read each element as an item, whatever its name; readers of elements read the items if an element has their name.
 */
function compareArrayWithRecord(
  context: TypeComparison,
  { array, record, change }: { readonly array: SoapArray; readonly record: RecordType; readonly change: Change },
  target: ReportTarget,
): void {
  const isArrayNew = change === "added";
  const recordSide = isArrayNew ? context.old : context.new;
  const [before, after] = isArrayNew ? [getName(record), getName(array)] : [getName(array), getName(record)];
  const report = (details: Pick<Difference, "variant" | "levels">) =>
    target.pair.differences.push({ rule: "type-changed", ...omitPair(target), before, after, ...details });
  const text = record.fields.find(({ kind }) => kind === "text");
  if (text?.kind === "text") {
    const type = computeEffectiveType(recordSide, text.type);
    const mayBeEmpty = type !== undefined && readsEmptyText(type);
    report({ variant: chooseReplacementVariant("optional", mayBeEmpty, isArrayNew ? "Before" : "Now") });
    return;
  }
  const item = record.fields.find(
    (field) =>
      field.kind === "element" &&
      formatElement({ element: field.wireName }) === formatElement({ element: array.itemName }),
  );
  const compareWithItem = (type: TypeReference, itemTarget: ReportTarget) => {
    const types = isArrayNew ? { before: type, after: array.item } : { before: array.item, after: type };
    context.compare(context, types, { ...itemTarget, subject: `${target.subject} (items)`, isElement: true });
  };
  const findItemLevel = (type: TypeReference): Level => {
    const pair = createTypePair();
    compareWithItem(type, { ...target, pair });
    const index = isArrayNew ? "oldClients" : "newClients";
    return findWorstLevel(
      pair.differences.map((difference) => {
        const rule = getRule(difference.rule);
        return getConsequences(rule, { ...difference, direction: "input" })[index];
      }),
    );
  };
  const model = new ContentModel(record, recordSide);
  const otherLevels = record.fields.map((field): Level => {
    if (field === item) {
      return "none";
    }
    if (field.kind !== "element") {
      return isAttribute(field) ? "tolerated" : "some";
    }
    const level = findWorstLevel(["tolerated", findItemLevel(field.type)]);
    const isAlways = model.isRequired(field.key) && !model.isOptional(field.key);
    return level === "breaks" && !isAlways ? "some" : level;
  });
  const levelOfArrayReader = findWorstLevel(otherLevels);
  const levelOfRecordReader = record.fields.some((field) => field.kind === "attribute" && field.required)
    ? "breaks"
    : computeLevelOfItems(array, { record, model, direction: target.direction });
  const levels: LevelsOfWriters = isArrayNew
    ? [levelOfArrayReader, levelOfRecordReader]
    : [levelOfRecordReader, levelOfArrayReader];
  report({ variant: "array", levels });
  if (item?.kind === "element") {
    compareWithItem(item.type, target);
  }
}

/** Returns the effect of the items of an array on a reader that expects the members of a record. */
function computeLevelOfItems(
  { itemName, span }: SoapArray,
  {
    record,
    model,
    direction,
  }: { readonly record: RecordType; readonly model: ContentModel; readonly direction: Direction },
): Level {
  const elementNames = new Map(
    record.fields.flatMap((field) =>
      field.kind === "element" ? [[field.key, formatElement({ element: field.wireName })] as const] : [],
    ),
  );
  const itemField: Field = { ...itemMember, wireName: itemName, span };
  const items: ContentLanguage = {
    particle: { kind: "field", key: "item" },
    fields: new Map([["item", itemField]]),
    elementNames: new Map([["item", formatElement({ element: itemName })]]),
    min: 1,
    max: 1,
    isOrdered: false,
  };
  const fields = new Map(record.fields.map((field) => [field.key, field]));
  const members: ContentLanguage = { particle: model.root, fields, elementNames, min: 1, max: 1, isOrdered: false };
  return computeExchangeLevel(items, members, direction) ?? "some";
}

/** The items of an array, as a member of a record. */
const itemMember = {
  kind: "element",
  key: "item",
  type: { kind: "builtin", name: "anyType" },
  min: 0,
  max: "unbounded",
  nillable: true,
  default: undefined,
  fixed: undefined,
  identity: [],
  inherited: false,
  documentation: undefined,
} as const;
