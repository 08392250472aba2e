import { findBodyType, type SoapInterface, type TargetNamespace } from "@bothends/generator";
import { getNamespaceChange, hasOtherForm, type NamespaceCheck } from "../../merge-replacements.js";
import type { DifferenceWithOperations } from "../difference.js";

/**
 * Returns a function that says whether one namespace was replaced with another: whether the new version no longer has
 * the old namespace, and the old version did not have the new one.
 */
export function createNamespaceCheck(before: SoapInterface, after: SoapInterface): NamespaceCheck {
  let versions: readonly [Namespaces, Namespaces] | undefined;
  return (change) => {
    versions ??= [listNamespaces(before), listNamespaces(after)];
    const [oldNamespaces, newNamespaces] = versions;
    const { before: oldNamespace, after: newNamespace, moved, files } = change;
    if (hasOtherForm(change)) {
      // The elements of the old file may now be in another file.
      return files.every(
        (file) =>
          !newNamespaces.members.has(`${file} ${oldNamespace}`) &&
          !oldNamespaces.members.has(`${file} ${newNamespace}`),
      );
    }
    const part = moved === undefined ? "operations" : "all";
    return !newNamespaces[part].has(oldNamespace) && !oldNamespaces[part].has(newNamespace);
  };
}

interface Namespaces {
  /**
   * The files that declare elements of types, each with the namespace of these elements: `orders.xsd urn:orders`.
   * Header blocks are not among them, because a header block is a global element, which always has a namespace.
   */
  readonly members: ReadonlySet<string>;
  /** The namespaces of operations of rpc style. */
  readonly operations: ReadonlySet<string>;
  /** The namespaces of members, types, bodies and faults. */
  readonly all: ReadonlySet<string>;
}

function listNamespaces({ services, types }: SoapInterface): Namespaces {
  const operations = services.flatMap((service) => service.operations);
  const bodies = operations.flatMap(({ input, output }) => [
    input.body,
    ...(output === undefined ? [] : [output.body]),
  ]);
  // The parts of an rpc message never have a namespace.
  const parts = new Set(
    bodies.flatMap((body) => (body.kind === "parts" || body.rpc ? (findBodyType(body) ?? []) : [])),
  );
  const headers = new Set(
    operations.flatMap(({ input, output }) => [input.headers, output?.headers, output?.headerFaults]),
  );
  const records = types.flatMap((type) => (type.kind === "record" && !parts.has(type.id) ? [type] : []));
  const listFields = (owners: typeof records) =>
    owners.flatMap(({ fields }) => fields.filter((field) => field.kind === "element"));
  const members = listFields(records.filter(({ id }) => !headers.has(id)));
  const listElements = (rpc: boolean) =>
    bodies.flatMap((body) => (body.kind === "element" && body.rpc === rpc ? body.element.namespace : []));
  const faults = operations.flatMap((operation) => operation.faults.map(({ element }) => element.namespace));
  const names = records.map(({ wireName }) => wireName.namespace);
  return {
    members: new Set(members.map(({ span, wireName }) => `${span?.source.path} ${wireName.namespace}`)),
    operations: new Set(listElements(true)),
    all: new Set([
      ...listFields(records).map(({ wireName }) => wireName.namespace),
      ...listElements(false),
      ...faults,
      ...names,
    ]),
  };
}

/**
 * Gives each difference that replaces a namespace the positions of the target namespace or of `elementFormDefault`, if
 * a document replaces it.
 */
export function addNamespaceSpans(
  differences: readonly DifferenceWithOperations[],
  [before, after]: readonly [SoapInterface, SoapInterface],
): readonly DifferenceWithOperations[] {
  const documents = matchDocuments(before.targetNamespaces ?? [], after.targetNamespaces ?? []);
  return differences.map((difference) => {
    const change = findChange(difference);
    if (change === undefined) {
      return difference;
    }
    const { path } = difference.newSpan?.source ?? {};
    const sortedDocuments = [...documents].sort(
      ([, left], [, right]) => Number(getPath(right) === path) - Number(getPath(left) === path),
    );
    if (hasOtherForm(change)) {
      const [oldForm, newForm] =
        sortedDocuments
          .map((document) => document.map(({ elementForm }) => elementForm))
          .find(([oldForm, newForm]) => oldForm?.isQualified !== newForm?.isQualified) ?? [];
      const spans = oldForm && newForm && { oldSpan: oldForm.span, newSpan: newForm.span };
      return { ...difference, ...spans };
    }
    const [oldDocument, newDocument] =
      sortedDocuments.find(
        ([left, right]) =>
          left.span !== undefined && left.namespace === change.before && right.namespace === change.after,
      ) ?? [];
    const spans = oldDocument && newDocument?.span && { oldSpan: oldDocument.span, newSpan: newDocument.span };
    return { ...difference, ...spans };
  });
}

function findChange(difference: DifferenceWithOperations) {
  const { rule, before, after } = difference;
  if (rule !== "namespace-changed" && rule !== "service-namespace-changed") {
    return getNamespaceChange(difference);
  }
  const parseNamespace = (text = "") => (text === "no namespace" ? "" : text);
  return { before: parseNamespace(before), after: parseNamespace(after) };
}

/** Matches the documents of both versions by their files, and those of one file by their order. */
function matchDocuments(
  before: readonly TargetNamespace[],
  after: readonly TargetNamespace[],
): readonly (readonly [before: TargetNamespace, after: TargetNamespace])[] {
  return before.flatMap((document) => {
    const isSameFile = (other: TargetNamespace) => getPath(other) === getPath(document);
    const counterpart = after.filter(isSameFile)[before.filter(isSameFile).indexOf(document)];
    return counterpart === undefined ? [] : [[document, counterpart] as const];
  });
}

function getPath({ span, elementForm }: TargetNamespace): string | undefined {
  return (span ?? elementForm?.span)?.source.path;
}
