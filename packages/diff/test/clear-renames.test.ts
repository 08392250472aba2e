import { describe, expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { indexOf } from "./pairs/index-document.js";
import { element, sequence, wsdlOf } from "./pairs/pair.js";
import { serviceOf } from "./pairs/service.js";
import { type Sources, sideOf } from "./proof/contracts.js";

// Items that were renamed together: a rename is reported only if one pair is better than any other.

/** Returns the messages about requests, or about answers if no request changed. */
function messagesOf(before: Sources, after: Sources): readonly string[] {
  const { changes } = diffContracts(sideOf(before), sideOf(after));
  const requests = changes.filter(({ direction }) => direction === "input");
  return (requests.length > 0 ? requests : changes).map(({ message }) => message);
}

/** Returns the pairs that are reported as renamed, such as `first_name firstName`, sorted. */
function renamesOf(before: Sources, after: Sources): readonly string[] {
  return diffContracts(sideOf(before), sideOf(after))
    .changes.filter(({ rule, direction }) => rule.endsWith("-renamed") && direction !== "output")
    .map((change) => `${change.before} ${change.after}`)
    .sort();
}

type Names = readonly string[];

const memberCases: readonly {
  readonly title: string;
  readonly names: readonly [Names, Names];
  readonly want: Names;
}[] = [
  {
    title: "no name is like any other",
    names: [
      ["alpha", "beta", "gamma"],
      ["eins", "zwei", "drei"],
    ],
    want: [],
  },
  {
    title: "the names have another style",
    names: [
      ["first_name", "last_name", "birth_city"],
      ["firstName", "lastName", "birthCity"],
    ],
    want: ["birth_city birthCity", "first_name firstName", "last_name lastName"],
  },
  {
    title: "the names share words, and the order is the same",
    names: [
      ["firstName", "lastName"],
      ["givenName", "familyName"],
    ],
    want: ["firstName givenName", "lastName familyName"],
  },
  {
    title: "the names share words, and the order is another one",
    names: [
      ["startDate", "endDate"],
      ["endDay", "startDay"],
    ],
    want: ["endDate endDay", "startDate startDay"],
  },
  {
    title: "only the types are alike",
    names: [
      ["alpha:int", "beta:string", "gamma:date"],
      ["eins:int", "zwei:string", "drei:date"],
    ],
    want: ["alpha eins", "beta zwei", "gamma drei"],
  },
  {
    title: "one member between kept ones has another name",
    names: [
      ["a", "alpha", "z"],
      ["a", "omega", "z"],
    ],
    want: ["alpha omega"],
  },
  {
    title: "two members between kept ones have other names",
    names: [
      ["a", "alpha", "beta", "z"],
      ["a", "omega", "psi", "z"],
    ],
    want: [],
  },
  {
    title: "two members with other names each have kept neighbors",
    names: [
      ["a", "alpha", "m", "beta", "z"],
      ["a", "omega", "m", "psi", "z"],
    ],
    want: ["alpha omega", "beta psi"],
  },
];

test.each(memberCases)("members: $title", ({ names, want }) => {
  const [before, after] = names.map((list) => wsdlOf(sequence(...list.map((each) => element(each))))) as [
    Sources,
    Sources,
  ];
  expect(renamesOf(before, after)).toEqual(want);
  expect(renamesOf(after, before)).toEqual(want.map((pair) => pair.split(" ").reverse().join(" ")).sort());
});

const text = (name: string) => `<element name="${name}" type="string"/>`;
const operationsOf = (names: Names) => serviceOf({ operations: names.map((name) => ({ name, members: text("q") })) });

test.each([
  {
    title: "no name is like any other",
    names: [
      ["Alpha", "Beta", "Gamma"],
      ["Eins", "Zwei", "Drei"],
    ],
    want: [],
  },
  {
    title: "the verb changed",
    names: [
      ["GetUser", "GetCar", "GetHouse"],
      ["FetchUser", "FetchCar", "FetchHouse"],
    ],
    want: ["GetCar FetchCar", "GetHouse FetchHouse", "GetUser FetchUser"],
  },
] as const)("operations: $title", ({ names: [before, after], want }) => {
  expect(renamesOf(operationsOf(before), operationsOf(after))).toEqual(want);
  const messages = messagesOf(operationsOf(before), operationsOf(after));
  expect(messages.filter((message) => message.includes("equally likely"))).toEqual([]);
});

const routesOf = (names: Names) =>
  indexOf(Object.fromEntries(names.map((name) => [`/shop/v1/${name}`, { args: { page: { type: "integer" } } }])));

test("routes whose names became singular are matched by their words", () => {
  const [before, after] = [routesOf(["cars", "houses", "users"]), routesOf(["car", "house", "user"])];
  const pairs = ["car", "house", "user"].map((name) => `/shop/v1/${name}s /shop/v1/${name}`);
  expect(renamesOf(before, after)).toEqual(pairs);
});

describe("a renamed member whose values changed as well", () => {
  const facet = (name: string, value: string) => `<${name} value="${value}"/>`;
  const words = (...values: Names) => values.map((value) => facet("enumeration", value)).join("");
  const typeOf = (name: string, facets: string, attributes = "") =>
    wsdlOf(
      sequence(
        element("id"),
        `<element name="${name}" ${attributes}><simpleType><restriction base="string">${facets}</restriction></simpleType></element>`,
      ),
    );
  const argumentOf = (name: string, definition: object) =>
    indexOf({ "/shop/v1/things": { args: { page: { type: "integer" }, [name]: definition } } });
  const item = "/shop/v1/things/(?P<id>[\\d]+)";
  const answerOf = (name: string, definition: object) =>
    indexOf(
      { [item]: { args: { id: { type: "integer" } } } },
      { [item]: { title: "thing", type: "object", properties: { id: { type: "integer" }, [name]: definition } } },
    );
  const colors = (...values: Names) => ({ type: "string", enum: values });
  const renamed = "colour removed, color added: renamed?";

  test.each([
    {
      title: "its enumeration grows",
      states: [typeOf("colour", words("red", "blue")), typeOf("color", words("red", "blue", "green"))],
      want: [`T.${renamed}`, "T.color: An enumeration has more values (green)."],
    },
    {
      title: "it may be longer",
      states: [typeOf("colour", facet("maxLength", "5")), typeOf("color", facet("maxLength", "9"))],
      want: [`T.${renamed}`, "T.color: The allowed length or size of a value was widened (maxLength 5 → maxLength 9)."],
    },
    {
      title: "it became optional",
      states: [typeOf("colour", words("red")), typeOf("color", words("red"), 'minOccurs="0"')],
      want: [`T.${renamed} It also became optional.`],
    },
    {
      title: "it became required",
      states: [typeOf("colour", words("red"), 'minOccurs="0"'), typeOf("color", words("red"))],
      want: [`T.${renamed} It also became required.`],
    },
    {
      title: "the enumeration of an argument grows",
      states: [argumentOf("colour", colors("red")), argumentOf("color", colors("red", "blue"))],
      want: [`GET /shop/v1/things ${renamed}`, 'GET /shop/v1/things color: An enumeration has more values ("blue").'],
    },
    {
      title: "the enumeration of a member of answers grows",
      states: [answerOf("colour", colors("red")), answerOf("color", colors("red", "blue"))],
      want: [`thing.${renamed}`, 'thing.color: An enumeration has more values ("blue").'],
    },
    {
      title: "a member of answers may be null",
      states: [answerOf("colour", { type: "string" }), answerOf("color", { type: ["string", "null"] })],
      want: [`thing.${renamed}`, "thing.color: A value may now be null."],
    },
  ] as const)("is one rename and each other change: $title", ({ states: [before, after], want }) => {
    expect([...messagesOf(before, after)].sort()).toEqual([...want].sort());
  });

  test("has further changes that do not affect clients, because they do not read the other name", () => {
    const [before, after] = [typeOf("colour", words("red")), typeOf("color", words("red", "green"))];
    const change = diffContracts(sideOf(before), sideOf(after)).changes.find(({ rule }) => rule === "enum-value-added");
    expect(change?.consequences).toMatchObject({ oldClients: "none", newClients: "none" });
  });
});
