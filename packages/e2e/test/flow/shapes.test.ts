import { expect, test } from "vitest";
import { findShapeProblem, type Shape } from "../../src/demo/shapes.js";

const cases: readonly { readonly given: unknown; readonly shape: Shape; readonly want: string | undefined }[] = [
  { given: { id: 1, more: true }, shape: { id: 1 }, want: undefined },
  { given: { id: "1" }, shape: { id: 1 }, want: 'the answer.id is "1", expected 1' },
  { given: {}, shape: { id: 1 }, want: "the answer.id is undefined, expected 1" },
  { given: [{ id: 1 }], shape: [{ id: 1 }], want: undefined },
  {
    given: [{ id: 1 }, { id: 2 }],
    shape: [{ id: 1 }],
    want: 'the answer is [{"id":1},{"id":2}], expected a list of 1',
  },
  { given: [{ id: 2 }], shape: [{ id: 1 }], want: "the answer[0].id is 2, expected 1" },
  { given: null, shape: { id: 1 }, want: "the answer is null, expected an object" },
  { given: "x", shape: null, want: 'the answer is "x", expected null' },
  { given: 3, shape: (value) => value === 4, want: "the answer is 3" },
  { given: 4, shape: (value) => value === 4, want: undefined },
];

test.each(cases)("the demo compares $given with $shape", ({ given, shape, want }) => {
  expect(findShapeProblem(given, shape)).toBe(want);
});
