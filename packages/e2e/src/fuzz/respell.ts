import type { Random } from "@bothends/dynamic/random";
import type { FuzzRequest } from "./exchanges.js";

/**
 * Rewrites a valid request without changing its meaning, according to the specifications of HTTP, XML, SOAP, JSON and
 * forms. The handler must receive the same input.
 */

/** Changes a request in one to four places without changing its meaning. */
export function respell(request: FuzzRequest, random: Random): FuzzRequest {
  let result = request;
  for (let count = 1 + random.drawIntegerBelow(4); count > 0; count -= 1) {
    result = random.drawBoolean(20) ? respellHeaders(result, random) : respellContent(result, random);
  }
  return result;
}

function respellContent(request: FuzzRequest, random: Random): FuzzRequest {
  const { body, target } = request;
  if (body === "") {
    const queryStart = target.indexOf("?");
    return queryStart < 0
      ? request
      : { ...request, target: `${target.slice(0, queryStart)}?${respellForm(target.slice(queryStart + 1), random)}` };
  }
  const text = Buffer.from(body, "latin1").toString();
  const rewritten = /^\ufeff?\s*</.test(text)
    ? respellXml(text, random)
    : /^\s*[{[]/.test(text)
      ? respellJson(text, random)
      : respellForm(text, random);
  return { ...request, body: Buffer.from(rewritten).toString("latin1") };
}

/** RFC 9110 §5.1 and §8.3.1: names of headers, media types and charsets may be written in any letter case. */
function respellHeaders(request: FuzzRequest, random: Random): FuzzRequest {
  const changedIndex = random.drawIntegerBelow(request.headers.length);
  const headers = request.headers.map(([name, value], index): readonly [string, string] => {
    if (index !== changedIndex) {
      return [name, value];
    }
    if (name.toLowerCase() === "content-type") {
      const forms = [
        value.toUpperCase(),
        value.replace("; ", ";"),
        value.replace("; ", " ;\t"),
        value.replace("charset=utf-8", 'charset="UTF-8"'),
      ];
      return [name, random.pick(forms) ?? value];
    }
    if (name.toLowerCase() === "soapaction") {
      return [name, random.pick([value.replaceAll('"', ""), ` ${value} `]) ?? value];
    }
    return [random.drawBoolean(50) ? name.toUpperCase() : name.toLowerCase(), value];
  });
  return { ...request, headers: random.drawBoolean(30) ? [...headers, ["X-Other", "a, b"]] : headers };
}

type Rewrite = (text: string, random: Random) => string;

const xmlRewrites: readonly Rewrite[] = [
  // Adds character references and CDATA sections to text. Adds no comments, because ASMX refuses them inside a value.
  (text, random) =>
    withText(text, random, (value, offset) => `${value.slice(0, offset)}<![CDATA[${value.slice(offset)}]]>`),
  (text, random) => withText(text, random, (value, offset) => withReference(value, offset, 10)),
  (text, random) => withText(text, random, (value, offset) => withReference(value, offset, 16)),
  // Changes white space and quotes in tags, and the form of empty elements.
  (text, random) => withMatch(text, random, /<\/[^<>]+(?=>)/g, (match) => `${match} \n`),
  (text, random) => withMatch(text, random, /<[A-Za-z][^<>/]*(?=>)/g, (match) => `${match}\t`),
  (text, random) => withMatch(text, random, /="([^"'<>]*)"/g, (match) => match.replaceAll('"', "'")),
  (text, random) => withMatch(text, random, /<([\w:.-]+)([^<>]*?)\s*\/>/g, (match) => writeLongForm(match)),
  (text, random) => withMatch(text, random, /<([\w:.-]+)([^<>/]*)><\/\1>/g, (match) => writeShortForm(match)),
  // Adds white space and comments between elements.
  (text, random) =>
    withMatch(text, random, /(?<=\/[\w:.-]*\s*>)(?=<)/g, () => random.pick(["\n  ", "<!-- x -->"]) ?? ""),
  // Changes prefixes and namespace declarations.
  (text, random) => withEnvelopePrefix(text, `s${random.drawIntegerBelow(9)}`),
  (text) => withPrefix(text),
  (text, random) => withMatch(text, random, /<[\w:.-]*Envelope/g, (match) => `${match} xmlns:unused="urn:unused"`),
  // Changes the XML declaration, and adds a header to the message.
  (text, random) => text.replace(/^<\?xml[^>]*>/, random.pick(["", "<?xml version='1.0'?>\n", "\ufeff"]) ?? ""),
  (text) => text.replace(/<([\w.-]+:)Body>/, "<$1Header><x xmlns='urn:x'>1</x></$1Header><$1Body>"),
];

function respellXml(text: string, random: Random): string {
  const rewrite = random.pick(xmlRewrites);
  const result = rewrite?.(text, random) ?? text;
  // Undoes a second header, which would change the meaning, and a second prefix, which might already be bound.
  return (result.match(/<[\w.-]+:Header[\s/>]/g)?.length ?? 0) > 1 ||
    (result.match(/xmlns:unused=/g)?.length ?? 0) > 1 ||
    /.\ufeff/s.test(result)
    ? text
    : result;
}

/** Replaces one random match of a pattern. */
function withMatch(text: string, random: Random, pattern: RegExp, replacement: (match: string) => string): string {
  const match = random.pick([...text.matchAll(pattern)]);
  return match === undefined
    ? text
    : text.slice(0, match.index) + replacement(match[0]) + text.slice(match.index + match[0].length);
}

/** Changes a text node without references, at a random position between two characters. */
function withText(text: string, random: Random, change: (value: string, offset: number) => string): string {
  return withMatch(text, random, /(?<=<[A-Za-z][\w:.-]*[^<>/]*>)[^<>&\s][^<>&]*(?=<\/)/g, (value) => {
    const lengths = [...value].map((character) => character.length);
    const lengthsBefore = lengths.slice(0, random.drawIntegerBelow(lengths.length));
    return change(
      value,
      lengthsBefore.reduce((sum, length) => sum + length, 0),
    );
  });
}

function withReference(value: string, offset: number, base: 10 | 16): string {
  const code = value.codePointAt(offset) ?? 0x20;
  const reference = base === 16 ? `&#x${code.toString(16).toUpperCase()};` : `&#${code};`;
  return value.slice(0, offset) + reference + value.slice(offset + String.fromCodePoint(code).length);
}

function writeLongForm(element: string): string {
  const name = /<([\w:.-]+)/.exec(element)?.[1] ?? "";
  return `${element.replace(/\s*\/>$/, "")}></${name}>`;
}

function writeShortForm(element: string): string {
  return `${element.slice(0, element.indexOf(">"))}/>`;
}

function withEnvelopePrefix(text: string, prefix: string): string {
  return text.replaceAll(/(?<=<\/?)soap:/g, `${prefix}:`).replace("xmlns:soap=", `xmlns:${prefix}=`);
}

/** Gives the elements of the body a prefix in place of the default namespace. */
function withPrefix(text: string): string {
  return text.split('xmlns="').length === 2 && !text.includes("xmlns='urn:x'")
    ? text.replaceAll(/<(\/?)([A-Za-z_][\w.-]*)(?=[\s/>])/g, "<$1p:$2").replace('xmlns="', 'xmlns:p="')
    : text;
}

function respellJson(text: string, random: Random): string {
  const value: unknown = JSON.parse(text);
  return random.drawBoolean(50)
    ? JSON.stringify(value, undefined, "\t")
    : ` ${JSON.stringify(reverseMembers(value))}\r\n`;
}

/** Reverses the order of the members in all objects of a value. */
function reverseMembers(value: unknown): unknown {
  if (typeof value !== "object" || value === null) {
    return value;
  }
  return Array.isArray(value)
    ? value.map(reverseMembers)
    : Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([name, member]) => [name, reverseMembers(member)]),
      );
}

/** Rewrites a form with different escapes. The parameters of a list keep their order. */
function respellForm(text: string, random: Random): string {
  const rewrites: readonly Rewrite[] = [
    () => withMatch(text, random, /(?<!%[A-Fa-f0-9]?)[A-Za-z](?![^&=]*=)/g, (letter) => encodePercent(letter)),
    () => text.replaceAll(/%[0-9A-F]{2}/g, (escaped) => escaped.toLowerCase()),
    () => text.replaceAll(/%20|\+/g, random.drawBoolean(50) ? "+" : "%20"),
    () => `${text}&`,
    () => (/\[|%5B/i.test(text) ? text : text.split("&").reverse().join("&")),
  ];
  return random.pick(rewrites)?.(text, random) ?? text;
}

function encodePercent(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16)}`;
}
