import { expect, test } from "vitest";
import type { InterfaceSettings, OperationDescriptor, RecordDescriptor, ServiceDescriptor } from "../../src/index.js";
import { applyWireNames, readWireNames } from "../../src/wire-names.js";
import * as xs from "../../src/xs.js";

const service: ServiceDescriptor = { descriptorFormat: 2, name: "S", namespace: "http://a/reg", ports: {} };
const input: RecordDescriptor<{ FindAll: string }> = {
  kind: "record",
  name: "{http://a/reg}Find",
  namespace: "http://a/reg",
  fields: { FindAll: { type: xs.string } },
};
const output: RecordDescriptor<{ FindResult?: string }> = {
  kind: "record",
  name: "{http://a/reg}FindResponse",
  namespace: "http://a/reg",
  fields: { FindResult: { type: xs.string, min: 0 } },
};
const find: OperationDescriptor<{ FindAll: string }, string | null> = {
  kind: "operation",
  service,
  name: "Find",
  input: { body: { element: "{http://a/reg}Find", type: () => input } },
  output: { body: { element: "{http://a/reg}FindResponse", type: () => output }, result: "FindResult" },
  bindings: {},
};
const settings: InterfaceSettings = {
  slots: { namespaces: { reg: "http://a/reg", sub: "http://a/reg/sub/" }, operations: ["Find"] },
};

test("the wrappers and the result are renamed with the operation, its parameters are not", () => {
  const names = applyWireNames(
    find,
    readWireNames(settings, { operations: { Find: "Seek" }, namespaces: { reg: "urn:x" } }),
  );
  expect(names.location("/Find")).toBe("/Seek");
  expect([...names.elements]).toEqual([
    ["{http://a/reg}Find", "Seek"],
    ["{http://a/reg}FindResponse", "SeekResponse"],
    ["{http://a/reg}FindResult", "SeekResult"],
  ]);
  expect(names.element("{http://a/reg}FindResponse")).toBe("{urn:x}SeekResponse");
  expect(names.element("{http://a/reg}FindAll")).toBe("{urn:x}FindAll");
  expect(names.location("/Find")).toBe("/Seek");
  expect(names.location("/FindMore/(Find)")).toBe("/FindMore/(Find)");
});

const actions: readonly {
  readonly action: string;
  readonly reg?: string;
  readonly sub?: string;
  readonly find?: string;
  readonly want: string;
}[] = [
  { action: "http://a/reg/Find", want: "http://a/reg/Find" },
  { action: "http://a/reg/Find", reg: "http://b/real", want: "http://b/real/Find" },
  { action: "http://a/reg/Find", reg: "http://b/real/", want: "http://b/real/Find" },
  { action: "http://a/reg/Find", reg: "urn:b:", find: "Seek", want: "urn:b:Seek" },
  { action: "http://a/reg/sub/Find", reg: "http://b", sub: "http://c", want: "http://c/Find" },
  { action: "http://a/reg/sub/Find", sub: "http://c/", want: "http://c/Find" },
  { action: "http://a/reg#Find", reg: "http://b", want: "http://b#Find" },
  { action: "http://a/regional/Find", reg: "http://b", want: "http://a/regional/Find" },
  { action: "http://a/reg", reg: "http://b", want: "http://b" },
  { action: "urn:Find", find: "Seek", want: "urn:Seek" },
  { action: "urn:reFind", find: "Seek", want: "urn:reFind" },
  { action: "", reg: "http://b", find: "Seek", want: "" },
];

test.each(actions)("the action $action becomes $want", ({ action, reg, sub, find: operation, want }) => {
  const realNames = { namespaces: { reg, sub }, operations: { Find: operation } };
  expect(applyWireNames(find, readWireNames(settings, realNames)).action(action)).toBe(want);
});

test("a name that cannot be changed is refused, with the names that can", () => {
  expect(() => readWireNames(settings, { namespaces: { rge: "x" } })).toThrow(
    'The option "wireNames.namespaces" cannot rename the namespace "rge". It can rename reg, sub.',
  );
  expect(() => readWireNames(settings, { operations: { Fnid: "x" } })).toThrow(
    'cannot rename the operation "Fnid". It can rename Find.',
  );
  expect(() => readWireNames({}, { operations: { toString: "x" } })).toThrow(
    'The option "wireNames.operations" cannot rename the operation "toString". It can rename none.',
  );
});
