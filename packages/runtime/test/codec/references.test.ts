import { describe, expect, test } from "vitest";
import type { RecordDescriptor } from "../../src/descriptor.js";
import * as xs from "../../src/xs.js";
import { decodeInside, type Loose, record } from "./messages.js";
import { readNode } from "./nodes.js";

describe("a reference in a literal message", () => {
  const optional = { type: xs.string, min: 0 } as const;
  const inner = record({ a: optional });
  const described = record({ a: optional, href: { kind: "attribute", by: xs.attribute, type: xs.string } });
  const open = record({
    a: optional,
    any: { kind: "anyAttribute", by: xs.anyAttribute, namespaces: "any", process: "skip" },
  });
  const holderOf = (type: () => RecordDescriptor<Loose>) => record({ x: { type } });

  test.each([
    { what: "a record", type: holderOf(inner), inside: '<x href="#ref1"/>' },
    { what: "a text", type: record({ x: { type: xs.string } }), inside: '<x href="#ref1"/>' },
    { what: "a text in an attachment", type: record({ x: { type: xs.string } }), inside: '<x href="cid:a"/>' },
    { what: "a number", type: record({ x: { type: xs.int } }), inside: '<x href="#id0">1</x>' },
    {
      what: "a record, in SOAP 1.2",
      type: holderOf(inner),
      inside: '<x e:ref="#ref1" xmlns:e="http://www.w3.org/2003/05/soap-encoding"/>',
    },
  ])("is refused where $what is expected", ({ type, inside }) => {
    for (const options of [{}, { strict: true }]) {
      expect(() => decodeInside(type, inside, options)).toThrow(
        expect.objectContaining({ path: "/R/x", message: expect.stringContaining("must not be a reference") }),
      );
    }
  });

  test.each([
    {
      what: "is declared by the type",
      type: holderOf(described),
      inside: '<x href="#a"/>',
      want: { x: { href: "#a" } },
    },
    {
      what: "is accepted by a wildcard",
      type: holderOf(open),
      inside: '<x href="#a"/>',
      want: { x: { any: [{ name: "href", value: "#a" }] } },
    },
    { what: "is an address", type: holderOf(inner), inside: '<x href="http://a.example/"/>', want: { x: {} } },
    { what: "is qualified", type: holderOf(inner), inside: '<x l:href="#a" xmlns:l="urn:l"/>', want: { x: {} } },
  ])("is not assumed if the attribute $what", ({ type, inside, want }) => {
    expect(decodeInside(type, inside)).toEqual(want);
  });
});

describe("references of SOAP encoding", () => {
  test("are read with the prefixes that are in scope where the element is", () => {
    const body = '<n><nodes href="#a"/></n><p:x id="a" xmlns:p="urn:p" xmlns="urn:d"><text xmlns="">1</text></p:x>';
    expect(readNode(body)).toEqual({ nodes: [{ text: "1" }] });
  });

  test("create a value for each, in any position", () => {
    const { nodes = [] } = readNode('<n><nodes><nodes id="a"><text>1</text></nodes></nodes><nodes href="#a"/></n>');
    expect(nodes).toEqual([{ nodes: [{ text: "1" }] }, { text: "1" }]);
    expect(nodes[0]?.nodes?.[0]).not.toBe(nodes[1]);
  });

  test.each([
    '<n id="a"><nodes href="#a"/></n>',
    '<n><nodes href="#a"/></n><m id="a"><nodes><nodes href="#a"/></nodes></m>',
  ])("that lead back to themselves are refused: %s", (body) => {
    expect(() => readNode(body)).toThrow('The element with the id "a" refers to itself.');
  });
});
