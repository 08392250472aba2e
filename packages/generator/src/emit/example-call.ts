import type {
  BuiltinName,
  Endpoint,
  FacetValue,
  Field,
  Input,
  Particle,
  TypeDefinition,
  TypeId,
  TypeReference,
} from "../model/index.js";
import {
  exampleTexts,
  findBodyType,
  findMatchingText,
  type InterfacePlan,
  type RestPlan,
  type SoapPlan,
} from "../plan/index.js";
import { writeKey, writeLiteral } from "../print/index.js";

/** A method call in an example program. */
export interface ExampleCall {
  /** The members that lead from the client to the method: `["posts", "list"]`. */
  readonly path: readonly string[];
  /** The code of the input, an object literal; undefined if the input is too large for an example. */
  readonly input: string | undefined;
  /** The name of the input's type; undefined if the type has no name. */
  readonly inputType: string | undefined;
}

/** Chooses the call with which an example program begins, and writes its input. Undefined without operations. */
export function createExampleCall(plan: InterfacePlan): ExampleCall | undefined {
  return plan.kind === "soap" ? createSoapCall(plan) : createRestCall(plan);
}

function createSoapCall(plan: SoapPlan): ExampleCall | undefined {
  const { path, example, input } = chooseSoapCall(plan) ?? {};
  return path && { path, input: example && formatExample(example, ""), inputType: input && findTypeName(plan, input) };
}

function findTypeName({ types }: SoapPlan, { body }: Input): string | undefined {
  const id = findBodyType(body);
  const type = id === undefined ? undefined : types.get(id);
  return type?.isInline === false ? type.name : undefined;
}

interface SoapCall extends Pick<ExampleCall, "path"> {
  readonly input: Input;
  readonly example: Example | undefined;
}

/**
 * Chooses the operation to call: the first with a small input, otherwise the first without input, otherwise the first
 * whose input has an example, otherwise the first of all.
 */
function chooseSoapCall(plan: SoapPlan): SoapCall | undefined {
  const types = { plan, byId: new Map(plan.interface.types.map((type) => [type.id, type])), records: new Map() };
  let callWithoutInput: SoapCall | undefined;
  let callWithExample: SoapCall | undefined;
  let fallback: SoapCall | undefined;
  for (const { member, operations } of plan.services) {
    for (const { operation, method } of operations) {
      const example = createInputExample(types, operation.input);
      const path = plan.hasFacade ? [member, method] : [method];
      const call = { path, example, input: operation.input };
      if (example !== undefined && example.valueCount > 0 && example.valueCount <= maxSmallInput) {
        return call;
      }
      fallback ??= call;
      if (example !== undefined && example.valueCount > 0) {
        callWithExample ??= call;
      } else if (example !== undefined) {
        callWithoutInput ??= call;
      }
    }
  }
  return callWithoutInput ?? callWithExample ?? fallback;
}

function createInputExample(types: Types, { body, attachments }: Input): Example | undefined {
  if (attachments.length > 0) {
    return undefined;
  }
  return body.kind === "parts" ? createRecordExample(types, body.record, 0) : createExample(types, body.type, 0);
}

/** The maximum number of values in an input that is preferred to an operation without input. */
const maxSmallInput = 6;
/** The maximum number of values in an example, of its records, and of records and arrays that contain each other. */
const maxValues = 16;
const maxRecords = 32;
const maxDepth = 4;

/** The types of an interface, by id. */
interface Types {
  readonly plan: SoapPlan;
  readonly byId: ReadonlyMap<TypeId, TypeDefinition>;
  /** The examples of records, by depth and type. Without them, a type would be read again for each use. */
  readonly records: Map<string, Example | undefined>;
}

/**
 * An example of an input: a value, the items of a list, or the required members of a record. The code of a value is
 * written only for the operation that is chosen, because it takes time to find a value that matches a pattern.
 */
type Example = { readonly valueCount: number; readonly recordCount: number } & (
  | { readonly kind: "value"; readonly isText: boolean; writeCode(): string }
  | { readonly kind: "list"; readonly item: Example }
  | { readonly kind: "record"; readonly members: readonly (readonly [key: string, value: Example])[] }
);

function createRecordExample(types: Types, id: TypeId, depth: number): Example | undefined {
  const key = `${depth} ${id}`;
  if (!types.records.has(key)) {
    types.records.set(key, createNewRecordExample(types, id, depth));
  }
  return types.records.get(key);
}

function createNewRecordExample(types: Types, id: TypeId, depth: number): Example | undefined {
  const type = types.byId.get(id);
  if (type?.kind !== "record" || type.abstract || depth > maxDepth) {
    return undefined;
  }
  const keysInContent = new Set(type.content.flatMap(listRequiredKeys));
  const members: (readonly [string, Example])[] = [];
  let valueCount = 0;
  let recordCount = 1;
  for (const field of type.fields) {
    if (isRequired(field) && (!isParticle(field) || keysInContent.has(field.key))) {
      const example = createFieldExample(types, field, depth);
      valueCount += example?.valueCount ?? 0;
      recordCount += example?.recordCount ?? 0;
      if (example === undefined || valueCount > maxValues || recordCount > maxRecords) {
        return undefined;
      }
      members.push([field.key, example]);
    }
  }
  return { kind: "record", members, valueCount, recordCount };
}

function isRequired(field: Field): boolean {
  switch (field.kind) {
    case "element":
    case "group":
    case "any":
      return field.min > 0;
    case "attribute":
      return field.required;
    case "anyAttribute":
      return false;
    default:
      return true;
  }
}

/** Whether a field is part of the content model, in which it can be in an optional group or in a choice. */
function isParticle({ kind }: Field): boolean {
  return kind === "element" || kind === "group" || kind === "any";
}

/** Lists the fields that a content model requires. Of a choice, the example has the first alternative. */
function listRequiredKeys(particle: Particle): readonly string[] {
  if (particle.kind === "field") {
    return [particle.key];
  }
  const particles = particle.kind === "choice" ? particle.particles.slice(0, 1) : particle.particles;
  return particle.optional ? [] : particles.flatMap(listRequiredKeys);
}

function createFieldExample(types: Types, field: Field, depth: number): Example | undefined {
  if (!("type" in field)) {
    return undefined;
  }
  const example = createExample(types, field.type, depth);
  if (field.kind !== "element") {
    return example;
  }
  if (example === undefined) {
    return field.nillable && field.max === 1 ? createValue(() => "null") : undefined;
  }
  return field.max === 1 ? example : createList(example);
}

/** Creates an example of a type; undefined if the type has no simple example. */
function createExample(
  types: Types,
  reference: TypeReference,
  depth: number,
  restrictions: readonly (readonly FacetValue[])[] = [],
): Example | undefined {
  if (reference.kind === "builtin") {
    return createBuiltinExample(types, reference.name, restrictions);
  }
  const type = types.byId.get(reference.id);
  const { mapping, represented } = types.plan.types.get(reference.id) ?? {};
  if (mapping !== undefined || represented !== undefined) {
    return undefined;
  }
  switch (type?.kind) {
    case "record":
      return createRecordExample(types, type.id, depth + 1);
    case "restriction":
      return createExample(types, type.base, depth, [type.facets, ...restrictions]);
    case "enumeration": {
      const base = createExample(types, type.base, depth);
      return base?.kind === "value" && base.isText ? createText(() => type.values[0]?.text ?? "") : undefined;
    }
    case "polymorphic": {
      // A value of the declared type needs no `$type`.
      const [first] = type.alternatives;
      return first?.type === type.declared ? createRecordExample(types, first.type, depth + 1) : undefined;
    }
    case "list":
    case "array": {
      // The items of an array may have the type of the array itself.
      const item = depth > maxDepth ? undefined : createExample(types, type.item, depth + 1);
      return item && createList(item);
    }
    default:
      return undefined;
  }
}

function createBuiltinExample(
  { plan }: Types,
  name: BuiltinName,
  restrictions: readonly (readonly FacetValue[])[],
): Example | undefined {
  const facets = restrictions.flat();
  const minimum = facets.findLast(({ facet }) => facet === "minInclusive")?.value;
  const number = typeof minimum === "string" && /^-?\d+$/.test(minimum) ? minimum : findSmallNumber(name);
  const findText = (preferredText: string, form: RegExp) => {
    const isUsable = (text: string) => form.test(text);
    return findMatchingText({ builtin: name, restrictions }, { preferredText, isUsable }) ?? preferredText;
  };
  switch (plan.builtins.get(name)?.value) {
    case "string":
    case "lexical": {
      const exampleText = name === "decimal" && facets.length > 0 ? number : exampleTexts.get(name);
      if (exampleText === undefined && getLength(facets) > maxTextLength && !hasPattern(facets)) {
        return createValue(() => `"…".repeat(${getLength(facets)})`);
      }
      return createText(() => findText(exampleText ?? "…".repeat(Math.min(getLength(facets), maxTextLength)), /./s));
    }
    case "number":
      return createValue(() => findText(number, numberLiteral));
    case "bigint":
      return createValue(() => `${findText(number, numberLiteral)}n`);
    case "boolean":
      return createValue(() => "true");
    case "bytes":
      return createValue(() => `new Uint8Array(${facets.some(isLength) ? getLength(facets) : "[1, 2, 3]"})`);
    case "date":
      return createValue(() => 'new Date("2026-01-31")');
    case "strings":
      return createValue(() => '["name"]');
    default:
      return undefined;
  }
}

/** A number as it is written in JavaScript, without an exponent. */
const numberLiteral = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

function findSmallNumber(name: BuiltinName): string {
  return name === "negativeInteger" ? "-1" : name === "nonPositiveInteger" ? "0" : "1";
}

/** The maximum length of an example that is written as a literal. */
const maxTextLength = 20;

function isLength({ facet }: FacetValue): boolean {
  return facet === "length" || facet === "minLength" || facet === "maxLength";
}

function hasPattern(facets: readonly FacetValue[]): boolean {
  return facets.some(({ facet }) => facet === "pattern");
}

/** Returns the length that the facets require, and at least 1. */
function getLength(facets: readonly FacetValue[]): number {
  const length = facets.findLast(({ facet }) => facet === "length" || facet === "minLength")?.value;
  return typeof length === "number" ? Math.max(length, 1) : 1;
}

function createList(item: Example): Example {
  return { kind: "list", item, valueCount: item.valueCount, recordCount: item.recordCount };
}

function createValue(writeCode: () => string): Example {
  return { kind: "value", isText: false, writeCode, valueCount: 1, recordCount: 0 };
}

function createText(findText: () => string): Example {
  return { kind: "value", isText: true, writeCode: () => writeLiteral(findText()), valueCount: 1, recordCount: 0 };
}

/** The maximum length of an example that is written on one line. */
const maxLineLength = 90;

/** Formats an example as an expression. Records that are too long for a line have a line for each member. */
function formatExample(example: Example, indent: string): string {
  if (example.kind === "value") {
    return example.writeCode();
  }
  if (example.kind === "list") {
    return `[${formatExample(example.item, indent)}]`;
  }
  const { members } = example;
  if (members.length === 0) {
    return "{}";
  }
  const innerIndent = `${indent}  `;
  const texts = members.map(([key, value]) => `${writeKey(key)}: ${formatExample(value, innerIndent)}`);
  const line = `{ ${texts.join(", ")} }`;
  return line.length <= maxLineLength && !line.includes("\n")
    ? line
    : `{\n${texts.map((text) => `${innerIndent}${text},\n`).join("")}${indent}}`;
}

/**
 * Chooses the endpoint to call: the list of posts, which most readers know; otherwise the first list of WordPress, the
 * first list, or the first endpoint.
 */
function createRestCall(plan: RestPlan): ExampleCall | undefined {
  const calls = plan.groups.flatMap(({ member, endpoints }) =>
    endpoints.map(({ endpoint, path, input: inputType }) => ({
      path: member === undefined ? path : [member, ...path],
      input: endpoint.args.some(({ required }) => required) ? undefined : writeExampleArguments(endpoint),
      inputType,
      route: path.at(-1) === "list" ? endpoint.route : "",
    })),
  );
  const callsWithInput = calls.filter(({ input }) => input !== undefined);
  return (
    callsWithInput.find(({ route }) => route === "/wp/v2/posts") ??
    callsWithInput.find(({ route }) => route.startsWith("/wp/v2/")) ??
    callsWithInput.find(({ route }) => route !== "") ??
    callsWithInput[0] ??
    calls[0]
  );
}

/** Writes arguments that limit the first answer to five items. */
function writeExampleArguments({ args }: Endpoint): string {
  return args.some(({ name, type }) => name === "per_page" && type.kind === "integer") ? "{ per_page: 5 }" : "{}";
}
