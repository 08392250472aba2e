/** A piece of a served WSDL: literal text, or the members of a slot in their order. */
export type Piece = string | ReadonlyMap<string, string>;

/** Whether a generated file contains a served WSDL. */
export function isServedWsdl(path: string): boolean {
  return /\/wsdl\/(?:shared\/)?[\w-]+\.ts$/.test(path);
}

/** Whether a generated file contains parts that several served WSDLs share, and not a whole document. */
export function isSharedWsdl(path: string): boolean {
  return path.includes("/wsdl/shared/");
}

/** Returns the pieces of the WSDL in a generated file, after the pieces that it imports from a file of shared parts. */
export function servedPieces(path: string, tree: ReadonlyMap<string, string>): readonly Piece[] {
  const code = tree.get(path) ?? "";
  const specifier = /from "\.\/(shared\/[\w-]+)\.js"/.exec(code)?.[1];
  const shared = specifier === undefined ? "" : (tree.get(path.replace(/[\w-]+\.ts$/, `${specifier}.ts`)) ?? "");
  return [...(shared === "" ? [] : piecesIn(shared)), ...piecesIn(code)];
}

function piecesIn(code: string): readonly Piece[] {
  const start = code.indexOf("= [");
  if (start < 0) {
    throw new Error("The file contains no document.");
  }
  const values = code.slice(start + 3).matchAll(/("(?:[^"\\]|\\.)*")|\{([^{}]*)\}/g);
  return [...values].map(([, text, members]) => (text === undefined ? slotOf(members ?? "") : textOf(text)));
}

/**
 * Returns the WSDL as shown in a golden: the text, with `[address attribute]` for a slot and `[askDefinitions]` for
 * shared parts.
 */
export function servedText(code: string): string {
  const shared = /= \[\s*(\w+),/.exec(code)?.[1];
  const text = piecesIn(code).map((piece) =>
    typeof piece === "string" ? piece : `[${[...piece.values()].join(" ")}]`,
  );
  return `${shared === undefined ? "" : `[${shared}]\n`}${text.join("")}`;
}

function slotOf(members: string): ReadonlyMap<string, string> {
  return new Map(
    [...members.matchAll(/(\w+): ("(?:[^"\\]|\\.)*")/g)].map(([, name = "", text = '""']) => [name, textOf(text)]),
  );
}

function textOf(literal: string): string {
  return String(JSON.parse(literal));
}
