import { expect, onTestFinished, test, vi } from "vitest";
import { clientLimits } from "../../src/client/index.js";
import { readRestAnswer } from "../../src/client/rest/answer.js";
import { readUsualAnswer } from "../../src/client/rest/rest-client.js";

const call = { limits: { ...clientLimits, jsonDepth: 4 }, context: { operation: "o", method: "GET", address: "a" } };

function answerOf(text: string | Uint8Array, type = "application/json; charset=UTF-8", status = 200) {
  const body = typeof text === "string" ? new TextEncoder().encode(text) : text;
  return { status, headers: new Map([["content-type", type]]), body };
}

const usual = [
  "",
  "null",
  "[]",
  `{"id": 7, "title": {"rendered": "Caf\\u00e9 \\ud83d\\ude00"}}`,
  `[{"source_url": "https://example.org/1e10/7e99.jpg", "hash": "12e34"}, {"price": 1e5, "n": -2.5E-30}]`,
  `{"code": "X1"}`,
  `{"message": "hello", "text": "\\"quoted\\" [[[[[[ \\\\"}`,
  `"🚗"`,
];

test.each(usual)("%s is read without the code for unusual answers", (text) => {
  const answer = answerOf(text);
  expect(readUsualAnswer(answer, call)).toEqual(readRestAnswer(answer, call));
});

const unusual: readonly (readonly [string, ReturnType<typeof answerOf>])[] = [
  ["an error body", answerOf(`{"code": "gone", "message": "Gone.", "data": {"status": 410}}`)],
  ["another status", answerOf("[]", "application/json", 404)],
  ["another media type", answerOf("[]", "application/problem+json")],
  ["another charset", answerOf("[]", "application/json; charset=latin1")],
  ["a byte-order mark", answerOf(new Uint8Array([0xef, 0xbb, 0xbf, 0x5b, 0x5d]))],
  ["malformed UTF-8", answerOf(new Uint8Array([0x22, 0xff, 0x22]))],
  ["invalid JSON", answerOf(`{"a":`)],
  ["too deep nesting", answerOf("[[[[[]]]]]")],
  ["half a surrogate pair", answerOf(`"\\ud83d"`)],
  ["the other half", answerOf(`["a\\ude00"]`)],
  ["half a pair after an escaped backslash", answerOf(`"\\\\ud83d\\ude00"`)],
  ["an infinite number", answerOf("1e999")],
  ["an infinite number in a list", answerOf(`[1, -9.5E+400]`)],
  ["a long number", answerOf("9".repeat(400))],
  ["a name that reaches a prototype", answerOf(`{"__proto__": {}}`)],
  ["such a name with an escape", answerOf(`{"\\u005f_proto__": {}}`)],
  ["a constructor with a prototype", answerOf(`{"constructor": {"prototype": 1}}`)],
];

test.each(unusual)("%s is left to the code for unusual answers", (_, answer) => {
  expect(readUsualAnswer(answer, call)).toBeUndefined();
});

// A random change of a JSON text is accepted only if the strict reader accepts it, with the same value.
test("a document that is read quickly is read in the same way by the strict reader", () => {
  const seeds = usual.slice(1).map((text) => new TextEncoder().encode(text));
  let state = 7;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % below;
  };
  const pieces = ["\\", "u", "d8", "dc", "00", "e9", "5f", '"', "[", "{", "__proto__", "1e400", ":", ",", "\ufeff"];
  let accepted = 0;
  for (let round = 0; round < 20_000; round += 1) {
    const seed = seeds[random(seeds.length)] ?? new Uint8Array();
    const at = random(seed.length + 1);
    const piece = new TextEncoder().encode(pieces[random(pieces.length)]);
    const body = new Uint8Array([...seed.subarray(0, at), ...piece, ...seed.subarray(at + random(3))]);
    const value = readUsualAnswer(answerOf(body), call);
    if (value !== undefined) {
      accepted += 1;
      expect(value).toEqual(readRestAnswer(answerOf(body), call));
    }
  }
  expect(accepted).toBeGreaterThan(100);
});

test.each([
  ["JSON.parse", () => vi.spyOn(JSON, "parse")],
  ["TextDecoder.decode", () => vi.spyOn(TextDecoder.prototype, "decode")],
])("an exception of %s that no answer causes is not hidden", (_, spyOn) => {
  const failure = new RangeError("Cannot create a string longer than 0x1fffffe8 characters");
  const spy = spyOn().mockImplementation(() => {
    throw failure;
  });
  onTestFinished(() => spy.mockRestore());
  expect(() => readUsualAnswer(answerOf("[]"), call)).toThrow(failure);
});
