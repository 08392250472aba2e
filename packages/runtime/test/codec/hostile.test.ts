import { messageLimits, XmlReader } from "@bothends/xml";
import { expect, test } from "vitest";
import { DecodeError, EncodeError } from "../../src/answer-errors.js";
import { Decoder } from "../../src/codec/decoder.js";
import type { RecordDescriptor } from "../../src/descriptor.js";
import * as xs from "../../src/xs.js";
import { decode, encode, type Loose, ns, record } from "./messages.js";

const tree: RecordDescriptor<Loose> = {
  kind: "record",
  name: `{${ns}}Tree`,
  namespace: ns,
  fields: { child: { type: () => tree, min: 0 }, any: { type: xs.anyType, min: 0 }, text: { type: xs.string, min: 0 } },
};

function chain(depth: number): Loose {
  let value: Loose = {};
  for (let level = 1; level < depth; level += 1) {
    value = { child: value };
  }
  return value;
}

test("a cyclic value is refused", () => {
  const cyclic: Loose = {};
  cyclic["child"] = cyclic;
  expect(() => encode(() => tree, cyclic)).toThrow(EncodeError);
  expect(() => encode(() => tree, cyclic)).toThrow("nested deeper than 256 levels");
});

test("a cyclic any element is refused", () => {
  const cyclic: { name: string; content: unknown[] } = { name: "a", content: [] };
  cyclic.content.push(cyclic);
  expect(() => encode(() => tree, { any: cyclic.content[0] })).toThrow(EncodeError);
  expect(() => encode(() => tree, { any: { content: [cyclic] } })).toThrow("nested deeper than 256 levels");
});

test("256 levels are written, 257 are not", () => {
  expect(encode(() => tree, chain(256))).toContain("<child />");
  expect(() => encode(() => tree, chain(257))).toThrow("nested deeper");
});

test("a path of many levels is cut", () => {
  let value: Loose = { text: 5 };
  for (let level = 0; level < 200; level += 1) {
    value = { child: value };
  }
  try {
    encode(() => tree, value);
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(EncodeError);
    if (error instanceof EncodeError) {
      expect(error.path.length).toBeLessThan(500);
    }
  }
});

test.each([
  [
    "a getter that throws",
    {
      get text(): string {
        throw new TypeError("no");
      },
    },
  ],
  ["a revoked proxy", revoked()],
  [
    "a proxy that lies",
    new Proxy(
      {},
      {
        ownKeys: () => {
          throw new RangeError("no");
        },
      },
    ),
  ],
  ["a symbol", { text: Symbol("x") }],
  ["a function", () => ({})],
  ["an array subclass", new (class extends Array<string> {})()],
])("writing %s is an EncodeError", (_, value) => {
  expect(() => encode(() => tree, value)).toThrow(EncodeError);
});

test("an answer that is longer than a string can be is reported as such", () => {
  const tooLong = {
    get text(): string {
      return "x".repeat(2 ** 29);
    },
  };
  expect(() => encode(() => tree, tooLong)).toThrow("text: The message is longer than the longest string (512 MB).");
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

test("a polluted Object.prototype puts nothing on the wire", () => {
  Object.defineProperty(Object.prototype, "text", { value: "polluted", configurable: true, enumerable: false });
  try {
    expect(() => encode(() => tree, {})).toThrow("inherited");
  } finally {
    Reflect.deleteProperty(Object.prototype, "text");
  }
});

test("names of elements cannot contain markup", () => {
  for (const name of [
    "a><b",
    "a b",
    "",
    "a:b",
    "{urn:x",
    "{urn:x}",
    "xmlns",
    "{http://www.w3.org/2000/xmlns/}x",
    5,
    null,
  ]) {
    expect(() => encode(() => tree, { any: { content: [{ name }] } }), String(name)).toThrow(EncodeError);
    expect(() => encode(() => tree, { any: { attributes: [{ name, value: "" }] } }), String(name)).toThrow(EncodeError);
  }
});

test("__proto__ on the wire becomes an own member and nothing else", () => {
  const type = record({ ["__proto__"]: { type: xs.string, min: 0 }, constructor: { type: xs.string, min: 0 } });
  const value = decode(type, `<R xmlns="${ns}"><__proto__>a</__proto__><constructor>b</constructor></R>`);
  expect(Object.entries(value)).toEqual([
    ["__proto__", "a"],
    ["constructor", "b"],
  ]);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(Object.keys(decode(type, `<R xmlns="${ns}" />`))).toEqual([]);
});

test("elements named like members of Object.prototype are unknown where the record has none of them", () => {
  const value = decode(() => tree, `<R xmlns="${ns}"><__proto__/><hasOwnProperty/><text>a</text></R>`);
  expect(value).toEqual({ text: "a" });
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
});

test("a document that is too deep for the decoder causes a DecodeError, even if the reader accepts it", () => {
  const document = (depth: number): string =>
    `<R xmlns="${ns}">${"<child>".repeat(depth)}${"</child>".repeat(depth)}</R>`;
  const read = (depth: number, strict: boolean): unknown => {
    const reader = new XmlReader(document(depth), { ...messageLimits, depth: 1_000_000, nodes: 10_000_000 });
    reader.next();
    return new Decoder({ strict: strict ? xs.inOrder : undefined }).decode(reader, () => tree);
  };
  for (const strict of [false, true]) {
    expect(() => read(500, strict)).not.toThrow();
    expect(() => read(600, strict)).toThrow(DecodeError);
    expect(() => read(100_000, strict)).toThrow("nested deeper than 512 levels");
  }
});

test("wildcard content is read to any depth that the reader accepts", () => {
  const deep = `<R xmlns="${ns}"><any>${"<x>".repeat(50_000)}${"</x>".repeat(50_000)}</any></R>`;
  const reader = new XmlReader(deep, { ...messageLimits, depth: 1_000_000 });
  reader.next();
  expect(() => new Decoder().decode(reader, () => tree)).not.toThrow();
});
