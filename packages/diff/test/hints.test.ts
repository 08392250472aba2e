import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { serviceOf } from "./pairs/service.js";
import { type Sources, sideOf } from "./proof/contracts.js";

/** Returns the messages of the changes in answers and calls. */
function messagesOf(before: Sources, after: Sources): readonly string[] {
  return diffContracts(sideOf(before), sideOf(after))
    .changes.filter(({ direction }) => direction !== "input")
    .map(({ message }) => message);
}

test("a binding whose port was removed is reported as a service", () => {
  const both = serviceOf({ protocols: ["soap11", "soap12"] });
  const { "s.wsdl": text = "" } = both;
  const without = { "s.wsdl": text.replace(/<port name="soap12".*?<\/port>/, "") };
  expect(messagesOf(both, without)).toContain("soap12: A binding without a port became a service without an address.");
  expect(messagesOf(without, both)).toContain("soap12: A service that was a binding without a port was removed.");
});

test("a service without its only port is reported as a binding", () => {
  const service = serviceOf();
  const without = { "s.wsdl": (service["s.wsdl"] ?? "").replace(/<port name="soap11".*?<\/port>/, "") };
  expect(messagesOf(service, without)).toContain(
    "soap11: A port was removed, so its binding became a service without an address (http://s.example/s).",
  );
  expect(messagesOf(without, service)).toContain(
    "S: A binding without a port now has a port with an address (http://s.example/s).",
  );
});
