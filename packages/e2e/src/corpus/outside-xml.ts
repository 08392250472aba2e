import { SaxesParser } from "saxes";

/**
 * An element as read by a third-party parser. The corpus checks sources with this parser, because the generator uses
 * its own.
 */
export interface OutsideElement {
  readonly namespace: string;
  readonly localName: string;
  readonly attributes: readonly { readonly namespace: string; readonly localName: string; readonly value: string }[];
  readonly children: readonly OutsideElement[];
}

/** Parses a document with saxes. Throws an error if the document is not well-formed. */
export function parseOutside(bytes: Uint8Array): OutsideElement {
  const parser = new SaxesParser({ xmlns: true });
  const roots: OutsideElement[] = [];
  const openLists: OutsideElement[][] = [roots];
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ uri, local, attributes }) => {
    const children: OutsideElement[] = [];
    const attributeList = Object.values(attributes).map((attribute) => {
      return { namespace: attribute.uri, localName: attribute.local, value: attribute.value };
    });
    openLists.at(-1)?.push({ namespace: uri, localName: local, attributes: attributeList, children });
    openLists.push(children);
  });
  parser.on("closetag", () => {
    openLists.pop();
  });
  parser.write(decodeDocument(bytes)).close();
  const [root] = roots;
  if (root === undefined) {
    throw new Error("The document has no element.");
  }
  return root;
}

function decodeDocument(bytes: Uint8Array): string {
  return new TextDecoder(getEncoding(bytes), { fatal: true }).decode(bytes);
}

/** Returns the encoding of a document, which its byte-order mark or its XML declaration names. Default: UTF-8. */
function getEncoding(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) {
    return "utf-16le";
  }
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) {
    return "utf-16be";
  }
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 200));
  return /^(?:\xef\xbb\xbf)?<\?xml[^>]*?\sencoding\s*=\s*["']([^"']+)["']/.exec(start)?.[1] ?? "utf-8";
}
