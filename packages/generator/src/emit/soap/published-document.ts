import {
  array,
  type CodeSymbol,
  code,
  comment,
  type Declaration,
  entry,
  type Fragment,
  identifier,
  literal,
  object,
  runtimeType,
  use,
} from "../../print/index.js";
import type { Piece } from "../../publish/index.js";

/** A document as a constant. Its text is cut at line ends, so that a line of the document is a line of code. */
export function documentDeclaration(name: string, pieces: readonly Piece[], shared?: CodeSymbol): Declaration {
  const start = shared === undefined ? [] : [use(shared)];
  return declaration(name, [...start, ...pieces.flatMap(pieceCode)], {
    text: "The WSDL that the server publishes, with slots for its address and for names that may differ.",
  });
}

/** The start of several documents as a constant. */
export function sharedDeclaration(name: string, pieces: readonly Piece[]): Declaration {
  return declaration(name, pieces.flatMap(pieceCode), { text: "What the WSDLs of several services have in common." });
}

function declaration(name: string, pieces: readonly Fragment[], { text }: { readonly text: string }): Declaration {
  const type = runtimeType("@bothends/runtime/server", "PublishedDocument");
  return {
    kind: "constant",
    name,
    code: code`
      ${comment(text)}
      export const ${identifier(name)}: ${type} = ${array(pieces)};`,
  };
}

function pieceCode(piece: Piece): readonly Fragment[] {
  if (typeof piece === "string") {
    return linesOf(piece).map(literal);
  }
  const { slot, name, port, separator } = piece;
  return [
    object([
      entry("slot", literal(slot)),
      name === undefined ? undefined : entry("name", literal(name)),
      port === undefined ? undefined : entry("port", literal(port)),
      separator === undefined ? undefined : entry("separator", literal(separator)),
      entry("escape", literal(piece.escape)),
    ]),
  ];
}

/** The text cut behind each line feed. */
function linesOf(text: string): readonly string[] {
  const lines: string[] = [];
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf("\n", start);
    const next = end === -1 ? text.length : end + 1;
    lines.push(text.slice(start, next));
    start = next;
  }
  return lines;
}
