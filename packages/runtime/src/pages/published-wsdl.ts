import { clark, START, schemaLimits, TEXT, XmlError, XmlReader } from "@bothends/xml";
import { schemaNamespace } from "../codec/names.js";
import type { Protocol } from "../descriptor.js";
import type { ServedNames, ServedOperation } from "../server/soap/served-operations.js";

/** What a published WSDL says to people, by the names of the wire. */
export interface Documentation {
  readonly service: string | undefined;
  readonly operations: ReadonlyMap<string, string>;
  /** Of elements and attributes in types, by the type's name (or its element's) and their own: `{namespace}Order/sku`. */
  readonly members: ReadonlyMap<string, string>;
}

export const noDocumentation: Documentation = { service: undefined, operations: new Map(), members: new Map() };

const wsdlNamespace = "http://schemas.xmlsoap.org/wsdl/";

/** Reads the documentation out of a WSDL. One that cannot be read says nothing. */
export function readDocumentation(wsdl: string, service: string): Documentation {
  try {
    return read(new XmlReader(wsdl, schemaLimits), service);
  } catch (error) {
    if (error instanceof XmlError) return noDocumentation;
    throw error;
  }
}

/** An element around the reader's place. */
interface Around {
  readonly key: string;
  readonly name: string;
  /** `{namespace}name` of the type or element that members are found below; the schema's namespace above all. */
  readonly owner: string;
}

function read(reader: XmlReader, service: string): Documentation {
  const texts = { service: "", operations: new Map<string, string>(), members: new Map<string, string>() };
  let definitions = "";
  const around: Around[] = [];
  for (let event = reader.next(); event !== 0; event = reader.next()) {
    if (event !== START) continue;
    around.length = reader.depth - 1;
    const parent = around.at(-1);
    const key = clark(reader.namespace, reader.localName);
    if (key === `{${wsdlNamespace}}documentation`) {
      const text = tidy(textOf(reader));
      if (parent?.key === `{${wsdlNamespace}}operation` && isPortType(around.at(-2))) {
        texts.operations.set(parent.name, text);
      } else if (parent?.key === `{${wsdlNamespace}}service` && parent.name === service) texts.service = text;
      else if (parent?.key === `{${wsdlNamespace}}definitions`) definitions = text;
    } else if (key === `{${schemaNamespace}}documentation`) {
      const member = around.at(-2);
      const owner = around.at(-3)?.owner;
      if (member !== undefined && owner !== undefined)
        texts.members.set(`${owner}/${member.name}`, tidy(textOf(reader)));
    } else around.push(placeOf(reader, key, parent));
  }
  return { ...texts, service: texts.service === "" ? definitions || undefined : texts.service };
}

function isPortType(around: Around | undefined): boolean {
  return around?.key === `{${wsdlNamespace}}portType`;
}

function placeOf(reader: XmlReader, key: string, parent: Around | undefined): Around {
  const name = reader.attribute("", "name") ?? "";
  const namespace = key === `{${schemaNamespace}}schema` ? (reader.attribute("", "targetNamespace") ?? "") : undefined;
  if (namespace !== undefined) return { key, name, owner: clark(namespace, "") };
  const owner = parent?.owner ?? "";
  const owns = key === `{${schemaNamespace}}complexType` || key === `{${schemaNamespace}}element`;
  return { key, name, owner: owns && name !== "" ? owner.replace(/[^}]*$/, "") + name : owner };
}

/** The text of an element, whatever stands inside it. */
function textOf(reader: XmlReader): string {
  const { depth } = reader;
  let text = "";
  for (let event = reader.next(); event !== 0; event = reader.next()) {
    if (event === TEXT) text += reader.text;
    else if (event !== START && reader.depth <= depth) break;
  }
  return text;
}

/** Line ends are kept, the indentation of the document is not. */
function tidy(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trim())
    .join("\n")
    .trim();
}

/** What the pages of one service are made from. */
export interface DescribedService {
  readonly name: string;
  readonly operations: readonly ServedOperation[];
  readonly names: ServedNames;
  /** The WSDL that is published, where there is one: what it documents is shown. */
  readonly wsdl: (() => string) | undefined;
  readonly addressOf: (protocol: Protocol) => string;
  /** The path of each port; the page is at one of them. */
  readonly pathOf: (protocol: Protocol) => string;
}

/** The protocols in the order in which pages show them. */
export const protocols = ["soap11", "soap12", "httpGet", "httpPost"] as const;

/** What people call them. */
export const protocolNames: Readonly<Record<Protocol, string>> = {
  soap11: "SOAP 1.1",
  soap12: "SOAP 1.2",
  httpGet: "HTTP GET",
  httpPost: "HTTP POST",
};
