import { DONE, END, START, TEXT, XmlError, XmlReader } from "@bothends/xml";
import { type SaxesAttributeNS, SaxesParser } from "saxes";
import type { Target } from "../fuzz.js";
import { corrupt, makeRandomDocument } from "./xml-documents.js";

/** The XML reader must refuse the documents that saxes refuses, and must read all other documents like saxes. */
export const xmlReader: Target = {
  name: "xml-reader",
  make(random) {
    const source = makeRandomDocument(random);
    return random.drawBoolean(33) ? source : corrupt(random, source);
  },
  judge: async (inputs) => inputs.map(compare),
  knownDifferences: [
    {
      reason:
        "saxes reads a document of another version 1.x as XML 1.1, which has other line ends and controls; XML 1.0 §2.8 reads it as 1.0",
      example: "<?xml version='1.01'?><a b='\u0085'/>",
      applies: (input) =>
        /^<\?xml\s+version=(?:"1\.(?!0")|'1\.(?!0'))/.test(input) && /[\u007f-\u009f\u2028]/.test(input),
    },
    {
      reason: "saxes trims a declared namespace; Namespaces in XML 1.0 §2.3 compares names character for character",
      example: "<a xmlns='u '/>",
      applies: (input) => /xmlns[^=<]*=[ \t\r\n]*(?:"(?:\s|&#)|'(?:\s|&#)|"[^"]*(?:\s|;)"|'[^']*(?:\s|;)')/.test(input),
    },
  ],
};

/** Well-formed documents must be accepted. */
export const wellFormed: Target = {
  name: "xml-well-formed",
  make: makeRandomDocument,
  judge: async (inputs) =>
    inputs.map((input) => {
      const [result, expected] = [readOurs(input), readTheirs(input)];
      return result instanceof Error && !(expected instanceof Error) ? `Refused: ${result.message}` : undefined;
    }),
};

function compare(source: string): string | undefined {
  const result = readOurs(source);
  if (result instanceof Error) {
    return undefined;
  }
  const expected = readTheirs(source);
  if (expected instanceof Error) {
    return `The document was accepted, but saxes refuses it: ${expected.message}`;
  }
  const [read, theirs] = [JSON.stringify(result), JSON.stringify(expected)];
  return read === theirs ? undefined : `The document was read as ${read}, but saxes reads it as ${theirs}.`;
}

function readOurs(source: string): readonly string[] | XmlError {
  const events: string[] = [];
  try {
    const reader = new XmlReader(source);
    for (let kind = reader.next(); kind !== DONE; kind = reader.next()) {
      if (kind === TEXT) {
        events.push(reader.text);
      } else if (kind === END) {
        events.push(`/{${reader.namespace}}${reader.localName}`);
      } else if (kind === START) {
        events.push(`{${reader.namespace}}${reader.localName}`);
        for (const { namespace, localName, value } of reader.attributes) {
          events.push(`@{${namespace}}${localName}=${value}`);
        }
      }
    }
    return events;
  } catch (error) {
    if (error instanceof XmlError) {
      return error;
    }
    throw error;
  }
}

function readTheirs(source: string): readonly string[] | Error {
  const events: string[] = [];
  const parser = new SaxesParser({ xmlns: true, position: false });
  let failure: Error | undefined;
  let text = "";
  let depth = 0;
  const flush = () => {
    if (text !== "" && depth > 0) {
      events.push(text);
    }
    text = "";
  };
  const addText = (piece: string) => {
    text += piece;
  };
  parser.on("error", (error) => {
    failure ??= error;
  });
  parser.on("doctype", () => {
    failure ??= new Error("DTD");
  });
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("opentag", ({ uri, local, attributes }) => {
    flush();
    depth += 1;
    events.push(`{${uri}}${local}`);
    for (const attribute of Object.values<SaxesAttributeNS>(attributes)) {
      if (attribute.prefix !== "xmlns" && attribute.name !== "xmlns") {
        events.push(`@{${attribute.uri}}${attribute.local}=${attribute.value}`);
      }
    }
  });
  parser.on("closetag", ({ uri, local }) => {
    flush();
    depth -= 1;
    events.push(`/{${uri}}${local}`);
  });
  try {
    parser.write(source).close();
  } catch (error) {
    failure ??= error instanceof Error ? error : new Error(String(error));
  }
  return failure ?? events;
}
