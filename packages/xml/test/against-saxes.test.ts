import { DONE, END, START, TEXT, XmlError, XmlReader } from "@bothends/xml";
import { type SaxesAttributeNS, SaxesParser } from "saxes";
import { expect, test } from "vitest";
import { document, seeded, spoilt } from "./random-documents.js";

function ours(source: string): readonly string[] | XmlError {
  const seen: string[] = [];
  try {
    const reader = new XmlReader(source);
    for (let kind = reader.next(); kind !== DONE; kind = reader.next()) {
      if (kind === TEXT) {
        seen.push(reader.text);
      } else if (kind === END) {
        seen.push(`/{${reader.namespace}}${reader.localName}`);
      } else if (kind === START) {
        seen.push(`{${reader.namespace}}${reader.localName}`);
        for (const one of reader.attributes) {
          seen.push(`@{${one.namespace}}${one.localName}=${one.value}`);
        }
      }
    }
    return seen;
  } catch (error) {
    if (error instanceof XmlError) {
      return error;
    }
    throw error;
  }
}

function theirs(source: string): readonly string[] | Error {
  const seen: string[] = [];
  const parser = new SaxesParser({ xmlns: true, position: false });
  let failure: Error | undefined;
  let text = "";
  let depth = 0;
  const flush = (): void => {
    if (text !== "" && depth > 0) {
      seen.push(text);
    }
    text = "";
  };
  parser.on("error", (error) => {
    failure ??= error;
  });
  parser.on("doctype", () => {
    failure ??= new Error("DTD");
  });
  parser.on("text", (piece) => {
    text += piece;
  });
  parser.on("cdata", (piece) => {
    text += piece;
  });
  parser.on("opentag", (tag) => {
    flush();
    depth += 1;
    seen.push(`{${tag.uri}}${tag.local}`);
    for (const one of Object.values<SaxesAttributeNS>(tag.attributes)) {
      if (one.prefix !== "xmlns" && one.name !== "xmlns") {
        seen.push(`@{${one.uri}}${one.local}=${one.value}`);
      }
    }
  });
  parser.on("closetag", (tag) => {
    flush();
    depth -= 1;
    seen.push(`/{${tag.uri}}${tag.local}`);
  });
  try {
    parser.write(source).close();
  } catch (error) {
    failure ??= error as Error;
  }
  return failure ?? seen;
}

/** Where the two may differ, with the reason. */
const exceptions: readonly { readonly reason: string; readonly applies: RegExp }[] = [
  {
    reason: "saxes trims a declared namespace; Namespaces in XML 1.0 §2.3 compares names character for character",
    applies: /xmlns[^=<]*=[ \t\r\n]*(?:"(?:\s|&#)|'(?:\s|&#)|"[^"]*(?:\s|;)"|'[^']*(?:\s|;)')/,
  },
];
const excepted = (source: string): boolean => exceptions.some(({ applies }) => applies.test(source));

test("no document that saxes rejects is accepted, and documents that both accept read the same", () => {
  const random = seeded(20_261_120);
  const wrong: string[] = [];
  let bothAccept = 0;
  let bothReject = 0;
  for (let count = 0; count < 10_000; count += 1) {
    const good = document(random);
    const source = count % 3 === 0 ? good : spoilt(random, good);
    const mine = ours(source);
    const other = theirs(source);
    if (mine instanceof Error || other instanceof Error) {
      if (mine instanceof Error) {
        bothReject += 1;
      } else if (other instanceof Error && !excepted(source)) {
        wrong.push(`${JSON.stringify(source)} accepted; saxes: ${other.message}`);
      }
    } else {
      bothAccept += 1;
      if (JSON.stringify(mine) !== JSON.stringify(other) && !excepted(source)) {
        wrong.push(`${JSON.stringify(source)} reads ${JSON.stringify(mine)}; saxes: ${JSON.stringify(other)}`);
      }
    }
  }
  expect(wrong.slice(0, 5)).toEqual([]);
  expect(bothAccept).toBeGreaterThan(300);
  expect(bothReject).toBeGreaterThan(300);
});

test("every document that saxes accepts is accepted", () => {
  const random = seeded(5);
  const wrong: string[] = [];
  for (let count = 0; count < 3_000; count += 1) {
    const source = document(random);
    const mine = ours(source);
    const other = theirs(source);
    if (mine instanceof Error && !(other instanceof Error)) {
      wrong.push(`${JSON.stringify(source)}: ${mine.message}`);
    }
  }
  expect(wrong.slice(0, 5)).toEqual([]);
});
