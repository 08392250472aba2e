import { errorAt } from "./error.js";

export const xmlNamespace = "http://www.w3.org/XML/1998/namespace";
export const xmlnsNamespace = "http://www.w3.org/2000/xmlns/";

interface Binding {
  readonly namespace: string;
  /** How many declarations were open before this one. */
  readonly index: number;
}

/** Finds the namespace of a prefix, `""` for the default namespace. */
export interface PrefixLookup {
  get(prefix: string): string | undefined;
}

const instanceNamespace = "http://www.w3.org/2001/XMLSchema-instance";
/**
 * Namespaces that every attribute of an element is compared with. A slice of the document is compared character by character, a
 * constant with itself at once: 3 % of decoding a message with `xsi:nil`.
 */
const constants: ReadonlyMap<string, string> = new Map([[instanceNamespace, instanceNamespace]]);

const noPrefixes: PrefixLookup = new Map<string, string>();
const xml: Binding = { namespace: xmlNamespace, index: -1 };

/**
 * The namespaces in scope (Namespaces in XML 1.0 §6). A lookup costs the same at any depth and with any number of
 * declarations: a map has the current bindings, and a list those to restore when an element ends.
 */
export class NamespaceScope {
  readonly #bound: Map<string, Binding> = new Map([["xml", xml]]);
  readonly #prefixes: string[] = [];
  /** The bindings that the declarations replaced. */
  readonly #hidden: (Binding | undefined)[] = [];
  readonly #outer: PrefixLookup;
  /** The default namespace. */
  default: string;
  // The next lookup is mostly for the same prefix, and comparing is cheaper than hashing.
  #lastPrefix = "xml";
  #lastNamespace = xmlNamespace;

  /** `outer` has the bindings around the document. */
  constructor(outer: PrefixLookup = noPrefixes) {
    this.#outer = outer;
    this.default = outer.get("") ?? "";
  }

  /** The number of declarations in scope, for `cut` when the element with the next declarations ends. */
  get size(): number {
    return this.#prefixes.length;
  }

  resolve(prefix: string): string | undefined {
    return prefix === "" ? this.default : (this.#bound.get(prefix)?.namespace ?? this.#outer.get(prefix));
  }

  /** The namespace of a prefix in a name. Throws when it is not declared. */
  require(prefix: string, source: string, offset: number): string {
    if (prefix === this.#lastPrefix) {
      return this.#lastNamespace;
    }
    const namespace = this.#bound.get(prefix)?.namespace ?? this.#outer.get(prefix);
    if (namespace === undefined) {
      throw errorAt(source, offset, `The prefix "${prefix}" is not declared.`, "xml.namespace");
    }
    this.#lastPrefix = prefix;
    this.#lastNamespace = namespace;
    return namespace;
  }

  declare(prefix: string, namespace: string): void {
    const index = this.#prefixes.push(prefix) - 1;
    this.#hidden.push(this.#bound.get(prefix));
    this.#set(prefix, { namespace: constants.get(namespace) ?? namespace, index });
  }

  /** The prefixes declared since `mark`, in order. */
  since(mark: number): readonly string[] {
    return this.#prefixes.slice(mark);
  }

  declaredSince(mark: number, prefix: string): boolean {
    return (this.#bound.get(prefix)?.index ?? -1) >= mark;
  }

  cut(mark: number): void {
    while (this.#prefixes.length > mark) {
      const prefix = this.#prefixes.pop() ?? "";
      this.#set(prefix, this.#hidden.pop());
    }
  }

  #set(prefix: string, binding: Binding | undefined): void {
    if (prefix === this.#lastPrefix) {
      this.#lastPrefix = "xml";
      this.#lastNamespace = xmlNamespace;
    }
    if (prefix === "") {
      this.default = binding?.namespace ?? this.#outer.get("") ?? "";
    }
    if (binding === undefined) {
      this.#bound.delete(prefix);
    } else {
      this.#bound.set(prefix, binding);
    }
  }
}

/** The problem of a namespace declaration (Namespaces in XML 1.0 §3, §5); undefined when it is legal. */
export function declarationProblem(prefix: string, namespace: string): string | undefined {
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
    return "No prefix may be bound to the namespace of namespace declarations.";
  }
  if (prefix !== "" && namespace === "") {
    return `The prefix "${prefix}" is declared without a namespace.`;
  }
  return undefined;
}
