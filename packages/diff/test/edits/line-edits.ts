import type { Random } from "@bothends/dynamic/random";

// Edits of one line of a WSDL, a schema or an index, which a diff may report.

/** Changes a line; undefined if the edit does not fit. `text` is the whole file. */
type LineEdit = (line: string, random: Random, text: string) => string | undefined;

/** Sets an attribute of the tag that begins in a line, or changes its value. */
function setAttribute(tag: RegExp, name: string, values: readonly string[]): LineEdit {
  return (line, random) => {
    const others = values.filter((value) => !line.includes(`${name}="${value}"`));
    const value = random.pick(others);
    if (value === undefined) {
      return undefined;
    }
    const attribute = new RegExp(`\\b${name}="[^"]*"`);
    if (attribute.test(line)) {
      return line.replace(attribute, `${name}="${value}"`);
    }
    const [start] = tag.exec(line) ?? [];
    return start === undefined ? undefined : line.replace(start, `${start} ${name}="${value}"`);
  };
}

/** Replaces the value of an attribute with another value that the file has for the attribute. */
function replaceReference(name: string): LineEdit {
  return (line, random, text) => {
    const [, value] = new RegExp(`\\s${name}="([^"]*)"`).exec(` ${line}`) ?? [];
    if (value === undefined) {
      return undefined;
    }
    const others = [...text.matchAll(new RegExp(`\\s${name}="([^"]*)"`, "g"))].map(([, other = ""]) => other);
    const other = random.pick([...new Set(others)].filter((each) => each !== value));
    return other === undefined ? undefined : line.replace(`${name}="${value}"`, `${name}="${other}"`);
  };
}

/** Changes the value of an attribute. */
function changeValue(name: string, change: (value: string) => string, test = /./): LineEdit {
  const attribute = new RegExp(`(^|\\s)${name}="([^"]+)"`);
  return (line) =>
    test.test(line) && attribute.test(line)
      ? line.replace(attribute, (_, space: string, value: string) => `${space}${name}="${change(value)}"`)
      : undefined;
}

const element = /<(?:\w+:)?element\b/;

/** The edits of a line of a WSDL or a schema. */
export const xmlEdits: Readonly<Record<string, LineEdit>> = {
  minOccurs: setAttribute(element, "minOccurs", ["0", "1"]),
  maxOccurs: setAttribute(element, "maxOccurs", ["1", "5", "unbounded"]),
  groupOccurs: setAttribute(/<(?:\w+:)?(?:sequence|choice|group)\b/, "minOccurs", ["0", "1"]),
  groupMaxOccurs: setAttribute(/<(?:\w+:)?(?:sequence|choice|group)\b/, "maxOccurs", ["1", "unbounded"]),
  nillable: setAttribute(element, "nillable", ["true", "false"]),
  default: setAttribute(element, "default", ["1", "2"]),
  fixed: setAttribute(element, "fixed", ["1", "2"]),
  use: setAttribute(/<(?:\w+:)?attribute(?= )/, "use", ["required", "optional"]),
  mixed: setAttribute(/<(?:\w+:)?complexType\b/, "mixed", ["true", "false"]),
  abstract: setAttribute(/<(?:\w+:)?complexType\b/, "abstract", ["true", "false"]),
  processContents: setAttribute(/<(?:\w+:)?any\b/, "processContents", ["lax", "skip", "strict"]),
  anyNamespace: setAttribute(/<(?:\w+:)?any\b/, "namespace", ["##any", "##other", "##local"]),
  form: setAttribute(element, "form", ["qualified", "unqualified"]),
  name: changeValue("name", (name) => `${name}X`),
  type: replaceReference("type"),
  ref: replaceReference("ref"),
  base: replaceReference("base"),
  itemType: replaceReference("itemType"),
  memberTypes: replaceReference("memberTypes"),
  substitutionGroup: replaceReference("substitutionGroup"),
  element: replaceReference("element"),
  message: replaceReference("message"),
  part: replaceReference("part"),
  parts: replaceReference("parts"),
  soapAction: changeValue("soapAction", (action) => `${action}X`),
  location: changeValue("location", (action) => `${action}x`, /address|operation/),
  address: changeValue("location", (action) => `${action}x`, /address/),
  style: setAttribute(/<\w+:(?:binding|operation)\b(?=.*(?:style|soapAction|transport))/, "style", ["document", "rpc"]),
  encoding: setAttribute(/<soap\w*:(?:body|header|fault)\b/, "use", ["literal", "encoded"]),
  bodyNamespace: setAttribute(/<soap\w*:body\b/, "namespace", ["urn:a", "urn:b"]),
  verb: (line) => (/urlEncoded/.test(line) ? line.replaceAll("urlEncoded", "urlReplacement") : undefined),
  httpVerb: setAttribute(/<http:binding\b/, "verb", ["GET", "POST"]),
  elementFormDefault: setAttribute(/<(?:\w+:)?schema\b/, "elementFormDefault", ["qualified", "unqualified"]),
  action: changeValue("wsa\\w*:Action", (action) => `${action}X`),
  facet: changeValue("value", (value) => (/^\d+$/.test(value) ? String(Number(value) + 1) : `${value}X`)),
  delete: (line) => (/^\s*<[^!?/>][^>]*\/>\s*$/.test(line) ? "" : undefined),
  add: (line) =>
    /^\s*<[^!?/>][^>]*\/>\s*$/.test(line) && /\s(?:name|value)="[^"]/.test(line)
      ? `${line}\n${line.replace(/\s(name|value)="([^"]*)"/, (_, name: string, value: string) => ` ${name}="${/^\d+$/.test(value) ? Number(value) + 7 : `${value}Y`}"`)}`
      : undefined,
};

const jsonTypes = ["string", "integer", "number", "boolean", "array", "object", "null"];

/** Names of members that are not names of routes, arguments or properties. */
const keywords =
  /^\s*"(?:args|endpoints|methods|routes|namespaces?|items|properties|oneOf|anyOf|enum|type|format|default|required|description|min\w+|max\w+|pattern|context|_links|self|href|schema|\$\w+|authentication|title|readonly|allow_batch|v1|help|image|embed|additionalProperties|name)":/;

/** The edits of a line of an index. */
export const jsonEdits: Readonly<Record<string, LineEdit>> = {
  number: (line) =>
    /-?\d+(,?)$/.test(line)
      ? line.replace(/-?\d+(,?)$/, (text) => text.replace(/\d+/, (n) => `${Number(n) + 1}`))
      : undefined,
  boolean: (line) =>
    /\b(?:true|false),?$/.test(line)
      ? line.replace(/\b(true|false)(,?)$/, (_, value, comma) => `${value === "true" ? "false" : "true"}${comma}`)
      : undefined,
  string: (line, random) =>
    /^\s*(?:"[^"]*": )?"[^"]*",?$/.test(line)
      ? line.replace(/"([^"]*)"(,?)$/, (_, value: string, comma: string) =>
          jsonTypes.includes(value) ? `"${random.pick(jsonTypes)}"${comma}` : `"${value}x"${comma}`,
        )
      : undefined,
  key: (line) =>
    /^\s*"[^"]+": /.test(line) && !keywords.test(line) ? line.replace(/"([^"]+)": /, '"$1_x": ') : undefined,
  delete: (line) => (/^\s*(?:"[^"]*": )?(?:"[^"]*"|[\w.-]+),$/.test(line) ? "" : undefined),
  add: (line) => (/^\s*"[^"]*",$/.test(line) ? `${line}\n${line.replace(/"([^"]*)",$/, '"$1y",')}` : undefined),
};

/** Puts each attribute of a tag on a separate line. */
export function splitAttributes(text: string): string {
  return text.replace(/<[\w:]+(?:\s+[\w:.-]+="[^"]*")+\s*\/?>/g, (tag) =>
    /^<[\w:]+\s+xmlns|<\?/.test(tag) ? tag : tag.replace(/\s+(?=[\w:.-]+=")/g, "\n  "),
  );
}

/** A single changed line: its number in both versions; undefined if a version does not have the line. */
export interface EditedLine {
  readonly edit: string;
  readonly old: number | undefined;
  readonly new: number | undefined;
  readonly oldText: string;
  readonly newText: string;
  readonly text: string;
}

/** Edits a random line of a file; undefined if no edit fits the line. */
export function editLine(
  random: Random,
  text: string,
  edits: Readonly<Record<string, LineEdit>>,
): EditedLine | undefined {
  const lines = text.split("\n");
  const index = random.drawIntegerBelow(lines.length);
  const line = lines[index] ?? "";
  const fitting = Object.entries(edits).flatMap(([edit, change]) => {
    const changed = change(line, random, text);
    return changed === undefined || changed === line ? [] : [{ edit, changed }];
  });
  const chosen = random.pick(fitting);
  if (chosen === undefined) {
    return undefined;
  }
  const { edit, changed } = chosen;
  const newLines = edit === "delete" ? [] : changed.split("\n");
  const isAddition = newLines.length === 2;
  return {
    edit,
    old: isAddition ? undefined : index + 1,
    new: edit === "delete" ? undefined : isAddition ? index + 2 : index + 1,
    oldText: line,
    newText: changed,
    text: [...lines.slice(0, index), ...newLines, ...lines.slice(index + 1)].join("\n"),
  };
}
