import { readFileSync } from "node:fs";
import { XMLBuilder, XMLParser } from "fast-xml-parser";
import { SaxesParser } from "saxes";
import soap from "soap";
import strongSoap from "strong-soap";

/**
 * The encoders and decoders of other projects, by name: `encode` writes the answer of a lookup as bytes, and `decode` reads
 * the text of a SOAP message. Those that need a WSDL read it first.
 */
export async function peerCodecs({ wsdl, answer, element, namespace }) {
  const builder = new XMLBuilder({ ignoreAttributes: false });
  const parser = new XMLParser({ ignoreAttributes: false, removeNSPrefix: true });
  const named = { [element]: { "@_xmlns": namespace, ...answer } };
  const nodeSoap = await new Promise((resolve, reject) => {
    const opened = new soap.WSDL(readFileSync(wsdl, "utf8"), wsdl, {});
    opened.onReady((error) => (error ? reject(error) : resolve(opened)));
  });
  const strong = await strongCodec(wsdl, answer);
  return {
    encode: {
      "fast-xml-parser": () => Buffer.from(builder.build(named)),
      "node-soap": () => Buffer.from(nodeSoap.objectToDocumentXML(element, answer, "tns", namespace)),
      "strong-soap": () => Buffer.from(strong.encode()),
    },
    decode: {
      "saxes-driven": decodeWithSaxes,
      "fast-xml-parser": (xml) => parser.parse(xml),
      "node-soap": (xml) => nodeSoap.xmlToObject(xml),
      "strong-soap": (xml) => strong.decode(xml),
    },
  };
}

async function strongCodec(file, answer) {
  const { WSDL, XMLHandler } = strongSoap.soap;
  const wsdl = await new Promise((resolve, reject) =>
    WSDL.open(file, {}, (error, opened) => (error ? reject(error) : resolve(opened))),
  );
  const operation = wsdl.definitions.bindings.RegSoap.operations.CheckUSA.describe(wsdl.definitions);
  const handler = new XMLHandler(wsdl.schemas, {});
  const { body } = operation.output;
  return {
    encode: () => {
      const envelope = XMLHandler.createSOAPEnvelope();
      handler.jsonToXml(envelope.body, envelope.nsContext, body, answer);
      return envelope.doc.end();
    },
    decode: (xml) => handler.xmlToJson(undefined, xml, operation.outputEnvelope),
  };
}

/** Builds objects of texts from the events of saxes, with null where `xsi:nil` is true. */
function decodeWithSaxes(xml) {
  const parser = new SaxesParser({ xmlns: true });
  const parents = [];
  let value = {};
  let text = "";
  let failure;
  parser.on("error", (error) => {
    failure = error;
  });
  parser.on("opentag", () => {
    parents.push(value);
    value = {};
    text = "";
  });
  parser.on("text", (piece) => {
    text += piece;
  });
  parser.on("closetag", (tag) => {
    const parent = parents.pop();
    const nil = tag.attributes["xsi:nil"]?.value === "true";
    parent[tag.local] = nil ? null : Object.keys(value).length > 0 ? value : text;
    value = parent;
    text = "";
  });
  parser.write(xml).close();
  if (failure !== undefined) {
    throw failure;
  }
  return value;
}
