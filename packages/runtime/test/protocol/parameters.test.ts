import { describe, expect, test } from "vitest";
import { DecodeError, EncodeError } from "../../src/answer-errors.js";
import { writeValidPairs } from "../../src/protocol/http/client.js";
import { readForm } from "../../src/protocol/http/form-encoding.js";
import { type HttpParameters, writeCheckedPairs, writeParameters } from "../../src/protocol/http/parameters.js";
import { createServedParameters, MissingParameterError, readParameters } from "../../src/protocol/http/server.js";
import * as xs from "../../src/xs.js";

/** The conventions under which the values of parameters with one name are joined. */
const joined = { repeatedParameters: "join", illegalParameters: "accept" } as const;

const parameters = { State: { type: xs.string }, NatCode: { type: xs.int } };

describe("parameters are read", () => {
  test.each([
    { form: "State=NY&NatCode=42", want: { State: "NY", NatCode: 42 } },
    { form: "NatCode=42&State=", want: { State: "", NatCode: 42 } },
    { form: "State=A&State=B&NatCode=1", want: { State: "A,B", NatCode: 1 } },
    { form: "State=NY&NatCode=+%2B5+&more=1", want: { State: "NY", NatCode: 5 } },
    { form: "State=+A++B+&NatCode=-5", want: { State: " A  B ", NatCode: -5 } },
  ])("$form as $want", ({ form, want }) => {
    expect(readParameters(createServedParameters(parameters), readForm(form), joined)).toEqual(want);
  });

  test.each([
    "NatCode=1&NatCode=2",
    "NatCode=",
    "NatCode=abc",
    "NatCode=1.5",
    "NatCode=0x10",
    "NatCode=2147483648",
    "NatCode=1,000",
  ])("and refused if they do not match the schema: %s", (form) => {
    expect(() => readParameters(createServedParameters(parameters), readForm(`State=A&${form}`), joined)).toThrowError(
      DecodeError,
    );
  });

  test.each([
    { form: "NatCode=1", parameter: "State" },
    { form: "State&NatCode=1", parameter: "State" },
    { form: "state=NY&NatCode=1", parameter: "State" },
    { form: "State=NY", parameter: "NatCode" },
    { form: "", parameter: "State" },
  ])("and required; the error names the first missing one: $form", ({ form, parameter }) => {
    expect(() => readParameters(createServedParameters(parameters), readForm(form), joined)).toThrowError(
      expect.objectContaining({ parameter }),
    );
    expect(() => readParameters(createServedParameters(parameters), readForm(form), joined)).toThrowError(
      MissingParameterError,
    );
  });

  test("as lists where their name repeats", () => {
    const list = { Id: { type: xs.int, list: true } } as const;
    expect(readParameters(createServedParameters(list), readForm("Id=1&Id=2"), joined)).toEqual({ Id: [1, 2] });
  });

  test("under other names", () => {
    expect(
      readParameters(
        createServedParameters({ key: { name: "the-key", type: xs.string } }),
        readForm("the-key=x&key=y"),
        joined,
      ),
    ).toEqual({
      key: "x",
    });
  });

  test("without touching any prototype", () => {
    const input = readParameters(
      createServedParameters({ ["__proto__"]: { type: xs.string } }),
      readForm("__proto__=x"),
      joined,
    );
    expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
    expect(Object.getOwnPropertyNames(input)).toEqual(["__proto__"]);
  });
});

describe("parameters are written", () => {
  test("in the order of the schema", () => {
    expect(writeParameters(parameters, { NatCode: 7, State: "NY", other: 1 })).toEqual([
      ["State", "NY"],
      ["NatCode", "7"],
    ]);
  });

  test("once per item of a list", () => {
    expect(writeParameters({ Id: { type: xs.int, list: true } }, { Id: [1, 2] })).toEqual([
      ["Id", "1"],
      ["Id", "2"],
    ]);
  });

  test("optional members may be left out, on either end", () => {
    const some = {
      Id: { type: xs.int, optional: true },
      Tag: { type: xs.string, list: true, optional: true },
    } as const;
    expect(writeParameters(some, { Tag: undefined })).toEqual([]);
    expect(writeParameters(some, { Id: 1, Tag: ["a"] })).toEqual([
      ["Id", "1"],
      ["Tag", "a"],
    ]);
    expect(readParameters(createServedParameters(some), readForm("Other=1"), joined)).toEqual({});
    expect(readParameters(createServedParameters(some), readForm("Id=1"), joined)).toEqual({ Id: 1 });
  });

  test.each([
    {},
    { State: undefined, NatCode: 1 },
    { State: null, NatCode: 1 },
    { State: "NY", NatCode: "1" },
    { State: "NY", NatCode: Number.NaN },
    Object.create({ State: "NY", NatCode: 1 }),
  ])("and refused if a value does not match the schema: %j", (input) => {
    expect(() => writeParameters(parameters, input)).toThrowError(EncodeError);
  });
});

test("clients write parameters in the same way before the code for errors is loaded", () => {
  const types: HttpParameters = {
    Id: { name: "the-id", type: xs.int },
    Tag: { type: xs.string, list: true, optional: true },
    Note: { type: xs.token, optional: true },
  };
  const values = [
    undefined,
    null,
    1,
    1.5,
    "a",
    " a",
    "\ud83d",
    "\ud83d\ude00",
    [],
    ["a", "b"],
    ["a", null],
    [[]],
    {},
    true,
  ];
  const call = { soapHeaders: undefined, extraSoapHeaders: undefined };
  let validCount = 0;
  for (const Id of [0, 2, ...values]) {
    for (const Tag of values) {
      for (const other of [{}, { Note: Tag }, { Other: Tag }, { __proto__: { Note: 1 } }]) {
        const input = { ...other, Id, Tag };
        const expected = outcomeOf(() => writeCheckedPairs(types, input, call));
        validCount += expected === undefined ? 0 : 1;
        expect(outcomeOf(() => writeValidPairs(types, input))).toEqual(expected);
      }
    }
  }
  expect(validCount).toBeGreaterThan(15);
});

function outcomeOf<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
