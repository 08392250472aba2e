import { gunzipSync, gzipSync } from "node:zlib";
import { checkUSAResponseDescriptor } from "@bothends/contract/vehicle/operations";
import { Decoder, Encoder } from "@bothends/runtime/codec";
import { XmlReader } from "@bothends/xml";
import type { Group, Subject } from "../measure.js";
import { costOf } from "../measure.js";
import { envelope, lookupAnswer, lookupElement, namespace } from "../payload.js";
import { peerCodecs } from "../peers.js";

const name = `{${namespace}}${lookupElement}`;
const type = () => checkUSAResponseDescriptor;
const encoder = new Encoder();
const decoder = new Decoder({ repeated: "error" });

const json = JSON.stringify(lookupAnswer);
const xml = (): string =>
  encoder.element(name, type, lookupAnswer, {
    declarations: ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
  });

const compact = xml();
const prefixed = compact.replaceAll(/<(\/?)([A-Za-z])/g, "<$1v:$2").replace(' xmlns="http:', ' xmlns:v="http:');
const pretty = compact.replaceAll("><", ">\r\n  <");
const compressed = gzipSync(compact);

function decode(text: string): unknown {
  const reader = new XmlReader(text);
  reader.next();
  return decoder.element(reader, type);
}

/** Peers need fewer repetitions because they take 5 to 60 times as long. */
function repeated(subject: string, run: () => unknown, count = 10_000): Subject {
  return { name: subject, measure: () => costOf(count, run) };
}

/** Encodes a value to UTF-8 bytes and decodes text to a value, using the same record as the other areas. */
export async function codec(): Promise<readonly Group[]> {
  const peers = await peerCodecs();
  const message = envelope(compact);
  return [
    {
      id: "encode",
      title: "Encode to bytes",
      unit: "CPU µs",
      limit: "JSON.stringify of the same value, as UTF-8 bytes.",
      subjects: [
        repeated("JSON.stringify", () => Buffer.from(JSON.stringify(lookupAnswer))),
        repeated("Bothends", () => Buffer.from(xml())),
        ...Object.entries(peers.encode).map(([peer, run]) => repeated(peer, run, 500)),
      ],
    },
    {
      id: "decode",
      title: "Decode",
      unit: "CPU µs",
      limit: "JSON.parse of the same value as JSON.",
      subjects: [
        repeated("JSON.parse", () => JSON.parse(json)),
        repeated("Bothends, compact", () => decode(compact)),
        repeated("Bothends, prefixed", () => decode(prefixed)),
        repeated("Bothends, pretty", () => decode(pretty)),
        repeated("Bothends, gzip", () => decode(gunzipSync(compressed).toString()), 2_000),
        ...Object.entries(peers.decode).map(([peer, run]) => repeated(peer, () => run(message), 500)),
      ],
    },
  ];
}
