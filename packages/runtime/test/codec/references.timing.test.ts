import { expect, test } from "vitest";
import { processorTime } from "../../../../testing/processor-time.js";
import { readNode } from "./nodes.js";

test("references that multiply each other soon exceed a limit", () => {
  const level = (index: number) => `<m id="r${index}">${`<nodes href="#r${index + 1}"/>`.repeat(10)}</m>`;
  const body = `<n><nodes href="#r0"/></n>${Array.from({ length: 12 }, (_, index) => level(index)).join("")}<m id="r12"/>`;
  const before = processorTime();
  expect(() => readNode(body)).toThrow('increase the option "limits.references"');
  expect(processorTime() - before).toBeLessThan(3_000);
});

test("references to a long text soon exceed a limit", () => {
  const body = `<n>${'<nodes href="#a"/>'.repeat(10_000)}</n><m id="a"><text>${"x".repeat(1_000_000)}</text></m>`;
  const before = processorTime();
  expect(() => readNode(body)).toThrow('increase the option "limits.referencedChars"');
  expect(processorTime() - before).toBeLessThan(1_000);
});

test("references from elements with many prefixes take no more time", () => {
  const outer = Array.from({ length: 50 }, (_, depth) => {
    const prefixes = Array.from({ length: 64 }, (_, index) => ` xmlns:p${depth}-${index}="urn:p"`);
    return `<m${prefixes.join("")}>`;
  }).join("");
  const body = `<n>${'<nodes href="#a"/>'.repeat(20_000)}</n>${outer}<m id="a"/>${"</m>".repeat(50)}`;
  const before = processorTime();
  expect(readNode(body).nodes).toHaveLength(20_000);
  expect(processorTime() - before).toBeLessThan(3_000);
});
