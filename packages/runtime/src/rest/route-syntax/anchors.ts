import { type EdgeNode, PatternError, type PatternNode } from "@bothends/datatypes/pattern";

/** What may, and what must be read on a side of a place. */
interface Side {
  readonly may: boolean;
  readonly must: boolean;
}

interface Sides {
  readonly before: Side;
  readonly after: Side;
}

const nothing: Side = { may: false, must: false };
const empty: PatternNode = { kind: "sequence", parts: [] };

/**
 * The tree without `^` and `$`, for a pattern that is matched whole: where one holds always it goes, and what it never
 * lets match goes with it. undefined: no text matches.
 */
export function withoutEdges(tree: PatternNode): PatternNode | undefined {
  return resolved(tree, { before: nothing, after: nothing });
}

function resolved(node: PatternNode, sides: Sides): PatternNode | undefined {
  switch (node.kind) {
    case "class":
      return node;
    case "edge":
      return resolvedEdge(node, node.edge === "start" ? sides.before : sides.after);
    case "capture": {
      const part = resolved(node.part, sides);
      return part && { ...node, part };
    }
    case "repeat": {
      const own: Side = { may: node.max > 1 && reads(node.part).may, must: false };
      const part = resolved(node.part, { before: both(sides.before, own), after: both(sides.after, own) });
      if (part === undefined) return node.min === 0 ? empty : undefined;
      return { ...node, part };
    }
    case "choice": {
      const branches = node.branches.flatMap((branch) => resolved(branch, sides) ?? []);
      return branches.length === 0 ? undefined : { ...node, branches };
    }
    case "sequence":
      return resolvedSequence(node.parts, sides);
  }
}

function resolvedSequence(parts: readonly PatternNode[], sides: Sides): PatternNode | undefined {
  const behind: Side[] = [];
  parts.reduceRight((side, part, index) => {
    behind[index] = side;
    return both(side, reads(part));
  }, sides.after);
  const kept: PatternNode[] = [];
  let before = sides.before;
  for (const [index, part] of parts.entries()) {
    const left = resolved(part, { before, after: behind[index] ?? sides.after });
    if (left === undefined) return undefined;
    kept.push(left);
    before = both(before, reads(part));
  }
  return { kind: "sequence", parts: kept };
}

function resolvedEdge({ edge, offset }: EdgeNode, side: Side): PatternNode | undefined {
  if (!side.may) return empty;
  if (side.must) return undefined;
  const message =
    edge === "start"
      ? "Anchors such as ^ are not supported behind what may be nothing."
      : "Anchors such as $ are not supported before what may be nothing.";
  throw new PatternError(message, offset);
}

function both(one: Side, other: Side): Side {
  return { may: one.may || other.may, must: one.must || other.must };
}

function reads(node: PatternNode): Side {
  switch (node.kind) {
    case "class":
      return { may: true, must: true };
    case "edge":
      return nothing;
    case "capture":
      return reads(node.part);
    case "repeat": {
      const { may, must } = reads(node.part);
      return { may: may && node.max > 0, must: must && node.min > 0 };
    }
    case "choice": {
      const sides = node.branches.map(reads);
      return { may: sides.some(({ may }) => may), must: sides.every(({ must }) => must) };
    }
    case "sequence":
      return node.parts.map(reads).reduce(both, nothing);
  }
}
