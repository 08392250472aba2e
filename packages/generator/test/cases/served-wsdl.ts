/** A piece of a served WSDL: literal text, or the members of a slot in their order. */
export type Piece = string | ReadonlyMap<string, string>;

/** Whether a generated file contains a served WSDL. */
export function isServedWsdl(path: string): boolean {
  return /\/wsdl\/[\w-]+\.ts$/.test(path);
}

/** Returns the pieces of the WSDL in a generated file. */
export function servedPieces(code: string): readonly Piece[] {
  const start = code.indexOf("= [");
  if (start < 0) {
    throw new Error("The file contains no document.");
  }
  const values = code.slice(start + 3).matchAll(/("(?:[^"\\]|\\.)*")|\{([^{}]*)\}/g);
  return [...values].map(([, text, members]) => (text === undefined ? slotOf(members ?? "") : textOf(text)));
}

/** Returns the document as shown in a golden: the text, with `[address attribute]` for a slot. */
export function servedText(code: string): string {
  return servedPieces(code)
    .map((piece) => (typeof piece === "string" ? piece : `[${[...piece.values()].join(" ")}]`))
    .join("");
}

function slotOf(members: string): ReadonlyMap<string, string> {
  return new Map(
    [...members.matchAll(/(\w+): ("(?:[^"\\]|\\.)*")/g)].map(([, name = "", text = '""']) => [name, textOf(text)]),
  );
}

function textOf(literal: string): string {
  return String(JSON.parse(literal));
}
