import { expect, test } from "vitest";
import { processorTimeOf } from "../../../../testing/processor-time.js";
import { kinds, resolveText } from "./resolve-schemas.js";
import { typeText } from "./show.js";

test("groups that double at each step are refused before they are expanded", () => {
  const groups = Array.from({ length: 60 }, (_, index) => {
    const inner =
      index === 0 ? '<x:element name="a"/>' : `<x:group ref="t:G${index - 1}"/><x:group ref="t:G${index - 1}"/>`;
    return `<x:group name="G${index}"><x:sequence>${inner}</x:sequence></x:group>`;
  });
  const time = processorTimeOf(() => {
    const resolved = resolveText(`${groups.join("")}<x:complexType name="T"><x:group ref="t:G59"/></x:complexType>`);
    expect(kinds(resolved)).toEqual(["error limit.particles"]);
    expect(typeText(resolved.schema, "T")).toBe("empty");
  });
  expect(time).toBeLessThan(1_000);
});

test("eight times the types take no more than about eight times as long", () => {
  const text = (count: number) => {
    const type = (index: number) =>
      `<x:complexType name="T${index}"><x:sequence><x:element name="a" type="t:T${(index * 7) % count}" minOccurs="0"/>` +
      `<x:element name="b" type="x:string"/></x:sequence><x:attribute name="c" type="x:int"/></x:complexType>`;
    return Array.from({ length: count }, (_, index) => type(index)).join("");
  };
  const time = (count: number) => {
    const schema = text(count);
    return processorTimeOf(() => expect(kinds(resolveText(schema))).toEqual([]));
  };
  time(1_000);
  expect(time(8_000)).toBeLessThan(16 * time(1_000) + 500);
});

test("unions that double at each step are refused before they are expanded", () => {
  const unions = Array.from({ length: 60 }, (_, index) =>
    ["a", "b"]
      .map((side) => {
        const members = index === 0 ? "x:int x:date" : `t:a${index - 1} t:b${index - 1}`;
        return `<x:simpleType name="${side}${index}"><x:union memberTypes="${members}"/></x:simpleType>`;
      })
      .join(""),
  );
  const time = processorTimeOf(() => {
    const resolved = resolveText(`${unions.join("")}<x:element name="e" type="t:a59" default="none"/>`);
    expect(new Set(kinds(resolved))).toEqual(new Set(["error limit.unionMembers", "error xsd.value"]));
  });
  expect(time).toBeLessThan(1_000);
});

test("checks that a hostile schema makes quadratic are limited", () => {
  const members = Array.from({ length: 3_000 }, (_, index) => `<x:element name="m${index}" substitutionGroup="t:h"/>`);
  const optional = '<x:element ref="t:h" minOccurs="0"/>'.repeat(40);
  const types = Array.from(
    { length: 200 },
    (_, index) =>
      `<x:complexType name="T${index}"><x:sequence>${optional}<x:element name="n${index}"/></x:sequence></x:complexType>`,
  );
  const time = processorTimeOf(() => resolveText(`<x:element name="h"/>${members.join("")}${types.join("")}`));
  expect(time).toBeLessThan(8_000);
});
