import type { XmlReader } from "@bothends/xml";
import { clark } from "@bothends/xml/clark-names";
import { END, TEXT } from "@bothends/xml/reader-events";
import type { ContentReader } from "../../descriptor.js";
import {
  appendItem,
  type DecodeAny,
  type DecodeContext,
  type DecodeElement,
  type DecodeGroup,
  type DecodeMember,
  type DecodeModel,
  type DecodeStep,
  type DecodeTable,
  type DecodeType,
  fillNulls,
  type ReadRecord,
  requireMember,
  setMember,
} from "../decode-table.js";
import { createUnexpectedAttributeError, getTypeName } from "../element-attributes.js";
import { instanceNamespace, isEmptiable, isModel } from "../resolved-types.js";
import { SchemaMismatch } from "../schema-mismatch.js";
import { divideItems, listMembersCountedLater } from "./divide-groups.js";
import { allowsActualType } from "./polymorphic.js";

/** The elements with which a content model can begin, each with the index of the step that it begins. */
class FirstElements {
  readonly #elementsByLocalName = new Map<string, { readonly namespace: string; readonly step: number }[]>();
  readonly #wildcards: { readonly member: DecodeAny; readonly step: number }[] = [];

  add(member: DecodeElement | DecodeAny, step: number): void {
    if (member.max === 0) {
      return;
    }
    if (member.kind === "any") {
      this.#wildcards.push({ member, step });
      return;
    }
    const sameLocalName = this.#elementsByLocalName.get(member.localName);
    if (sameLocalName === undefined) {
      this.#elementsByLocalName.set(member.localName, [{ namespace: member.namespace, step }]);
    } else {
      sameLocalName.push({ namespace: member.namespace, step });
    }
  }

  /**
   * Returns the index of the step that can begin with the current element; -1 if there is none. `asNamespace` replaces
   * the namespace of the current element.
   */
  getStepOfCurrent(reader: XmlReader, asNamespace: string): number {
    for (const { namespace, step } of this.#elementsByLocalName.get(reader.localName) ?? []) {
      if (namespace === asNamespace) {
        return step;
      }
    }
    for (const { member, step } of this.#wildcards) {
      if (member.accepts(reader.namespace)) {
        return step;
      }
    }
    return -1;
  }

  /** Returns the namespaces and steps of the elements with the given local name. */
  listElementsNamed(localName: string): readonly { readonly namespace: string; readonly step: number }[] {
    return this.#elementsByLocalName.get(localName) ?? [];
  }
}

const firstElementsByModel = new WeakMap<object, FirstElements>();

/**
 * Returns the elements that can come next: those with which a sequence can begin, or those with which any step of a
 * choice or an `all` can begin. Compiled on first use.
 */
function getFirstElements(
  owner: object,
  steps: readonly DecodeStep[],
  kind: "sequence" | "choice" | "all",
): FirstElements {
  let firstElements = firstElementsByModel.get(owner);
  if (firstElements === undefined) {
    firstElements = new FirstElements();
    addFirstElements(firstElements, steps, kind);
    firstElementsByModel.set(owner, firstElements);
  }
  return firstElements;
}

function addFirstElements(
  firstElements: FirstElements,
  steps: readonly DecodeStep[],
  kind: "sequence" | "choice" | "all",
): void {
  for (const [index, step] of steps.entries()) {
    for (const member of listFirstMembers(step)) {
      firstElements.add(member, index);
    }
    if (kind === "sequence" && !isEmptiable(step)) {
      return;
    }
  }
}

function listFirstMembers(step: DecodeStep): readonly (DecodeElement | DecodeAny)[] {
  if (!isModel(step)) {
    if (step.kind !== "group") {
      return [step];
    }
    return listFirstOfSequence(step.table().steps);
  }
  return step.kind === "sequence" ? listFirstOfSequence(step.steps) : step.steps.flatMap(listFirstMembers);
}

function listFirstOfSequence(steps: readonly DecodeStep[]): readonly (DecodeElement | DecodeAny)[] {
  const members: (DecodeElement | DecodeAny)[] = [];
  for (const step of steps) {
    members.push(...listFirstMembers(step));
    if (!isEmptiable(step)) {
      break;
    }
  }
  return members;
}

/**
 * Reads the content of the current element in the order of its content model. One element of look-ahead is enough,
 * because content models are unambiguous (XSD 1.0 Part 1 §3.8.6, Unique Particle Attribution).
 */
export const inOrder: ContentReader = {
  read(context: DecodeContext, table: DecodeTable, result: ReadRecord): void {
    const matcher = new OrderedMatcher(context, table);
    matcher.advance();
    matcher.readSteps(table.steps, result);
    matcher.checkEnd();
  },
  checkAttributes({ reader }: DecodeContext, type: DecodeType): void {
    for (const attribute of reader.attributes) {
      const { namespace, localName, value } = attribute;
      if (namespace !== instanceNamespace) {
        continue;
      }
      if (!instanceAttributes.has(localName)) {
        throw createUnexpectedAttributeError(attribute);
      }
      if (localName === "type") {
        checkActualType(type, getTypeName(reader, value));
      }
    }
  },
};

/**
 * Checks the type that `xsi:type` names. The readers of polymorphic types and of `xs:anyType` make this check
 * themselves.
 */
function checkActualType(type: DecodeType, actualType: string): void {
  if (type.kind === "record" && type.table.name !== actualType) {
    throw new SchemaMismatch(`The attribute xsi:type must name the type ${type.table.name}.`, { text: actualType });
  }
  if (type.kind === "simple" && !allowsActualType(type.type, actualType)) {
    throw new SchemaMismatch(`The attribute xsi:type must name the type ${type.type.name} or a type derived from it.`, {
      text: actualType,
    });
  }
}

/** The `xsi` attributes that any element may have (XSD 1.0 Part 1 §2.6). */
const instanceAttributes: ReadonlySet<string> = new Set(["type", "nil", "schemaLocation", "noNamespaceSchemaLocation"]);

const noMembers: ReadonlySet<DecodeMember> = new Set();

/** Matches the elements in the content of a record to the steps of its content model. */
class OrderedMatcher {
  readonly #context: DecodeContext;
  readonly #elements: FirstElements;
  /**
   * Whether the reader is at the start tag of an element that has not been read yet. False at the end of the content.
   */
  #hasElement = false;
  /**
   * The namespace of the current element. For an element that is tolerated in another namespace, the declared
   * namespace.
   */
  #namespace = "";
  /**
   * The steps whose elements have been read: one bit for each of the first 31 steps of `#elements`, and one bit for all
   * later steps.
   */
  #foundSteps = 0;
  /** The errors for elements that have the local name of a member but another namespace, keyed by local name. */
  #misplacedErrors: Map<string, SchemaMismatch> | undefined;
  /** The members that are counted only after their group is divided. */
  #membersCountedLater: ReadonlySet<DecodeMember> = noMembers;

  constructor(context: DecodeContext, owner: DecodeTable) {
    this.#context = context;
    this.#elements = getElements(owner);
  }

  /** Moves to the next declared element, or to the end of the content. */
  advance(): void {
    const { reader } = this.#context;
    for (let event = reader.next(); event !== END; event = reader.next()) {
      if (event === TEXT) {
        this.#context.checkStrayText();
        continue;
      }
      this.#namespace = reader.namespace;
      let step = this.#elements.getStepOfCurrent(reader, this.#namespace);
      if (step < 0) {
        step = this.#findToleratedStep();
      }
      if (step >= 0) {
        this.#hasElement = true;
        this.#foundSteps |= 1 << Math.min(step, 31);
        return;
      }
      this.#readUndeclared();
    }
    this.#hasElement = false;
    for (const [name, mismatch] of this.#misplacedErrors ?? []) {
      if (!this.#elements.listElementsNamed(name).some(({ step }) => this.#wasFound(step))) {
        throw mismatch;
      }
    }
  }

  #wasFound(step: number): boolean {
    return (this.#foundSteps & (1 << Math.min(step, 31))) !== 0;
  }

  /**
   * Returns the step of the current element if the element is tolerated in a namespace other than the declared one;
   * otherwise -1.
   */
  #findToleratedStep(): number {
    const { reader, tolerant } = this.#context;
    const [expectedElement] = tolerant === undefined ? [] : this.#elements.listElementsNamed(reader.localName);
    if (expectedElement === undefined || tolerant?.accepts("namespaces", reader) !== true) {
      return -1;
    }
    this.#namespace = expectedElement.namespace;
    return expectedElement.step;
  }

  #readUndeclared(): void {
    const { localName, namespace } = this.#context.reader;
    const expectedNamespace = this.#elements.listElementsNamed(localName)[0]?.namespace;
    if (this.#context.refuseLoss && expectedNamespace !== undefined && this.#misplacedErrors?.has(localName) !== true) {
      const message = `The element ${clark(expectedNamespace, localName)} is expected here, not ${clark(namespace, localName)}.`;
      const mismatch = new SchemaMismatch(message, { tolerance: "namespaces" }).prependStep(localName);
      this.#misplacedErrors = (this.#misplacedErrors ?? new Map<string, SchemaMismatch>()).set(localName, mismatch);
    }
    this.#context.refuseOrSkip(expectedNamespace);
  }

  checkEnd(): void {
    if (!this.#hasElement) {
      return;
    }
    const { localName } = this.#context.reader;
    throw new SchemaMismatch(
      "The element is not expected here: the schema does not allow it at this position, or does not allow it this many times.",
    ).prependStep(localName);
  }

  readSteps(steps: readonly DecodeStep[], result: ReadRecord): void {
    for (const step of steps) {
      this.#readStep(step, result);
    }
  }

  #readStep(step: DecodeStep, result: ReadRecord): void {
    if (isModel(step)) {
      this.#readModel(step, result);
      return;
    }
    switch (step.kind) {
      case "element":
        this.#readElement(step, result);
        break;
      case "any":
        this.#readWildcard(step, result);
        break;
      case "group":
        this.#readGroup(step, result);
    }
  }

  #readElement(element: DecodeElement, result: ReadRecord): void {
    const { reader } = this.#context;
    let count = 0;
    while (
      this.#hasElement &&
      count < element.max &&
      reader.localName === element.localName &&
      this.#namespace === element.namespace
    ) {
      this.#context.addMember(element, result);
      count += 1;
      this.advance();
    }
    this.#checkCount(element, count, result);
  }

  #readWildcard(member: DecodeAny, result: ReadRecord): void {
    const { reader } = this.#context;
    let count = 0;
    while (this.#hasElement && count < member.max && member.accepts(reader.namespace)) {
      member.add(this.#context, result);
      count += 1;
      this.advance();
    }
    this.#checkCount(member, count, result);
  }

  #checkCount(member: DecodeElement | DecodeAny, count: number, result: ReadRecord): void {
    if (count >= member.min || (count > 0 && this.#membersCountedLater.has(member))) {
      return;
    }
    if (!this.#context.strict) {
      if (count === 0) {
        requireMember(member, result);
      }
      return;
    }
    const step = member.kind === "element" ? member.localName : "*";
    throw new SchemaMismatch(
      `The element must occur at least ${member.min === 1 ? "once" : `${member.min} times`}.`,
    ).prependStep(step);
  }

  #readGroup(group: DecodeGroup, result: ReadRecord): void {
    const table = group.table();
    const firstElements = getFirstElements(table, table.steps, "sequence");
    const { reader } = this.#context;
    const outerMembersCountedLater = this.#membersCountedLater;
    const isCore = outerMembersCountedLater.has(group);
    if (!isCore) {
      this.#membersCountedLater = listMembersCountedLater(group);
    }
    let count = 0;
    while (this.#hasElement && count < group.max && firstElements.getStepOfCurrent(reader, this.#namespace) >= 0) {
      const offsetBefore = reader.offset;
      const item: ReadRecord = {};
      this.readSteps(table.steps, item);
      if (this.#hasElement && reader.offset === offsetBefore) {
        break;
      }
      appendItem(result, group, fillNulls(table, item));
      count += 1;
    }
    const isDivisible = !isCore && this.#membersCountedLater.size > 0;
    this.#membersCountedLater = outerMembersCountedLater;
    if (count > 0 && isCore) {
      return;
    }
    if (count > 0 && isDivisible) {
      this.#divide(group, result);
      return;
    }
    if (count >= group.min || (count > 0 && !this.#context.strict)) {
      return;
    }
    // If all elements of the group are optional, empty occurrences take the place of the missing occurrences.
    if (!table.steps.every(isEmptiable)) {
      throw new SchemaMismatch(
        `The group of the elements ${joinNames(group)} must occur at least ${formatTimes(group.min)}.`,
      );
    }
    if (count === 0) {
      setMember(result, group, []);
    }
  }

  #divide(group: DecodeGroup, result: ReadRecord): void {
    const items = divideItems(group, result[group.key]);
    if (items !== undefined) {
      setMember(result, group, items);
    } else if (this.#context.strict) {
      const requirement = `at least ${formatTimes(Math.max(1, group.min))}, each time with its required elements`;
      throw new SchemaMismatch(
        `The elements ${joinNames(group)} do not occur often enough: their group must occur ${requirement}.`,
      );
    }
  }

  #readModel(model: DecodeModel, result: ReadRecord): void {
    const { kind, steps, optional } = model;
    if (kind === "sequence") {
      if (!optional || this.#getCurrentStep(model) >= 0) {
        this.readSteps(steps, result);
      }
    } else if (kind === "all") {
      if (!optional || this.#getCurrentStep(model) >= 0) {
        this.#readAll(model, result);
      }
    } else {
      this.#readChoice(model, result);
    }
  }

  #readChoice(model: DecodeModel, result: ReadRecord): void {
    const alternative = model.steps[this.#getCurrentStep(model)];
    if (alternative !== undefined) {
      this.#readStep(alternative, result);
    } else if (!isEmptiable(model)) {
      const names = model.members.map((member) => member.key).slice(0, 8);
      throw new SchemaMismatch(`One of the elements ${names.join(", ")} is required.`);
    }
  }

  /** Reads the steps of an `all`, each at most once, in any order (XSD 1.0 Part 1 §3.8.4). */
  #readAll(model: DecodeModel, result: ReadRecord): void {
    const remainingSteps = new Set(model.steps);
    for (let step = model.steps[this.#getCurrentStep(model)]; step !== undefined && remainingSteps.delete(step); ) {
      this.#readStep(step, result);
      step = model.steps[this.#getCurrentStep(model)];
    }
    this.readSteps([...remainingSteps], result);
  }

  /** Returns the index of the step that can begin with the current element; -1 if there is none. */
  #getCurrentStep(model: DecodeModel): number {
    if (!this.#hasElement) {
      return -1;
    }
    return getFirstElements(model, model.steps, model.kind).getStepOfCurrent(this.#context.reader, this.#namespace);
  }
}

const declaredElements = new WeakMap<DecodeTable, FirstElements>();

function joinNames(group: DecodeGroup): string {
  const members = group.table().steps.flatMap(listLeaves);
  return members
    .map(({ key }) => key)
    .slice(0, 8)
    .join(", ");
}

function formatTimes(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

/**
 * Returns every element that may occur in a record, including those in its groups, numbered in the order of the
 * content.
 */
function getElements(table: DecodeTable): FirstElements {
  let firstElements = declaredElements.get(table);
  if (firstElements === undefined) {
    firstElements = new FirstElements();
    for (const [step, member] of table.steps.flatMap(listLeaves).entries()) {
      firstElements.add(member, step);
    }
    declaredElements.set(table, firstElements);
  }
  return firstElements;
}

function listLeaves(step: DecodeStep): readonly (DecodeElement | DecodeAny)[] {
  if (isModel(step)) {
    return step.members.flatMap(listLeaves);
  }
  return step.kind === "group" ? step.table().steps.flatMap(listLeaves) : [step];
}
