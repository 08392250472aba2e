import { gunzipSync, gzipSync } from "node:zlib";
import { checkUSAResponseDescriptor } from "@bothends/contract/vehicle/operations";
import { Decoder, Encoder } from "@bothends/runtime/codec";
import { XmlReader } from "@bothends/xml";
import type { Group, Subject } from "../measure.js";
import { measureCost } from "../measure.js";
import { lookupAnswer, lookupElement, namespace, writeEnvelope } from "../payload.js";
import { loadPeerCodecs } from "../peers.js";

const name = `{${namespace}}${lookupElement}`;
const type = () => checkUSAResponseDescriptor;
const encoder = new Encoder();
const decoder = new Decoder({ repeated: "error" });

const json = JSON.stringify(lookupAnswer);
const xml = (): string =>
  encoder.encode(name, type, lookupAnswer, {
    declarations: ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
  });

const compactMessage = xml();
const prefixedMessage = compactMessage
  .replaceAll(/<(\/?)([A-Za-z])/g, "<$1v:$2")
  .replace(' xmlns="http:', ' xmlns:v="http:');
const prettyMessage = compactMessage.replaceAll("><", ">\r\n  <");
const compressedMessage = gzipSync(compactMessage);

function decode(text: string): unknown {
  const reader = new XmlReader(text);
  reader.next();
  return decoder.decode(reader, type);
}

/**
 * Returns a subject that calls a function `count` times. Other projects need fewer calls, because each takes 5 to 60
 * times as long.
 */
function createRepeatedSubject(subject: string, run: () => unknown, count = 10_000): Subject {
  return { name: subject, measure: () => measureCost(count, run) };
}

/**
 * Measures encoding a value to UTF-8 bytes and decoding a document. The value is the record of the other areas.
 */
export async function measureCodec(): Promise<readonly Group[]> {
  const peers = await loadPeerCodecs();
  const message = writeEnvelope(compactMessage);
  return [
    {
      id: "encode",
      title: "Encode to bytes",
      unit: "CPU µs",
      baseline: "JSON.stringify of the same value, as UTF-8 bytes.",
      subjects: [
        createRepeatedSubject("JSON.stringify", () => Buffer.from(JSON.stringify(lookupAnswer))),
        createRepeatedSubject("Bothends", () => Buffer.from(xml())),
        ...Object.entries(peers.encode).map(([peer, run]) => createRepeatedSubject(peer, run, 500)),
      ],
    },
    {
      id: "decode",
      title: "Decode",
      unit: "CPU µs",
      baseline: "JSON.parse of the same value as JSON.",
      subjects: [
        createRepeatedSubject("JSON.parse", () => JSON.parse(json)),
        createRepeatedSubject("Bothends, compact", () => decode(compactMessage)),
        createRepeatedSubject("Bothends, prefixed", () => decode(prefixedMessage)),
        createRepeatedSubject("Bothends, pretty", () => decode(prettyMessage)),
        createRepeatedSubject("Bothends, gzip", () => decode(gunzipSync(compressedMessage).toString()), 2_000),
        ...Object.entries(peers.decode).map(([peer, run]) => createRepeatedSubject(peer, () => run(message), 500)),
      ],
    },
  ];
}
