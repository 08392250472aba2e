import { expect, test } from "vitest";
import { describeSyntaxProblem } from "../../src/server/adapters/node/syntax-problems.js";

test("the only error code of Deno's parser is explained", () => {
  expect(describeSyntaxProblem(new Error("Parse Error"), "HPE_ERROR")).toMatch(
    /^HPE_ERROR\. The first line or a header is not valid\./,
  );
});

test("the reason of an unknown error of the parser is quoted", () => {
  const error = Object.assign(new Error("Parse Error"), { reason: "A new rule" });
  expect(describeSyntaxProblem(error, "HPE_NEW")).toBe("HPE_NEW. Node's parser says: A new rule.");
});
