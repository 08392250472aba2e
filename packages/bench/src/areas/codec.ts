import { checkUSAResponseDescriptor } from "@bothends/contract/vehicle/operations";
import { Decoder, Encoder } from "@bothends/runtime/codec";
import { XmlReader } from "@bothends/xml";
import type { Group, Subject } from "../measure.js";
import { costOf } from "../measure.js";
import { vehicle } from "../payload.js";

const count = 10_000;
const name = "{http://vehicle.example/reg}CheckUSAResponse";
const type = () => checkUSAResponseDescriptor;
const answer = { CheckUSAResult: vehicle };
const encoder = new Encoder();
const decoder = new Decoder({ repeated: "error" });

const json = JSON.stringify(answer);
const xml = (): string =>
  encoder.element(name, type, answer, { declarations: ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"' });

const compact = xml();
const prefixed = compact.replaceAll(/<(\/?)([A-Za-z])/g, "<$1v:$2").replace(' xmlns="http:', ' xmlns:v="http:');
const pretty = compact.replaceAll("><", ">\r\n  <");

function decode(text: string): unknown {
  const reader = new XmlReader(text);
  reader.next();
  return decoder.element(reader, type);
}

function repeated(subject: string, run: () => unknown): Subject {
  return { name: subject, measure: () => costOf(count, run) };
}

/** Encodes a value to UTF-8 bytes and decodes text to a value, with the record of the other areas. */
export const codec = (): readonly Group[] => [
  {
    title: "Encode to bytes",
    unit: "CPU µs",
    subjects: [
      repeated("JSON.stringify", () => Buffer.from(JSON.stringify(answer))),
      repeated("Encoder", () => Buffer.from(xml())),
    ],
  },
  {
    title: "Decode",
    unit: "CPU µs",
    subjects: [
      repeated("JSON.parse", () => JSON.parse(json)),
      repeated("Decoder, compact", () => decode(compact)),
      repeated("Decoder, prefixed", () => decode(prefixed)),
      repeated("Decoder, pretty", () => decode(pretty)),
    ],
  },
];
