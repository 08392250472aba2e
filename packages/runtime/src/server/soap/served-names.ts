import { clark, splitClark } from "@bothends/xml";
import type { AnyBodyDescriptor, AnyOperationDescriptor, ServiceFacts } from "../../descriptor.js";
import { ConfigError } from "../../errors.js";
import { elementMembers } from "./members.js";
import type { WireNameOptions } from "./service.js";

/** The names of one service as they are on the wire. */
export interface ServedNames {
  /** For codecs. */
  readonly namespaces: ReadonlyMap<string, string>;
  readonly elements: ReadonlyMap<string, string>;
  /** The name of an element, `{namespace}local`. */
  element(name: string): string;
  namespace(namespace: string): string;
  operation(name: string): string;
  action(action: string, operation: string): string;
  location(location: string, operation: string): string;
  /** What fills the slots of a published document. */
  namespaceSlot(slot: string): string;
}

/** Maps the schema's names to the ones that the user of a server gives. */
export function servedNames(
  operations: readonly AnyOperationDescriptor[],
  facts: ServiceFacts = {},
  wireNames: WireNameOptions = {},
): ServedNames {
  const slots = facts.slots?.namespaces ?? {};
  const given = new Map(definedEntries(wireNames.namespaces));
  const renamed = new Map(definedEntries(wireNames.operations));
  refuseUnknown("namespace", given.keys(), Object.keys(slots));
  refuseUnknown("operation", renamed.keys(), facts.slots?.operations ?? []);

  const namespaces = new Map<string, string>();
  for (const [slot, namespace] of Object.entries(slots)) {
    const real = given.get(slot);
    if (real !== undefined && real !== namespace) namespaces.set(namespace, real);
  }
  const elements = renamedElements(operations, renamed);
  const namespaceOf = (namespace: string) => namespaces.get(namespace) ?? namespace;
  const operationOf = (name: string) => renamed.get(name) ?? name;
  return {
    namespaces,
    elements,
    element(name) {
      const { namespace, localName } = splitClark(name);
      return clark(namespaceOf(namespace), elements.get(name) ?? localName);
    },
    namespace: namespaceOf,
    operation: operationOf,
    action: (action, operation) => replaceAction(action, { namespaces, operation, real: operationOf(operation) }),
    location: (location, operation) => replaceLast(location, operation, operationOf(operation)),
    namespaceSlot: (slot) => given.get(slot) ?? slots[slot] ?? "",
  };
}

function definedEntries(record: Readonly<Record<string, string | undefined>> = {}): [string, string][] {
  return Object.entries(record).filter((entry): entry is [string, string] => entry[1] !== undefined);
}

function refuseUnknown(kind: string, given: Iterable<string>, known: readonly string[]): void {
  for (const name of given) {
    if (!known.includes(name)) throw new ConfigError(`wireNames names the ${kind} ${name}, which cannot be renamed.`);
  }
}

/** The elements whose names begin with an operation's follow it: the wrappers, and the result inside. */
function renamedElements(
  operations: readonly AnyOperationDescriptor[],
  renamed: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const elements = new Map<string, string>();
  for (const { name, input, output } of operations) {
    const real = renamed.get(name);
    if (real === undefined) continue;
    for (const element of [...elementsOf(input.body), ...(output === undefined ? [] : elementsOf(output.body))]) {
      const { localName } = splitClark(element);
      if (localName.startsWith(name)) elements.set(element, real + localName.slice(name.length));
    }
  }
  return elements;
}

function elementsOf(body: AnyBodyDescriptor): readonly string[] {
  if ("parts" in body) return elementMembers(body.parts()).map(({ name }) => name);
  const type = typeof body.type === "function" ? body.type() : body.type;
  return [body.element, ...elementMembers(type).map(({ name }) => name)];
}

/** An action is a namespace and the operation's name, usually; the slash between belongs to neither. */
function replaceAction(
  action: string,
  { namespaces, operation, real }: { namespaces: ReadonlyMap<string, string>; operation: string; real: string },
): string {
  const found = [...namespaces]
    .filter(([namespace]) => action.startsWith(namespace))
    .sort((a, b) => b[0].length - a[0].length);
  const [namespace, served] = found[0] ?? ["", ""];
  const rest = replaceLast(action.slice(namespace.length), operation, real);
  if (namespace === "" || !/[/#:]$/.test(namespace) || /[/#:]$/.test(served) || rest === "") {
    return served + (/[/#:]$/.test(served) && !/[/#:]$/.test(namespace) ? rest.replace(/^\//, "") : rest);
  }
  return `${served}/${rest}`;
}

/** Replaces a name where it ends the text, after a separator. */
function replaceLast(text: string, name: string, real: string): string {
  if (name === real || !text.endsWith(name)) return text;
  const before = text.slice(0, text.length - name.length);
  return before === "" || /[^A-Za-z0-9_]$/.test(before) ? before + real : text;
}
