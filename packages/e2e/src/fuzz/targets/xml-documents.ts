import type { Random } from "@bothends/dynamic/random";

const names = ["a", "b", "p:c", "q:d", "é", "a-1", "xml:e", "A", "_", "p:a", "日"];
const texts = [
  "t",
  "&amp;",
  "&lt;x",
  "&#65;",
  "&#x1F600;",
  "]]&gt;",
  "\r\n",
  "\r",
  " ",
  "Ł",
  "😀",
  "<!-- c -->",
  "<?p i?>",
  "<![CDATA[<&]]>",
  "&quot;'\"",
  "\t",
  ">",
];
const values = ["", "1", "&lt;", "\n", "&#10;", "a b", "é", "&apos;", ">", "u"];
const fragments = [
  ...[
    "<",
    ">",
    "/",
    "&",
    ";",
    "'",
    '"',
    "=",
    "]]>",
    "--",
    "<!--",
    "-->",
    "<![CDATA[",
    "<?",
    "?>",
    "<?xml ",
    "&#",
    "&#x",
    "xmlns",
  ],
  ...[
    "xmlns:p=''",
    " xmlns=''",
    "xmlns:xml='u'",
    "\0",
    "\u0001",
    "\ufffe",
    "\ud800",
    "\udc00",
    "\ufeff",
    ":",
    " ",
    "\r",
    "x",
    "1",
    "-",
    ".",
  ],
  ...[
    "<!DOCTYPE a>",
    "&nbsp;",
    "&#0;",
    "&#x110000;",
    "\u0085",
    "\u2028",
    "×",
    "·",
    "p:",
    "<a/>",
    "</a>",
    "\u007f",
    "\u{10ffff}",
  ],
];

function pick(random: Random, list: readonly string[]): string {
  return random.pick(list) ?? "";
}

function makeRandomElement(random: Random, depth: number): string {
  const name = pick(random, names);
  let attributes = depth === 0 ? " xmlns:p='u' xmlns:q='v'" : "";
  for (let count = random.drawIntegerBelow(3); count > 0; count -= 1) {
    const quote = random.drawIntegerBelow(2) === 0 ? "'" : '"';
    attributes += ` ${pick(random, names)}=${quote}${pick(random, values).replaceAll(quote, "")}${quote}`;
  }
  if (random.drawIntegerBelow(6) === 0) {
    attributes += ` xmlns${random.drawIntegerBelow(2) === 0 ? "" : ":p"}='${pick(random, ["w", "u", ""])}'`;
  }
  let content = "";
  for (let count = random.drawIntegerBelow(4); count > 0; count -= 1) {
    content +=
      random.drawIntegerBelow(2) === 0 || depth > 4 ? pick(random, texts) : makeRandomElement(random, depth + 1);
  }
  return content === "" && random.drawIntegerBelow(2) === 0
    ? `<${name}${attributes}/>`
    : `<${name}${attributes}>${content}</${name}>`;
}

/** Creates a document that is nearly always well-formed. */
export function makeRandomDocument(random: Random): string {
  const start = pick(random, [
    "",
    "",
    "<?xml version='1.0'?>",
    "\ufeff",
    "<?xml version='1.0' encoding='utf-8' standalone='yes'?>\n",
    "<!-- c -->",
  ]);
  return `${start}${makeRandomElement(random, 0)}${pick(random, ["", "\n", "<!-- e -->", "<?p?>"])}`;
}

/** Corrupts a document at one to three positions. */
export function corrupt(random: Random, source: string): string {
  let text = source;
  for (let count = 1 + random.drawIntegerBelow(3); count > 0; count -= 1) {
    const offset = random.drawIntegerBelow(text.length + 1);
    const removedCount = random.drawIntegerBelow(3) === 0 ? 1 + random.drawIntegerBelow(3) : 0;
    text =
      text.slice(0, offset) +
      (random.drawIntegerBelow(4) === 0 ? "" : pick(random, fragments)) +
      text.slice(offset + removedCount);
  }
  return text;
}
