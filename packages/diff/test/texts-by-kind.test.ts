import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { memberPairs } from "./pairs/members.js";
import { operationPairs } from "./pairs/operations.js";
import { restPairs } from "./pairs/rest.js";
import { typePairs } from "./pairs/types.js";
import { type Sources, sideOf } from "./proof/contracts.js";

/** The sentences of each entry: the message with its title, and the reasons. */
function listTexts(old: Sources, current: Sources): readonly string[] {
  return diffContracts(sideOf(old), sideOf(current)).changes.map(
    ({ rule, message, reason, strictPeers = "" }) => `${rule}: ${message} ${reason} ${strictPeers}`,
  );
}

test("entries of REST interfaces contain no words of XML", () => {
  const texts = new Set(restPairs.flatMap(({ old, new: current }) => listTexts(old, current)));
  expect([...texts].filter((text) => /\b(?:elements?|attributes?|nil|xs:\w+)\b/.test(text))).toEqual([]);
});

test("entries of SOAP interfaces contain no words of JSON and of routes", () => {
  const pairs = [...memberPairs, ...typePairs, ...operationPairs];
  const texts = new Set(pairs.flatMap(({ old, new: current }) => listTexts(old, current)));
  expect([...texts].filter((text) => /\b(?:JSON|routes?|index|contexts?)\b/.test(text))).toEqual([]);
});
