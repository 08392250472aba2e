import { expect, test } from "vitest";
import { DecodeError } from "../../src/answer-errors.js";
import type { IdentityConstraint, IdentityPath } from "../../src/descriptor.js";
import * as xs from "../../src/xs.js";
import { decodeInside, ns, record } from "./messages.js";

const at = (...steps: readonly string[]): IdentityPath => ({ steps: steps.map((step) => `{${ns}}${step}`) });
const attribute = (name: string): IdentityPath => ({ steps: [], attribute: name });

function constraint(
  kind: IdentityConstraint["kind"],
  selector: readonly IdentityPath[],
  fields: readonly (readonly IdentityPath[])[],
  refer?: string,
): IdentityConstraint {
  return { kind, name: `{${ns}}${kind}`, selector, fields, ...(refer === undefined ? {} : { refer }) };
}

const item = record({
  id: { kind: "attribute", by: xs.attribute, type: xs.decimal },
  lang: { kind: "attribute", by: xs.attribute, type: xs.string },
  name: { type: xs.string, min: 0 },
  price: { type: xs.int, min: 0, nillable: true },
});
const link = record({ to: { kind: "attribute", by: xs.attribute, type: xs.integer } });
const list = record({
  item: { type: item, min: 0, max: "unbounded" },
  link: { type: link, min: 0, max: "unbounded" },
});

/** A root with one element `list` that has the constraints. */
const rootWith = (...constraints: readonly IdentityConstraint[]) =>
  record({ list: { type: list, identity: { by: xs.identity, constraints } } });

const byId = [attribute("id")];
const key = constraint("key", [at("item")], [byId]);
const unique = constraint("unique", [at("item")], [byId, [attribute("lang")]]);
const keyref = constraint("keyref", [at("link")], [[attribute("to")]], `{${ns}}key`);
const byName = constraint("unique", [at("item")], [[at("name")]]);
const byPrice = constraint("key", [at("item")], [[at("price")]]);
const anywhere = constraint("unique", [{ anywhere: true, steps: ["*"] }], [[{ steps: [`{${ns}}*`] }]]);

const cases = [
  { fact: "different keys", constraints: [key], inside: '<item id="1"/><item id="2"/>' },
  { fact: "no key of a unique element", constraints: [unique], inside: '<item id="1"/><item id="1"/>' },
  {
    fact: "one of two fields equal",
    constraints: [unique],
    inside: '<item id="1" lang="a"/><item id="1" lang="b"/>',
  },
  { fact: "a reference to a key", constraints: [key, keyref], inside: '<item id="1"/><link to="1"/>' },
  { fact: "a reference of another form", constraints: [key, keyref], inside: '<item id="1.0"/><link to="01"/>' },
  { fact: "different texts", constraints: [byName], inside: "<item><name>a</name></item><item><name>b</name></item>" },
  {
    fact: "a path to any element",
    constraints: [anywhere],
    inside: "<item><name>a</name></item><item><name>b</name></item>",
  },
];

test.each(cases)("$fact is accepted", ({ constraints, inside }) => {
  const options = { identity: true };
  expect(() => decodeInside(rootWith(...constraints), `<list>${inside}</list>`, options)).not.toThrow();
});

const refused = [
  { fact: "a repeated key", constraints: [key], inside: '<item id="1"/><item id="1.0"/>', want: "same key key" },
  { fact: "an absent key", constraints: [key], inside: "<item/>", want: "no value for the key key" },
  {
    fact: "a repeated combination",
    constraints: [unique],
    inside: '<item id="1" lang="a"/><item id="1" lang="a"/>',
    want: "same unique unique",
  },
  {
    fact: "a reference to nothing",
    constraints: [key, keyref],
    inside: '<item id="1"/><link to="2"/>',
    want: "refers to a key that does not exist",
  },
  {
    fact: "a nillable field of a key",
    constraints: [byPrice],
    inside: "<item><price>1</price></item>",
    want: "nillable",
  },
  {
    fact: "a repeated text",
    constraints: [byName],
    inside: "<item><name>a</name></item><item><name>a</name></item>",
    want: "same unique unique",
  },
  {
    fact: "a repeated text of any element",
    constraints: [anywhere],
    inside: "<item><name>a</name></item><item><name>a</name></item>",
    want: "same unique unique",
  },
];

test.each(refused)("$fact is refused at the element, on request only", ({ constraints, inside, want }) => {
  const attempt = (identity: boolean) => () =>
    decodeInside(rootWith(...constraints), `<list>${inside}</list>`, { identity });
  expect(attempt(true)).toThrow(DecodeError);
  expect(attempt(true)).toThrow(want);
  expect(attempt(true)).toThrow(expect.objectContaining({ path: "/R/list" }));
  expect(attempt(false)).not.toThrow();
});

test("a reference finds keys of elements inside", () => {
  const inner = record({ list: { type: list, max: "unbounded", identity: { by: xs.identity, constraints: [key] } } });
  const outer = constraint("keyref", [at("list", "link")], [[attribute("to")]], `{${ns}}key`);
  const type = record({ all: { type: inner, identity: { by: xs.identity, constraints: [outer] } } });
  const decode = (to: number) =>
    decodeInside(type, `<all><list><item id="1"/></list><list><item id="2"/><link to="${to}"/></list></all>`, {
      identity: true,
    });
  expect(() => decode(1)).not.toThrow();
  expect(() => decode(3)).toThrow("does not exist");
});

const node = record({
  id: { kind: "attribute", by: xs.attribute, type: xs.ID },
  to: { kind: "attribute", by: xs.attribute, type: xs.IDREF },
  all: { kind: "attribute", by: xs.attribute, type: xs.IDREFS },
});
const nodes = record({ node: { type: node, min: 0, max: "unbounded" } });

test.each([
  { fact: "IDs that differ", inside: '<node id="a"/><node id="b"/>' },
  { fact: "references to IDs before and after them", inside: '<node to="b" id="a"/><node id="b" all="a b"/>' },
])("accepts $fact", ({ inside }) => {
  expect(() => decodeInside(nodes, inside, { identity: true })).not.toThrow();
});

test.each([
  { fact: "an ID that occurs twice", inside: '<node id="a"/><node id="a"/>', message: 'The ID "a" occurs twice.' },
  { fact: "an IDREF without its ID", inside: '<node to="b" id="a"/>', message: "An IDREF refers to an ID" },
  { fact: "one of IDREFS without its ID", inside: '<node all="a b" id="a"/>', message: "An IDREF refers to an ID" },
])("on request, refuses $fact", ({ inside, message }) => {
  expect(() => decodeInside(nodes, inside, { identity: true })).toThrow(message);
  expect(() => decodeInside(nodes, inside)).not.toThrow();
});
