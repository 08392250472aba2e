import { expect, test } from "vitest";
import { knownFault } from "../../src/interop/served-peer.js";
import {
  formatKnownLines,
  getLines,
  knownDetail,
  listOutcomes,
  withTextValues,
} from "../../src/interop/stacks/line-protocol.js";
import { lookups } from "../../src/sample/lookups.js";

test("a call is a line of its operation and its values, in their order", () => {
  const calls = [
    { operation: "Check", input: { a: "Ł <&>", b: 7, c: "" } },
    { operation: "Other", input: {} },
  ];
  const lines = getLines({ service: "reg", wsdl: "", over: "SOAP 1.1", calls });
  expect(lines).toBe("Check\tŁ <&>\t7\t\nOther\n");
});

test.each([
  { line: `answer\t<r><A>1</A><B /><C><D>&lt;x</D></C></r>`, want: { answer: { A: "1", B: "", C: { D: "<x" } } } },
  {
    line: `answer\t<r xmlns:i="http://www.w3.org/2001/XMLSchema-instance"><A i:nil="true"/></r>`,
    want: { answer: { A: null } },
  },
  { line: "answer\t", want: { answer: null } },
  {
    line: `fault\tClient\tbroken\t<p:Plate xmlns:p="urn:peer">Ł</p:Plate>`,
    want: { code: "Client", reason: "broken", detail: { name: "{urn:peer}Plate", text: "Ł" } },
  },
  { line: "fault\tClient\tbroken\t", want: { code: "Client", reason: "broken", detail: null } },
  { line: "error\tno operation", want: { error: "no operation" } },
])("the line $line of a peer is read", ({ line, want }) => {
  expect(listOutcomes(`${line}\n`)).toEqual([want]);
});

test("the answers written for a server are read as a client's outcomes", () => {
  const lines = formatKnownLines().trimEnd().split("\n");
  expect(lines).toHaveLength(lookups.length + 1);
  for (const [index, { operation, input, answer }] of lookups.entries()) {
    const call = [operation, ...Object.values(input), ""].join("\t");
    const line = lines[index] ?? "";
    expect(line.startsWith(call)).toBe(true);
    expect(listOutcomes(line.slice(call.length))).toEqual([{ answer: withTextValues(answer) }]);
  }
  const { operation, input, reason } = knownFault;
  const fault = lines
    .at(-1)
    ?.replace(`${[operation, ...Object.values(input), "fault"].join("\t")}\t`, "fault\tClient\t");
  expect(listOutcomes(fault ?? "")).toEqual([{ code: "Client", reason, detail: knownDetail }]);
});
