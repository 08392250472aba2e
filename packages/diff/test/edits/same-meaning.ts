import type { Sources } from "../proof/contracts.js";

/** A rewriting of sources that changes their text and not their meaning. */
export interface Rewriting {
  readonly title: string;
  /** Undefined if the sources have nothing to rewrite. */
  readonly rewrite: (sources: Sources) => Sources;
}

const startTag = /<([A-Za-z_][\w.-]*(?::[\w.-]+)?)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))+)\s*(\/?)>/g;
const attribute = /\s+([\w:.-]+)\s*=\s*("[^"]*"|'[^']*')/g;

function inXml(rewrite: (text: string) => string): Rewriting["rewrite"] {
  return (sources) =>
    Object.fromEntries(
      Object.entries(sources).map(([path, text]) => [path, /\.(wsdl|xsd)$/.test(path) ? rewrite(text) : text]),
    );
}

function inJson(rewrite: (value: unknown) => unknown, indent: number | undefined): Rewriting["rewrite"] {
  return (sources) =>
    Object.fromEntries(
      Object.entries(sources).map(([path, text]) =>
        path.endsWith(".json") && path !== "bothends.json"
          ? [path, JSON.stringify(rewrite(JSON.parse(text)), null, indent)]
          : [path, text],
      ),
    );
}

/** Rewrites the attributes of every start tag. */
function withAttributes(
  text: string,
  rewrite: (attributes: readonly string[], name: string) => readonly string[],
): string {
  return text.replace(startTag, (_all, name: string, attributes: string, end: string) => {
    const list = [...attributes.matchAll(attribute)].map(([, key, value]) => `${key}=${value}`);
    return `<${name} ${rewrite(list, name).join(" ")}${end}>`;
  });
}

/** Returns the namespace prefixes that a document declares. */
function prefixesOf(text: string): readonly string[] {
  const found = [...text.matchAll(/\bxmlns:([\w.-]+)\s*=/g)].map(([, prefix = ""]) => prefix);
  return [...new Set(found)].filter((prefix) => prefix !== "xml");
}

function renamePrefixes(text: string): string {
  return prefixesOf(text).reduce((whole, prefix) => {
    const name = prefix.replace(/[.-]/g, "\\$&");
    return whole
      .replace(new RegExp(`(</?)${name}:`, "g"), `$1p_${prefix}:`)
      .replace(new RegExp(`\\bxmlns:${name}(\\s*=)`, "g"), `xmlns:p_${prefix}$1`)
      .replace(new RegExp(`(\\s)${name}:([\\w.-]+\\s*=)`, "g"), `$1p_${prefix}:$2`)
      .replace(
        new RegExp(
          `(\\b(?:type|base|ref|element|message|binding|itemType|name|refer|substitutionGroup|header|part|arrayType)\\s*=\\s*["'])${name}:`,
          "g",
        ),
        `$1p_${prefix}:`,
      )
      .replace(
        /(\bmemberTypes\s*=\s*")([^"]*)"/g,
        (_all, start: string, list: string) =>
          `${start}${list.replace(new RegExp(`(^|\\s)${name}:`, "g"), `$1p_${prefix}:`)}"`,
      );
  }, text);
}

/** The children of the first element with a name, as texts: the whole text is `before`, the children, and `after`. */
function childrenOf(text: string, name: RegExp): { before: string; children: string[]; after: string } | undefined {
  const open = new RegExp(`<(?:[\\w.-]+:)?(?:${name.source})(?=[\\s>])(?:"[^"]*"|'[^']*'|[^"'>])*(?<!/)>`).exec(text);
  if (open === null) {
    return undefined;
  }
  const start = open.index + open[0].length;
  const tokens = /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\/[^>]*>|<(?:"[^"]*"|'[^']*'|[^"'>])*>/g;
  tokens.lastIndex = start;
  const children: string[] = [];
  let [depth, last] = [0, start];
  for (let token = tokens.exec(text); token !== null; token = tokens.exec(text)) {
    const [tag] = token;
    if (tag.startsWith("<!")) {
      continue;
    }
    if (tag.startsWith("</")) {
      depth -= 1;
    } else if (!tag.endsWith("/>")) {
      depth += 1;
    }
    if (depth < 0) {
      return { before: text.slice(0, start), children, after: text.slice(last) };
    }
    if (depth === 0) {
      children.push(text.slice(last, token.index + tag.length));
      last = token.index + tag.length;
    }
  }
  return undefined;
}

/** Reverses the order of the children with some names; the others keep their places. */
function reverseChildren(text: string, parent: RegExp, names: readonly string[]): string {
  const found = childrenOf(text, parent);
  if (found === undefined) {
    return text;
  }
  const isMoved = (child: string) => {
    const [, name = ""] = /<(?!!)(?:[\w.-]+:)?([\w.-]+)/.exec(child.replace(/<!--[\s\S]*?-->/g, "")) ?? [];
    return names.includes(name);
  };
  const moved = found.children.filter(isMoved);
  const children = found.children.map((child) => (isMoved(child) ? (moved.pop() ?? "") : child));
  return `${found.before}${children.join("")}${found.after}`;
}

function reverseKeys(value: unknown, isRoutes = false): unknown {
  if (Array.isArray(value)) {
    return value.map((each) => reverseKeys(each));
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  // The arguments in generated code have the order of the index. The order of the routes decides which route answers,
  // so it must not change.
  const entries = Object.entries(value).map(([key, member]) => [key, reverseKeys(member, key === "routes")] as const);
  return Object.fromEntries(isRoutes ? entries : entries.reverse());
}

/** Reverses the lists of JSON Schema whose order has no meaning. */
function reverseLists(value: unknown, name = ""): unknown {
  if (Array.isArray(value)) {
    const items = value.map((each) => reverseLists(each));
    return ["enum", "context", "required", "anyOf", "oneOf"].includes(name) ? items.reverse() : items;
  }
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, reverseLists(member, key)]))
    : value;
}

export const rewritings: readonly Rewriting[] = [
  { title: "the same text", rewrite: (sources) => ({ ...sources }) },
  {
    title: "comments and white space",
    rewrite: inXml((text) =>
      text.replace(/>(\s*)</g, (_all, space: string) => (space === "" ? "><" : `>${space}<!-- note -->\n  <`)),
    ),
  },
  {
    title: "attributes in another order",
    rewrite: inXml((text) => withAttributes(text, (attributes) => [...attributes].reverse())),
  },
  { title: "other prefixes", rewrite: inXml(renamePrefixes) },
  {
    title: "messages, port types and bindings in another order",
    rewrite: inXml((text) => reverseChildren(text, /definitions/, ["message", "portType", "binding"])),
  },
  {
    title: "components of the schema in another order",
    rewrite: inXml((text) =>
      reverseChildren(text, /schema/, ["element", "complexType", "simpleType", "group", "attributeGroup", "attribute"]),
    ),
  },
  {
    title: "operations of port types in another order",
    rewrite: inXml((text) => reverseChildren(text, /portType/, ["operation"])),
  },
  {
    title: "defaults of attributes written out",
    rewrite: inXml((text) =>
      withAttributes(text, (attributes, name) => {
        const isLocal =
          /(?:^|:)element$/.test(name) && attributes.some((each) => /^(?:minOccurs|maxOccurs)=/.test(each));
        const add = (key: string, value: string) =>
          attributes.some((each) => each.startsWith(`${key}=`)) ? [] : [`${key}="${value}"`];
        return isLocal
          ? [...attributes, ...add("minOccurs", "1"), ...add("maxOccurs", "1"), ...add("nillable", "false")]
          : attributes;
      }),
    ),
  },
  { title: "keys of JSON in another order", rewrite: inJson(reverseKeys, 2) },
  { title: "values, contexts and alternatives in another order", rewrite: inJson((value) => reverseLists(value), 2) },
  { title: "JSON without white space", rewrite: inJson((value) => value, undefined) },
];

/** Moves the components of the first schema of a WSDL into a file that it includes. */
export function movedIntoInclude(path: string, text: string): Sources {
  const found = childrenOf(text, /schema/);
  const [, open = "", name = ""] =
    /(<((?:[\w.-]+:)?schema)(?=[\s>])(?:"[^"]*"|'[^']*'|[^"'>])*>)$/.exec(found?.before ?? "") ?? [];
  if (found === undefined || open === "") {
    throw new Error(`There is no schema in ${path}.`);
  }
  const prefix = name.slice(0, name.length - "schema".length);
  const declared = [...text.matchAll(/\s(xmlns(?::[\w.-]+)?)\s*=\s*("[^"]*")/g)].filter(
    ([, key = ""]) => !open.includes(`${key}=`),
  );
  const names = new Map(declared.map(([, key = "", value = ""]) => [key, value]));
  const root = open.replace(/>$/, `${[...names].map(([key, value]) => ` ${key}=${value}`).join("")}>`);
  const kept = found.children.filter((child) => /<(?:[\w.-]+:)?import[\s/>]/.test(child));
  return {
    [path]: `${found.before}${kept.join("")}<${prefix}include schemaLocation="moved.xsd"/>${found.after}`,
    "moved.xsd": `${root}${found.children.join("")}</${name}>`,
  };
}
