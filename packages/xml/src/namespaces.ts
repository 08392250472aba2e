import { refusal } from "./refusal.js";

export const xmlNamespace = "http://www.w3.org/XML/1998/namespace";
export const xmlnsNamespace = "http://www.w3.org/2000/xmlns/";

/**
 * The namespaces in scope (Namespaces in XML 1.0 §6). A lookup costs the same at any depth and with any number of
 * declarations: one map holds what is bound now, and a list holds what to put back when an element ends.
 */
export class NamespaceScope {
  readonly #bound = new Map<string, string>([["xml", xmlNamespace]]);
  readonly #prefixes: string[] = [];
  readonly #hidden: (string | undefined)[] = [];
  /** The default namespace. */
  default = "";
  // The prefix asked for last is mostly asked for next, and comparing is cheaper than hashing.
  #lastPrefix = "xml";
  #lastNamespace = xmlNamespace;

  /** How many declarations are open: to be given to `cut` when the element ends that makes the next ones. */
  get size(): number {
    return this.#prefixes.length;
  }

  resolve(prefix: string): string | undefined {
    return prefix === "" ? this.default : this.#bound.get(prefix);
  }

  /** The namespace of a prefix in an element's or attribute's name. Throws when it is not declared. */
  require(prefix: string, source: string, offset: number): string {
    if (prefix === this.#lastPrefix) return this.#lastNamespace;
    const namespace = this.#bound.get(prefix);
    if (namespace !== undefined) {
      this.#lastPrefix = prefix;
      this.#lastNamespace = namespace;
      return namespace;
    }
    throw refusal(source, offset, `The prefix "${prefix}" is not declared.`, "xml.namespace");
  }

  declare(prefix: string, namespace: string): void {
    this.#prefixes.push(prefix);
    this.#hidden.push(this.resolve(prefix));
    this.#set(prefix, namespace);
  }

  /** The declarations made since `mark`, in their order. */
  since(mark: number): readonly string[] {
    return this.#prefixes.slice(mark);
  }

  declaredSince(mark: number, prefix: string): boolean {
    return this.#prefixes.indexOf(prefix, mark) >= 0;
  }

  cut(mark: number): void {
    while (this.#prefixes.length > mark) {
      const prefix = this.#prefixes.pop() ?? "";
      this.#set(prefix, this.#hidden.pop());
    }
  }

  #set(prefix: string, namespace: string | undefined): void {
    if (prefix === this.#lastPrefix) {
      this.#lastPrefix = "xml";
      this.#lastNamespace = xmlNamespace;
    }
    if (prefix === "") this.default = namespace ?? "";
    else if (namespace === undefined) this.#bound.delete(prefix);
    else this.#bound.set(prefix, namespace);
  }
}

/** What is wrong with a namespace declaration (Namespaces in XML 1.0 §3, §5); undefined when it is legal. */
export function declarationProblem(prefix: string, namespace: string): string | undefined {
  if (prefix === "xmlns") return 'The prefix "xmlns" cannot be declared.';
  if (prefix === "xml")
    return namespace === xmlNamespace ? undefined : 'The prefix "xml" cannot be bound to another namespace.';
  if (namespace === xmlNamespace) return 'Only the prefix "xml" stands for the XML namespace.';
  if (namespace === xmlnsNamespace) return "No prefix may stand for the namespace of namespace declarations.";
  if (prefix !== "" && namespace === "") return `The prefix "${prefix}" is declared without a namespace.`;
  return undefined;
}
