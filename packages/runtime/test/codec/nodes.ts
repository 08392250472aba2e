import { messageLimits, XmlReader } from "@bothends/xml";
import { Decoder } from "../../src/codec/index.js";
import type { RecordDescriptor } from "../../src/descriptor.js";
import * as xs from "../../src/xs.js";

export interface Node {
  readonly text?: string;
  readonly nodes?: readonly Node[];
}
const node: RecordDescriptor<Node> = {
  kind: "record",
  name: "Node",
  fields: {
    text: { type: xs.string, min: 0 },
    nodes: { type: () => node, min: 0, max: "unbounded" },
  },
};

/** Reads the first element of an encoded body, whose type contains itself. */
export function readNode(body: string): Node {
  const text = `<e:Envelope xmlns:e="urn:e"><e:Body>${body}</e:Body></e:Envelope>`;
  const reader = new XmlReader(text);
  for (let count = 0; count < 3; count += 1) {
    reader.next();
  }
  const encoding = xs.soapEncoding.bodyRules(text, { limits: messageLimits });
  return new Decoder().decode(reader, () => node, { encoding });
}
