import { compilePattern } from "@bothends/datatypes/pattern";
import { compileRoutePattern } from "@bothends/runtime/route-syntax";
import fc from "fast-check";
import { expect, test } from "vitest";

// The subset that both grammars and RegExp read in the same way. Groups are nested at most three deep: deeper ones take
// RegExp minutes, so it is used only in this test.
const atom = fc.constantFrom("a", "b", "c", "[ab]", "[^a]", "[a-c]", "\\.", "(a|b)", "(ab|)", "()");
const quantifier = fc.constantFrom("", "", "?", "*", "+", "{2}", "{0,2}", "{1,}", "{0}");
const repeated = (part: fc.Arbitrary<string>) => fc.tuple(part, quantifier).map(([text, times]) => text + times);
const sequence = (part: fc.Arbitrary<string>) =>
  fc.array(repeated(part), { maxLength: 3 }).map((parts) => parts.join(""));
const alternation = (part: fc.Arbitrary<string>) =>
  fc.array(sequence(part), { minLength: 1, maxLength: 2 }).map((branches) => branches.join("|"));
const grouped = (part: fc.Arbitrary<string>) =>
  fc.oneof(
    atom,
    alternation(part).map((inner) => `(${inner})`),
  );
const pattern = alternation(grouped(grouped(atom)));
const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "."), maxLength: 6 });

test("agrees with RegExp where the grammars agree", () => {
  fc.assert(
    fc.property(pattern, fc.array(text, { minLength: 1, maxLength: 10 }), (source, texts) => {
      const oracle = new RegExp(`^(?:${source})$`, "u");
      const xsd = compilePattern(source);
      const route = compileRoutePattern(source);
      for (const each of texts) {
        expect([each, xsd.test(each), route.test(each)]).toEqual([each, oracle.test(each), oracle.test(each)]);
      }
    }),
    { numRuns: 500 },
  );
});
