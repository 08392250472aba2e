import type { PatternNode } from "@bothends/datatypes/pattern";

/** What a set of characters is written as: the first of these in it. */
const preferred = /* @__PURE__ */ Array.from("a0-_.~!*'(),;:@+=$&/ bcdefghijklmnopqrstuvwxyz123456789%#?[]{}|^\"<>\\`");

/** The shortest text that a tree without anchors matches, but not an empty one unless asked for; undefined: none. */
export function shortestText(node: PatternNode, mayBeEmpty = true): string | undefined {
  switch (node.kind) {
    case "class":
      return node.character ?? preferred.find((each) => node.class.has(each.charCodeAt(0)));
    case "edge":
      return mayBeEmpty ? "" : undefined;
    case "capture":
      return shortestText(node.part, mayBeEmpty);
    case "repeat":
      return repeated(node, mayBeEmpty);
    case "choice":
      return shortestOf(node.branches.map((branch) => shortestText(branch, mayBeEmpty)));
    case "sequence":
      return inSequence(node.parts, mayBeEmpty);
  }
}

function repeated({ part, min, max }: PatternNode & { kind: "repeat" }, mayBeEmpty: boolean): string | undefined {
  if (min === 0) return mayBeEmpty ? "" : max === 0 ? undefined : shortestText(part, false);
  const text = shortestText(part);
  if (text !== "" || mayBeEmpty) return text?.repeat(min);
  return shortestText(part, false);
}

function inSequence(parts: readonly PatternNode[], mayBeEmpty: boolean): string | undefined {
  const texts: string[] = [];
  for (const part of parts) {
    const text = shortestText(part);
    if (text === undefined) return undefined;
    texts.push(text);
  }
  const whole = texts.join("");
  if (whole !== "" || mayBeEmpty) return whole;
  return shortestOf(parts.map((part) => shortestText(part, false)));
}

function shortestOf(texts: readonly (string | undefined)[]): string | undefined {
  return texts.reduce<string | undefined>(
    (best, text) => (text !== undefined && (best === undefined || text.length < best.length) ? text : best),
    undefined,
  );
}
