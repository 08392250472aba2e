import type { XmlReader } from "@bothends/xml";
import { END, TEXT } from "@bothends/xml/events";
import { clark } from "@bothends/xml/names";
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
  type ReadRecord,
  requireMember,
  setMember,
} from "../decode-table.js";
import { typeNameOf, unexpectedAttribute } from "../element-attributes.js";
import { instanceNamespace } from "../names.js";
import { SchemaMismatch } from "../schema-mismatch.js";
import { isEmptiable, isModel } from "../types.js";
import { countedLater, divided } from "./divide-groups.js";
import { mayHaveType } from "./polymorphic.js";

/** The elements that a model can begin with, and the step of each. */
class FirstElements {
  readonly #names = new Map<string, { readonly namespace: string; readonly step: number }[]>();
  readonly #wildcards: { readonly member: DecodeAny; readonly step: number }[] = [];

  add(member: DecodeElement | DecodeAny, step: number): void {
    if (member.max === 0) {
      return;
    }
    if (member.kind === "any") {
      this.#wildcards.push({ member, step });
      return;
    }
    const same = this.#names.get(member.local);
    if (same === undefined) {
      this.#names.set(member.local, [{ namespace: member.namespace, step }]);
    } else {
      same.push({ namespace: member.namespace, step });
    }
  }

  /**
   * The index of the step that begins with the reader's element, read as if it were in the given namespace; -1 if there is none.
   */
  stepAt(reader: XmlReader, asNamespace: string): number {
    for (const { namespace, step } of this.#names.get(reader.localName) ?? []) {
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

  /** The elements with this local name, each with its namespace and step. */
  named(local: string): readonly { readonly namespace: string; readonly step: number }[] {
    return this.#names.get(local) ?? [];
  }
}

const firsts = new WeakMap<object, FirstElements>();

/** Compiles the first elements of each step of a choice or an `all`, or of a whole sequence. */
function firstOf(owner: object, steps: readonly DecodeStep[], kind: "sequence" | "choice" | "all"): FirstElements {
  let first = firsts.get(owner);
  if (first === undefined) {
    first = new FirstElements();
    addFirst(first, steps, kind);
    firsts.set(owner, first);
  }
  return first;
}

function addFirst(first: FirstElements, steps: readonly DecodeStep[], kind: "sequence" | "choice" | "all"): void {
  for (const [index, step] of steps.entries()) {
    for (const member of firstMembers(step)) {
      first.add(member, index);
    }
    if (kind === "sequence" && !isEmptiable(step)) {
      return;
    }
  }
}

function firstMembers(step: DecodeStep): readonly (DecodeElement | DecodeAny)[] {
  if (!isModel(step)) {
    if (step.kind !== "group") {
      return [step];
    }
    return firstOfSequence(step.table().steps);
  }
  return step.kind === "sequence" ? firstOfSequence(step.steps) : step.steps.flatMap(firstMembers);
}

function firstOfSequence(steps: readonly DecodeStep[]): readonly (DecodeElement | DecodeAny)[] {
  const members: (DecodeElement | DecodeAny)[] = [];
  for (const step of steps) {
    members.push(...firstMembers(step));
    if (!isEmptiable(step)) {
      break;
    }
  }
  return members;
}

/**
 * Reads the content of the element at START in order, by its content model. One element of look-ahead is enough, because content
 * models are unambiguous (XSD 1.0 Part 1 §3.8.6, Unique Particle Attribution).
 */
export const inOrder: ContentReader = {
  read(context: DecodeContext, table: DecodeTable, result: ReadRecord): void {
    const match = new Match(context, table);
    match.advance();
    match.steps(table.steps, result);
    match.end();
  },
  checkAttributes({ reader }: DecodeContext, type: DecodeType): void {
    for (const attribute of reader.attributes) {
      const { namespace, localName, value } = attribute;
      if (namespace !== instanceNamespace) {
        continue;
      }
      if (!instanceAttributes.has(localName)) {
        throw unexpectedAttribute(attribute);
      }
      if (localName === "type") {
        checkActualType(type, typeNameOf(reader, value));
      }
    }
  },
};

/** Checks the name of a type in `xsi:type`. Polymorphic types and the any type check it themselves. */
function checkActualType(type: DecodeType, actual: string): void {
  if (type.kind === "record" && type.table.name !== actual) {
    throw new SchemaMismatch(`xsi:type must be ${type.table.name}.`, { text: actual });
  }
  if (type.kind === "simple" && !mayHaveType(type.type, actual)) {
    throw new SchemaMismatch(`xsi:type must be ${type.type.name} or a type derived from it.`, { text: actual });
  }
}

/** The `xsi` attributes that any element may have (XSD 1.0 Part 1 §2.6). */
const instanceAttributes: ReadonlySet<string> = new Set(["type", "nil", "schemaLocation", "noNamespaceSchemaLocation"]);

const none: ReadonlySet<DecodeMember> = new Set();

class Match {
  readonly #context: DecodeContext;
  readonly #elements: FirstElements;
  /** True if the element at START has not been read yet; false at the end of the content. */
  #waiting = false;
  /** The namespace of the waiting element, or that of its declaration if a different one is tolerated. */
  #namespace = "";
  /** The elements read so far: one bit for each of the first 31 steps of `#elements`, and one for all others. */
  #found = 0;
  /** The errors for elements with a member's local name but another namespace, by local name. */
  #misplaced: Map<string, SchemaMismatch> | undefined;
  /** Members that are counted only once their group is divided. */
  #countedLater: ReadonlySet<DecodeMember> = none;

  constructor(context: DecodeContext, owner: DecodeTable) {
    this.#context = context;
    this.#elements = elementsOf(owner);
  }

  /** Moves to the next declared element, or to the end. */
  advance(): void {
    const { reader } = this.#context;
    for (let event = reader.next(); event !== END; event = reader.next()) {
      if (event === TEXT) {
        this.#context.strayText();
        continue;
      }
      this.#namespace = reader.namespace;
      let step = this.#elements.stepAt(reader, this.#namespace);
      if (step < 0) {
        step = this.#stepElsewhere();
      }
      if (step >= 0) {
        this.#waiting = true;
        this.#found |= 1 << Math.min(step, 31);
        return;
      }
      this.#undeclared();
    }
    this.#waiting = false;
    for (const [name, mismatch] of this.#misplaced ?? []) {
      if (!this.#elements.named(name).some(({ step }) => this.#wasFound(step))) {
        throw mismatch;
      }
    }
  }

  #wasFound(step: number): boolean {
    return (this.#found & (1 << Math.min(step, 31))) !== 0;
  }

  /** The step of the element at START if it is tolerated in another namespace than declared; otherwise -1. */
  #stepElsewhere(): number {
    const { reader, tolerant } = this.#context;
    const [expected] = tolerant === undefined ? [] : this.#elements.named(reader.localName);
    if (expected === undefined || tolerant?.accepts("namespaces", reader) !== true) {
      return -1;
    }
    this.#namespace = expected.namespace;
    return expected.step;
  }

  #undeclared(): void {
    const { localName, namespace } = this.#context.reader;
    const expected = this.#context.refuseLoss ? this.#elements.named(localName)[0]?.namespace : undefined;
    if (expected !== undefined && this.#misplaced?.has(localName) !== true) {
      const message = `${clark(expected, localName)} is expected here, not ${clark(namespace, localName)}.`;
      const mismatch = new SchemaMismatch(message, { tolerance: "namespaces" }).within(localName);
      this.#misplaced = (this.#misplaced ?? new Map<string, SchemaMismatch>()).set(localName, mismatch);
    }
    this.#context.unknown();
  }

  end(): void {
    if (!this.#waiting) {
      return;
    }
    const { localName } = this.#context.reader;
    throw new SchemaMismatch(
      "The element is not expected here: the schema does not allow it at this position, or not this many times.",
    ).within(localName);
  }

  steps(steps: readonly DecodeStep[], result: ReadRecord): void {
    for (const step of steps) {
      this.#step(step, result);
    }
  }

  #step(step: DecodeStep, result: ReadRecord): void {
    if (isModel(step)) {
      this.#model(step, result);
      return;
    }
    switch (step.kind) {
      case "element":
        this.#element(step, result);
        break;
      case "any":
        this.#any(step, result);
        break;
      case "group":
        this.#group(step, result);
    }
  }

  #element(element: DecodeElement, result: ReadRecord): void {
    const { reader } = this.#context;
    let count = 0;
    while (
      this.#waiting &&
      count < element.max &&
      reader.localName === element.local &&
      this.#namespace === element.namespace
    ) {
      this.#context.add(element, result);
      count += 1;
      this.advance();
    }
    this.#checkCount(element, count, result);
  }

  #any(member: DecodeAny, result: ReadRecord): void {
    const { reader } = this.#context;
    let count = 0;
    while (this.#waiting && count < member.max && member.accepts(reader.namespace)) {
      member.add(this.#context, result);
      count += 1;
      this.advance();
    }
    this.#checkCount(member, count, result);
  }

  #checkCount(member: DecodeElement | DecodeAny, count: number, result: ReadRecord): void {
    if (count >= member.min || (count > 0 && this.#countedLater.has(member))) {
      return;
    }
    if (!this.#context.strict) {
      if (count === 0) {
        requireMember(member, result);
      }
      return;
    }
    const step = member.kind === "element" ? member.local : "*";
    throw new SchemaMismatch(
      `The element must occur at least ${member.min === 1 ? "once" : `${member.min} times`}.`,
    ).within(step);
  }

  #group(group: DecodeGroup, result: ReadRecord): void {
    const table = group.table();
    const first = firstOf(table, table.steps, "sequence");
    const { reader } = this.#context;
    const around = this.#countedLater;
    const isCore = around.has(group);
    if (!isCore) {
      this.#countedLater = countedLater(group);
    }
    let count = 0;
    while (this.#waiting && count < group.max && first.stepAt(reader, this.#namespace) >= 0) {
      const before = reader.offset;
      const item: ReadRecord = {};
      this.steps(table.steps, item);
      if (this.#waiting && reader.offset === before) {
        break;
      }
      appendItem(result, group, item);
      count += 1;
    }
    const isDivisible = !isCore && this.#countedLater.size > 0;
    this.#countedLater = around;
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
    // Empty occurrences cannot be counted.
    if (!table.steps.every(isEmptiable)) {
      throw new SchemaMismatch(
        `A group of elements must occur at least ${group.min === 1 ? "once" : `${group.min} times`}.`,
      );
    }
    if (count === 0) {
      setMember(result, group, []);
    }
  }

  #divide(group: DecodeGroup, result: ReadRecord): void {
    const items = divided(group, result[group.key]);
    if (items !== undefined) {
      setMember(result, group, items);
    } else if (this.#context.strict) {
      throw new SchemaMismatch("A group of elements, or an element in it, must occur more often.");
    }
  }

  #model(model: DecodeModel, result: ReadRecord): void {
    const { kind, steps, optional } = model;
    if (kind === "sequence") {
      if (!optional || this.#begins(model) >= 0) {
        this.steps(steps, result);
      }
    } else if (kind === "all") {
      if (!optional || this.#begins(model) >= 0) {
        this.#all(model, result);
      }
    } else {
      this.#choice(model, result);
    }
  }

  #choice(model: DecodeModel, result: ReadRecord): void {
    const alternative = model.steps[this.#begins(model)];
    if (alternative !== undefined) {
      this.#step(alternative, result);
    } else if (!isEmptiable(model)) {
      const names = model.members.map((member) => member.key).slice(0, 8);
      throw new SchemaMismatch(`One of ${names.join(", ")} is required.`);
    }
  }

  /** Reads each step at most once, in any order (XSD 1.0 Part 1 §3.8.4). */
  #all(model: DecodeModel, result: ReadRecord): void {
    const remaining = new Set(model.steps);
    for (let step = model.steps[this.#begins(model)]; step !== undefined && remaining.delete(step); ) {
      this.#step(step, result);
      step = model.steps[this.#begins(model)];
    }
    this.steps([...remaining], result);
  }

  /** The index of the step that begins with the waiting element; -1 if there is none. */
  #begins(model: DecodeModel): number {
    if (!this.#waiting) {
      return -1;
    }
    return firstOf(model, model.steps, model.kind).stepAt(this.#context.reader, this.#namespace);
  }
}

const declaredElements = new WeakMap<DecodeTable, FirstElements>();

/** Compiles every element that may occur in a record, including those in its groups, each as a step. */
function elementsOf(table: DecodeTable): FirstElements {
  let first = declaredElements.get(table);
  if (first === undefined) {
    first = new FirstElements();
    for (const [step, member] of table.steps.flatMap(leavesOf).entries()) {
      first.add(member, step);
    }
    declaredElements.set(table, first);
  }
  return first;
}

function leavesOf(step: DecodeStep): readonly (DecodeElement | DecodeAny)[] {
  if (isModel(step)) {
    return step.members.flatMap(leavesOf);
  }
  return step.kind === "group" ? step.table().steps.flatMap(leavesOf) : [step];
}
