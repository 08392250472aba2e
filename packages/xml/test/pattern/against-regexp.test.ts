import { compilePattern, compileRoutePattern } from "@bothends/xml/pattern";
import fc from "fast-check";
import { expect, test } from "vitest";

// The subset that both grammars and RegExp read alike.
const atom = fc.constantFrom("a", "b", "c", "[ab]", "[^a]", "[a-c]", "\\.", "(a|b)", "(ab|)", "()");
const quantifier = fc.constantFrom("", "", "?", "*", "+", "{2}", "{0,2}", "{1,}", "{0}");
const { pattern } = fc.letrec<{ pattern: string; piece: string }>((tie) => ({
  piece: fc
    .tuple(
      fc.oneof(
        { depthSize: "small" },
        atom,
        tie("pattern").map((inner) => `(${inner})`),
      ),
      quantifier,
    )
    .map(([part, times]) => part + times),
  pattern: fc.oneof(
    fc.array(tie("piece"), { maxLength: 4 }).map((pieces) => pieces.join("")),
    fc.tuple(tie("piece"), tie("piece")).map(([left, right]) => `${left}|${right}`),
  ),
}));
const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "."), maxLength: 8 });

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
    { numRuns: 1000 },
  );
});
