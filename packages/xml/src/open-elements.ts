import type { LimitCounter } from "./limit-counter.js";
import type { NamespaceScope } from "./namespaces.js";

/** The open elements, from the document element to the current one. */
export class OpenElements {
  depth = 0;
  // One entry per depth. Parallel arrays are faster than an object per element.
  readonly #names: string[] = [""];
  readonly #prefixes: string[] = [""];
  readonly #localNames: string[] = [""];
  readonly #namespaces: string[] = [""];
  readonly #marks: number[] = [0];
  readonly #children: number[] = [0];
  readonly #counter: LimitCounter;
  readonly #scope: NamespaceScope;

  constructor(counter: LimitCounter, scope: NamespaceScope) {
    this.#counter = counter;
    this.#scope = scope;
  }

  /** Counts a child of the current element, whose tag begins at an offset. */
  addChild(offset: number): void {
    const parent = this.depth;
    const children = (this.#children[parent] ?? 0) + 1;
    const counter = this.#counter;
    if (parent >= counter.limits.depth) {
      counter.refuse("depth", offset);
    }
    if (children > counter.limits.children && parent > 0) {
      counter.refuse("children", offset);
    }
    counter.addNodes(1, offset);
    this.#children[parent] = children;
  }

  /** Opens an element whose tag begins at an offset, before its namespaces are declared. Its name is set later. */
  open(offset: number): void {
    this.addChild(offset);
    const depth = this.depth + 1;
    this.#children[depth] = 0;
    this.#marks[depth] = this.#scope.size;
    this.depth = depth;
  }

  /** Leaves the current element and its namespaces. */
  close(): void {
    const mark = this.mark;
    if (this.#scope.size > mark) {
      this.#scope.cut(mark);
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

  /** The local names from the document element to the current element, `/Envelope/Body`. */
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

  prefixAt(depth: number): string {
    return this.#prefixes[depth] ?? "";
  }

  namespaceAt(depth: number): string {
    return this.#namespaces[depth] ?? "";
  }
}
