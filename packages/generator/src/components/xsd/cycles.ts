/** A step from one node to another that a cycle would go through. */
export interface Edge<Node> {
  readonly to: Node;
  /** Takes the step away, where it closes a cycle. */
  readonly cut: () => void;
}

/**
 * Puts nodes behind those that they depend on, without recursion. A step that closes a cycle is cut, so that the result is an
 * order in any case.
 */
export function inDependencyOrder<Node>(
  nodes: Iterable<Node>,
  edgesOf: (node: Node) => readonly Edge<Node>[],
): readonly Node[] {
  const ordered: Node[] = [];
  const state = new Map<Node, "open" | "done">();
  for (const start of nodes) {
    if (state.has(start)) continue;
    const path: { readonly node: Node; readonly edges: readonly Edge<Node>[]; next: number }[] = [];
    const enter = (node: Node) => {
      state.set(node, "open");
      path.push({ node, edges: edgesOf(node), next: 0 });
    };
    enter(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const edge = top.edges[top.next];
      top.next += 1;
      if (edge === undefined) {
        state.set(top.node, "done");
        ordered.push(top.node);
        path.pop();
      } else if (state.get(edge.to) === "open") edge.cut();
      else if (!state.has(edge.to)) enter(edge.to);
    }
  }
  return ordered;
}
