import type { Random } from "@bothends/dynamic/random";

/** Texts that often break parsers: XML, JSON, HTTP and URL syntax, bounds of numbers, names of object members. */
const breakingTexts = [
  ...["<", ">", "</", "/>", "&", "&amp;", "&#0;", "&#x10FFFF;", "&x;", "]]>", "<!--", "-->", "<![CDATA[", "<?x?>"],
  ...["<!DOCTYPE a>", ' xmlns=""', ' xmlns:x="u"', ' xsi:nil="true"', ' xsi:type="x:y"', ' href="#1"', ' id="1"'],
  ...["{", "}", "[", "]", ",", ":", '"', "\\", "\\u0000", "null", "true", '"__proto__":', '"constructor":'],
  ...["%", "%00", "%zz", "%2F", "?", "&", "=", "#", "..", "//", ";", "+", "[]", "[a]=", "\r\n", "\n", "\t", " "],
  ...["0", "-1", "1e999", "NaN", "INF", "-0", "9007199254740993", "0x1", "1.5", "99999999999999999999999"],
  ...["2024-02-30", "0000-01-01T00:00:00Z", "24:00:00", "P1Y", "true", "yes", ""],
  ...[
    "\0",
    "\u0001",
    "\u{fffe}",
    "\ud800",
    "\u{10ffff}",
    "\u{feff}",
    "é",
    "*/",
    "`",
    "İ",
    "ı",
    "日",
    "\u202e",
    "a".repeat(300),
  ],
];

/**
 * Changes a document in one to four places: inserts, removes, repeats or swaps pieces, or copies pieces of another.
 */
export function mutate(text: string, random: Random, otherTexts: readonly string[] = []): string {
  let result = text;
  for (let count = 1 + random.drawIntegerBelow(4); count > 0; count -= 1) {
    result = changeOnce(result, random, otherTexts);
  }
  return result;
}

function changeOnce(text: string, random: Random, otherTexts: readonly string[]): string {
  if (random.drawBoolean(40)) {
    return changeStructure(text, random) ?? changeOnce(text, random, otherTexts);
  }
  const position = random.drawIntegerBelow(text.length + 1);
  const length = random.drawIntegerBelow(random.drawBoolean(30) ? 200 : 6);
  const prefix = text.slice(0, position);
  switch (random.drawIntegerBelow(7)) {
    case 0:
      return prefix + text.slice(position + length);
    case 1:
      return (
        prefix +
        text.slice(position, position + length).repeat(2 + random.drawIntegerBelow(3)) +
        text.slice(position + length)
      );
    case 2: {
      const otherText = random.pick(otherTexts) ?? text;
      const start = random.drawIntegerBelow(otherText.length + 1);
      return prefix + otherText.slice(start, start + length * 4) + text.slice(position + length);
    }
    case 3:
      return prefix;
    case 4:
      return replaceToken(text, random);
    case 5:
      return prefix + (random.pick(breakingTexts) ?? "") + text.slice(position + length);
    default:
      return prefix + (random.pick(breakingTexts) ?? "") + text.slice(position);
  }
}

/** Replaces a whole word, number or quoted text, which keeps more of the structure. */
function replaceToken(text: string, random: Random): string {
  const tokens = [...text.matchAll(/[\w.:-]+/g)];
  const token = random.pick(tokens);
  if (token === undefined) {
    return text;
  }
  const replacement = random.drawBoolean(50) ? random.pick(tokens)?.[0] : random.pick(breakingTexts);
  return text.slice(0, token.index) + (replacement ?? "") + text.slice(token.index + token[0].length);
}

/** Changes the structure of a document but keeps its syntax valid, so that readers do not refuse it at once. */
function changeStructure(text: string, random: Random): string | undefined {
  if (/^\s*[{[]/.test(text)) {
    return changeJson(text, random);
  }
  return text.includes("</") ? changeXml(text, random) : changeForm(text, random);
}

/** Changes an element without child elements. */
function changeXml(text: string, random: Random): string | undefined {
  const element = random.pick([...text.matchAll(/<([\w:.-]+)([^<>]*)>([^<]*)<\/\1>/g)]);
  if (element === undefined) {
    return undefined;
  }
  const [wholeMatch, name = "", attributes = "", content = ""] = element;
  const breakingText = escapeXml(random.pick(breakingTexts) ?? "");
  const forms = [
    "",
    wholeMatch + wholeMatch,
    `<${name}${attributes}/>`,
    `<${name}${attributes}> ${content}\n</${name}>`,
    `<${name}${attributes}>${breakingText}</${name}>`,
    `<${name}${attributes}>${content}${breakingText}</${name}>`,
    `<${name}${attributes}><![CDATA[${content}]]></${name}>`,
    `<${name}${attributes}>${wholeMatch}</${name}>`,
    `<${name}${attributes} ${name}="${breakingText}">${content}</${name}>`,
    `<x:${name} xmlns:x="urn:x">${content}</x:${name}>`,
    `<!-- ${name} -->${wholeMatch}`,
  ];
  return text.slice(0, element.index) + random.pick(forms) + text.slice(element.index + wholeMatch.length);
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

const jsonValues = [
  null,
  true,
  "",
  " ",
  "1",
  0,
  -1,
  1e300,
  1.5,
  [],
  {},
  [null],
  { a: null },
  "\u0000",
  "</script>",
  "\ud800",
];

/** Changes a member of an object or an item of a list. */
function changeJson(text: string, random: Random): string | undefined {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    return undefined;
  }
  const containers = listContainersIn(root);
  const container = random.pick(containers);
  if (container === undefined) {
    return JSON.stringify(random.pick(jsonValues));
  }
  const names = Object.keys(container);
  const name = random.pick(names) ?? "0";
  const value = random.drawBoolean(50) ? random.pick(jsonValues) : Reflect.get(container, random.pick(names) ?? "0");
  if (random.drawBoolean(40)) {
    Reflect.deleteProperty(container, name);
  } else {
    Reflect.set(container, random.drawBoolean(20) ? (random.pick(breakingTexts) ?? "x") : name, value);
  }
  const changedText = JSON.stringify(root);
  return random.drawBoolean(20)
    ? changedText.replace(/(?=[\]}])/, random.pick([",", " ", "\u0001", "1"]) ?? "")
    : changedText;
}

/** Lists the objects and lists in a value. */
function listContainersIn(value: unknown): readonly object[] {
  return typeof value === "object" && value !== null ? [value, ...Object.values(value).flatMap(listContainersIn)] : [];
}

/** Changes a parameter of a form. */
function changeForm(text: string, random: Random): string | undefined {
  const pair = random.pick([...text.matchAll(/([^?&=]+)=([^&]*)/g)]);
  if (pair === undefined) {
    return undefined;
  }
  const [wholeMatch, name = "", value = ""] = pair;
  const breakingText = encodeURIComponent((random.pick(breakingTexts) ?? "").replace(/\p{Surrogate}/gu, "?"));
  const forms = [
    "",
    `${wholeMatch}&${wholeMatch}`,
    `${name}=`,
    name,
    `${name}=${breakingText}`,
    `${name}=${value}${breakingText}`,
    `${name}[]=${value}&${name}[]=${breakingText}`,
    `${name}[a]=${value}`,
    `${name}[a=${value}`,
    `${name}[a][][b]=${value}&${name}[a]=${breakingText}`,
    `${breakingText}=${value}`,
    `${wholeMatch}&${breakingText}=${breakingText}`,
  ];
  return text.slice(0, pair.index) + random.pick(forms) + text.slice(pair.index + wholeMatch.length);
}
