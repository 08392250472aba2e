import {
  array,
  code,
  comment,
  type Declaration,
  entry,
  type Fragment,
  identifier,
  literal,
  object,
  runtimeType,
} from "../../print/index.js";
import type { Piece, PublishedDocument } from "../../publish/index.js";

/** The document as a constant. Its text is cut at line ends, so that a line of the document is a line of code. */
export function documentDeclaration(name: string, document: PublishedDocument): Declaration {
  const type = runtimeType("@bothends/runtime/server", "PublishedDocument");
  return {
    kind: "constant",
    name,
    code: code`
      ${comment("The WSDL that the server publishes, with slots for its address and for names that may differ.")}
      export const ${identifier(name)}: ${type} = ${array(document.flatMap(pieceCode))};`,
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
