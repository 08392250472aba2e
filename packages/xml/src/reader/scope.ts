// The reader's state: the open elements, the namespaces in scope, and the counts that are limited.
import { convertToUtf16Position, createSyntaxError, XmlError } from "../error.js";
import type { XmlLimits } from "../limits.js";
import { xmlNamespace, xmlnsNamespace } from "../name-characters.js";

/**
 * The state of a reader after a START, from which another reader can continue in a document with the same beginning.
 */
export interface Checkpoint {
  readonly at: number;
  readonly nodes: number;
  readonly comments: number;
  readonly open: OpenNames;
  readonly namespaces: PrefixLookup;
}

/** The open elements at a position, one entry per depth. */
interface OpenNames {
  readonly names: readonly string[];
  readonly prefixes: readonly string[];
  readonly localNames: readonly string[];
  readonly namespaces: readonly string[];
  readonly children: readonly number[];
}

const noElements: OpenNames = { names: [""], prefixes: [""], localNames: [""], namespaces: [""], children: [0] };

/** The open elements, from the document element to the current one. */
export class OpenElements {
  depth: number;
  // One entry per depth. Parallel arrays are faster than an object per element.
  readonly #names: string[];
  readonly #prefixes: string[];
  readonly #localNames: string[];
  readonly #namespaces: string[];
  readonly #marks: number[];
  readonly #childCounts: number[];
  readonly #counter: LimitCounter;
  readonly #scope: NamespaceScope;

  /** `openNames` contains the elements that are already open. */
  constructor(counter: LimitCounter, scope: NamespaceScope, openNames = noElements) {
    this.#counter = counter;
    this.#scope = scope;
    this.#names = openNames.names.slice();
    this.#prefixes = openNames.prefixes.slice();
    this.#localNames = openNames.localNames.slice();
    this.#namespaces = openNames.namespaces.slice();
    this.#childCounts = openNames.children.slice();
    this.#marks = this.#childCounts.map(() => 0);
    this.depth = this.#childCounts.length - 1;
  }

  /** The elements that are open now, for a reader that continues at this position. */
  get openNames(): OpenNames {
    const end = this.depth + 1;
    return {
      names: this.#names.slice(0, end),
      prefixes: this.#prefixes.slice(0, end),
      localNames: this.#localNames.slice(0, end),
      namespaces: this.#namespaces.slice(0, end),
      children: this.#childCounts.slice(0, end),
    };
  }

  /** Counts a child of the current element. `offset` is the start of its tag. */
  addChild(offset: number): void {
    const parent = this.depth;
    const children = (this.#childCounts[parent] ?? 0) + 1;
    const counter = this.#counter;
    if (parent >= counter.limits.depth) {
      counter.refuse("depth", offset);
    }
    if (children > counter.limits.children && parent > 0) {
      counter.refuse("children", offset);
    }
    counter.addNodes(1, offset);
    this.#childCounts[parent] = children;
  }

  /** Opens an element whose tag begins at `offset`. The caller must then declare its namespaces and set its name. */
  open(offset: number): void {
    this.addChild(offset);
    const depth = this.depth + 1;
    this.#childCounts[depth] = 0;
    this.#marks[depth] = this.#scope.size;
    this.depth = depth;
  }

  /** Closes the current element and removes its namespace declarations from the scope. */
  close(): void {
    const mark = this.mark;
    if (this.#scope.size > mark) {
      this.#scope.restore(mark);
    }
    this.depth -= 1;
  }

  setName(name: string, prefix: string, localName: string, namespace: string): void {
    const depth = this.depth;
    this.#names[depth] = name;
    this.#prefixes[depth] = prefix;
    this.#localNames[depth] = localName;
    this.#namespaces[depth] = namespace;
  }

  /** The name of the current element, with its prefix. */
  get name(): string {
    return this.#names[this.depth] ?? "";
  }

  /** The path of the current element in local names, such as `/Envelope/Body`. */
  get path(): string {
    return this.#localNames.slice(0, this.depth + 1).join("/");
  }

  get localName(): string {
    return this.#localNames[this.depth] ?? "";
  }

  /** The number of namespace declarations in scope around the current element. */
  get mark(): number {
    return this.#marks[this.depth] ?? 0;
  }

  getPrefixAt(depth: number): string {
    return this.#prefixes[depth] ?? "";
  }

  getNamespaceAt(depth: number): string {
    return this.#namespaces[depth] ?? "";
  }
}

interface Binding {
  readonly namespace: string;
  /** A short text that identifies the namespace in the document. */
  readonly key: string;
  /** The number of declarations that were in scope before this one. */
  readonly index: number;
}

/** Maps prefixes to namespaces. The prefix `""` means the default namespace. */
export interface PrefixLookup {
  get(prefix: string): string | undefined;
}

const instanceNamespace = "http://www.w3.org/2001/XMLSchema-instance";
const noPrefixes: PrefixLookup = new Map<string, string>();
const xmlBinding: Binding = { namespace: xmlNamespace, key: xmlNamespace, index: -1 };

/** The maximum length of a namespace that is its own key. */
const maxKeyLength = 100;

/**
 * The namespaces in scope (Namespaces in XML 1.0 §6). A map contains the current bindings, and a list contains the
 * bindings to restore when an element ends, so that a lookup takes the same time at any depth and with any number of
 * declarations.
 */
export class NamespaceScope {
  readonly #currentBindings: Map<string, Binding> = new Map([["xml", xmlBinding]]);
  readonly #prefixes: string[] = [];
  /** For each declaration, the binding that the declaration replaced. */
  readonly #replacedBindings: (Binding | undefined)[] = [];
  readonly #outerScope: PrefixLookup;
  /** The keys of long namespaces. */
  #longNamespaceKeys: Map<string, string> | undefined;
  /** The default namespace. */
  defaultNamespace: string;
  /** Changes with every binding. While it is the same, all prefixes have the same namespaces. */
  version = 0;
  // The last prefix that was looked up, and its namespace: most lookups are for the same prefix as the previous one,
  // and comparing is faster than hashing.
  #lastPrefix = "xml";
  #lastNamespace = xmlNamespace;

  /** `outerScope` contains the bindings outside the document. */
  constructor(outerScope: PrefixLookup = noPrefixes) {
    this.#outerScope = outerScope;
    this.defaultNamespace = outerScope.get("") ?? "";
  }

  /** The namespaces of all declared prefixes. */
  get declarations(): PrefixLookup {
    return new Map([...this.#currentBindings].map(([prefix, { namespace }]) => [prefix, namespace]));
  }

  /** The number of declarations in scope. Passed to `restore`, it removes all later declarations. */
  get size(): number {
    return this.#prefixes.length;
  }

  resolve(prefix: string): string | undefined {
    return prefix === ""
      ? this.defaultNamespace
      : (this.#currentBindings.get(prefix)?.namespace ?? this.#outerScope.get(prefix));
  }

  /** Returns the namespace of a prefix in a name. Throws if the prefix is not declared. */
  require(prefix: string, source: string, offset: number): string {
    if (prefix === this.#lastPrefix) {
      return this.#lastNamespace;
    }
    const namespace = this.#currentBindings.get(prefix)?.namespace ?? this.#outerScope.get(prefix);
    if (namespace === undefined) {
      throw createSyntaxError(source, offset, "undeclaredPrefix", prefix);
    }
    this.#lastPrefix = prefix;
    this.#lastNamespace = namespace;
    return namespace;
  }

  /**
   * Returns a short text that identifies the namespace of a declared prefix in the document. A tag of a few bytes can
   * have attributes in many namespaces of 65,000 characters each, so names with keys are compared instead.
   */
  getNamespaceKey(prefix: string): string {
    return this.#currentBindings.get(prefix)?.key ?? this.#createKey(this.#outerScope.get(prefix) ?? "");
  }

  #createKey(namespace: string): string {
    if (namespace.length <= maxKeyLength) {
      return namespace;
    }
    this.#longNamespaceKeys ??= new Map();
    let key = this.#longNamespaceKeys.get(namespace);
    if (key === undefined) {
      // No namespace contains this character (XML 1.0 §2.2).
      key = `\0${this.#longNamespaceKeys.size}`;
      this.#longNamespaceKeys.set(namespace, key);
    }
    return key;
  }

  declare(prefix: string, namespace: string): void {
    const index = this.#prefixes.push(prefix) - 1;
    this.#replacedBindings.push(this.#currentBindings.get(prefix));
    // Every attribute of an element is compared with this namespace. Slices of the document are compared character by
    // character; a constant is compared with itself at once, which saves 3 % when decoding a message with `xsi:nil`.
    const constant = namespace === instanceNamespace ? instanceNamespace : namespace;
    this.#set(prefix, { namespace: constant, key: this.#createKey(constant), index });
  }

  /** Returns the prefixes declared since `mark`, in order. */
  listPrefixesSince(mark: number): readonly string[] {
    return this.#prefixes.slice(mark);
  }

  isDeclaredSince(mark: number, prefix: string): boolean {
    return (this.#currentBindings.get(prefix)?.index ?? -1) >= mark;
  }

  restore(mark: number): void {
    while (this.#prefixes.length > mark) {
      const prefix = this.#prefixes.pop() ?? "";
      this.#set(prefix, this.#replacedBindings.pop());
    }
  }

  #set(prefix: string, binding: Binding | undefined): void {
    this.version += 1;
    if (prefix === this.#lastPrefix) {
      this.#lastPrefix = "xml";
      this.#lastNamespace = xmlNamespace;
    }
    if (prefix === "") {
      this.defaultNamespace = binding?.namespace ?? this.#outerScope.get("") ?? "";
    }
    if (binding === undefined) {
      this.#currentBindings.delete(prefix);
    } else {
      this.#currentBindings.set(prefix, binding);
    }
  }
}

/**
 * Returns the reason why a namespace declaration is not allowed (Namespaces in XML 1.0 §3, §5); undefined for an
 * allowed declaration.
 */
export function findDeclarationProblem(prefix: string, namespace: string): string | undefined {
  if (prefix === "xmlns") {
    return 'The prefix "xmlns" must not be declared.';
  }
  if (prefix === "xml") {
    return namespace === xmlNamespace ? undefined : 'The prefix "xml" must not be bound to another namespace.';
  }
  if (namespace === xmlNamespace) {
    return 'Only the prefix "xml" may be bound to the XML namespace.';
  }
  if (namespace === xmlnsNamespace) {
    return `No prefix may be bound to the namespace ${xmlnsNamespace}.`;
  }
  if (prefix !== "" && namespace === "") {
    return `The prefix "${prefix}" must not be bound to an empty namespace.`;
  }
  return undefined;
}

/** Counts nodes and comments while a document is read. Throws as soon as a count exceeds its limit. */
export class LimitCounter {
  readonly limits: XmlLimits;
  readonly #source: string;
  nodes: number;
  comments: number;

  constructor(source: string, limits: XmlLimits, checkpoint?: Checkpoint) {
    this.#source = source;
    this.limits = limits;
    this.nodes = checkpoint?.nodes ?? 0;
    this.comments = checkpoint?.comments ?? 0;
  }

  addNodes(count: number, offset: number): void {
    this.nodes += count;
    if (this.nodes > this.limits.nodes) {
      this.refuse("nodes", offset);
    }
  }

  addText(length: number, offset: number): void {
    if (length > this.limits.textChars) {
      this.refuse("textChars", offset);
    }
    this.addNodes(1, offset);
  }

  addComment(offset: number): void {
    this.comments += 1;
    if (this.comments > this.limits.comments) {
      this.refuse("comments", offset);
    }
  }

  refuse(name: keyof XmlLimits, offset: number): never {
    throw createLimitError(this.#source, offset, this.limits, name);
  }
}

/** Returns the error for a document that exceeds a limit. The message names the option for the limit. */
function createLimitError(text: string, offset: number, limits: XmlLimits, name: keyof XmlLimits): XmlError {
  const value = limits[name];
  return new XmlError(
    `limit.${name}`,
    `The document exceeds the limit ${name} = ${value}. To accept it, increase the option "limits.${name}".`,
    {
      offset,
      ...convertToUtf16Position(text, offset),
      limit: { name, value },
    },
  );
}
