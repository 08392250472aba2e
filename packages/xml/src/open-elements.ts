import type { Cost } from "./cost.js";
import type { NamespaceScope } from "./namespaces.js";

/** The elements that are open, from the document element to the current one. */
export class OpenElements {
  depth = 0;
  // One entry per depth; arrays side by side cost less than an object per element.
  readonly #names: string[] = [""];
  readonly #prefixes: string[] = [""];
  readonly #localNames: string[] = [""];
  readonly #namespaces: string[] = [""];
  readonly #marks: number[] = [0];
  readonly #children: number[] = [0];
  readonly #cost: Cost;
  readonly #scope: NamespaceScope;

  constructor(cost: Cost, scope: NamespaceScope) {
    this.#cost = cost;
    this.#scope = scope;
  }

  /** Counts a child of the current element, whose tag begins at an offset. */
  leaf(offset: number): void {
    const parent = this.depth;
    const children = (this.#children[parent] ?? 0) + 1;
    const cost = this.#cost;
    if (parent >= cost.limits.depth) cost.refuse("depth", offset);
    if (children > cost.limits.children && parent > 0) cost.refuse("children", offset);
    cost.nodes(1, offset);
    this.#children[parent] = children;
  }

  /** Opens an element whose tag begins at an offset, before its namespaces are declared. Its name is set later. */
  open(offset: number): void {
    this.leaf(offset);
    const depth = this.depth + 1;
    this.#children[depth] = 0;
    this.#marks[depth] = this.#scope.size;
    this.depth = depth;
  }

  /** Leaves the current element and its namespaces. */
  close(): void {
    const mark = this.mark;
    if (this.#scope.size > mark) this.#scope.cut(mark);
    this.depth -= 1;
  }

  setName(name: string, prefix: string, localName: string, namespace: string): void {
    const depth = this.depth;
    this.#names[depth] = name;
    this.#prefixes[depth] = prefix;
    this.#localNames[depth] = localName;
    this.#namespaces[depth] = namespace;
  }

  /** The current element's name as it is written. */
  get name(): string {
    return this.#names[this.depth] ?? "";
  }

  get localName(): string {
    return this.#localNames[this.depth] ?? "";
  }

  /** How many declarations were in scope around the current element. */
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
