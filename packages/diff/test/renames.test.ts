import { describe, expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { edited, projects } from "./edits/sources.js";
import { type EndpointInit, indexOf } from "./pairs/index-document.js";
import { type InterfaceSettings, serviceOf } from "./pairs/service.js";
import { type Sources, sideOf } from "./proof/contracts.js";

/** Returns the messages about added, removed and renamed operations or routes, and the moves. */
function renamesOf(before: Sources, after: Sources) {
  const { changes, moves, possibleMoves } = diffContracts(sideOf(before), sideOf(after));
  const messages = changes
    .filter(({ rule }) => /^(?:operation|route)-(?:added|removed|renamed)$/.test(rule))
    .map(({ message }) => message);
  const formatMoves = (list: typeof moves) => list.map((move) => `${move.before} → ${move.after}`).sort();
  return { messages: messages.sort(), moves: formatMoves(moves), possibleMoves: formatMoves(possibleMoves) };
}

type Operations = NonNullable<InterfaceSettings["operations"]>;

const text = (name: string, type = "string", attributes = "") =>
  `<element name="${name}" type="${type}" ${attributes}/>`;
const ask = { name: "Ask" };
/** An operation with messages that `Ask` does not have. */
const order = (name: string, further = ""): Operations[number] => ({
  name,
  members: `${text("customer")}${text("lines", "int")}${further}`,
  answer: text(`${name}Result`, "int"),
});

const soapCases: readonly {
  readonly title: string;
  readonly before: Operations;
  readonly after: Operations;
  readonly want: readonly string[];
  readonly moves?: readonly string[];
  readonly possible?: readonly string[];
}[] = [
  {
    title: "an operation with the same messages was renamed",
    before: [ask, order("PlaceOrder")],
    after: [ask, order("SubmitOrder")],
    want: ["PlaceOrder removed, SubmitOrder added: renamed?"],
    moves: ["placeOrder → submitOrder"],
  },
  {
    title: "an operation with a further member was renamed",
    before: [ask, order("PlaceOrder")],
    after: [ask, order("SubmitOrder", text("note", "string", 'minOccurs="0"'))],
    want: ["PlaceOrder removed, SubmitOrder added: renamed?"],
    moves: ["placeOrder → submitOrder"],
  },
  {
    title: "an operation with other messages was not renamed",
    before: [ask, order("PlaceOrder")],
    after: [ask, { name: "SubmitOrder", members: text("id", "int"), answer: text("state") }],
    want: ["PlaceOrder: An operation was removed.", "SubmitOrder: An operation was added."],
  },
  {
    title: "an operation with a similar name, but no common argument, was not renamed",
    before: [ask, { name: "FindOrders", members: text("customer") + text("state"), answer: text("order") }],
    after: [ask, { name: "ShipOrder", members: text("id", "int"), answer: text("order") }],
    want: ["FindOrders: An operation was removed.", "ShipOrder: An operation was added."],
  },
  {
    title: "an operation with a similar name and the same request, but no answer, was renamed",
    before: [ask, { name: "Notify", members: text("event") }],
    after: [ask, { name: "NotifyUser", members: text("event"), oneWay: true }],
    want: ["Notify removed, NotifyUser added: renamed?"],
    moves: ["notify → notifyUser"],
  },
  {
    title: "a new name is possible if a kept operation also has the messages",
    before: [ask, { name: "Tell" }],
    after: [ask, { name: "Wonder" }],
    want: [
      "Tell: An operation was removed. Its new name may be Wonder, which has the same messages.",
      "Wonder: An operation was added. Its old name may be Tell, which has the same messages.",
    ],
    possible: ["tell → wonder"],
  },
  {
    title: "messages that a kept operation and two added ones have are not a reason",
    before: [ask, { name: "Tell" }],
    after: [ask, { name: "Wonder" }, { name: "Inquire" }],
    want: ["Inquire: An operation was added.", "Tell: An operation was removed.", "Wonder: An operation was added."],
  },
  {
    title: "two new names are equally likely",
    before: [ask, order("PlaceOrder")],
    after: [ask, order("SubmitOrder"), order("SendOrder")],
    want: [
      "PlaceOrder: An operation was removed. Its new name may be SubmitOrder or SendOrder, which are equally likely.",
      "SendOrder: An operation was added.",
      "SubmitOrder: An operation was added.",
    ],
    possible: ["placeOrder → sendOrder", "placeOrder → submitOrder"],
  },
  {
    title: "two old names are equally likely",
    before: [ask, order("PlaceOrder"), order("MakeOrder")],
    after: [ask, order("SubmitOrder")],
    want: [
      "MakeOrder: An operation was removed.",
      "PlaceOrder: An operation was removed.",
      "SubmitOrder: An operation was added. Its old name may be PlaceOrder or MakeOrder, which are equally likely.",
    ],
    possible: ["makeOrder → submitOrder", "placeOrder → submitOrder"],
  },
  {
    title: "two similar names are equally likely",
    before: [{ name: "CheckUSA" }, { name: "CheckMexico" }],
    after: [{ name: "CheckUSA" }, { name: "CheckMexicanCar" }, { name: "CheckMexicoCar" }],
    want: [
      "CheckMexicanCar: An operation was added.",
      "CheckMexico: An operation was removed. Its new name may be CheckMexicanCar or CheckMexicoCar, which are equally likely.",
      "CheckMexicoCar: An operation was added.",
    ],
    possible: ["checkMexico → checkMexicanCar", "checkMexico → checkMexicoCar"],
  },
];

test("an operation whose messages keep its old name in their types was renamed", () => {
  const state = (name: string) => {
    const { "s.wsdl": file = "" } = serviceOf({
      operations: [ask, { name: "putFile" }],
      style: "rpc",
      elements: "urn:e",
    });
    const types = `<complexType name="putFileParams"><sequence>${text("path")}</sequence></complexType><element name="Session"`;
    return {
      "s.wsdl": file
        .replace('<element name="Session"', types)
        .replace(/(<message name="putFileIn"><part name="q" type=")xs:string/, "$1e:putFileParams")
        .replaceAll('<operation name="putFile"', `<operation name="${name}"`),
    };
  };
  expect(renamesOf(state("putFile"), state("uploadFile")).messages).toEqual([
    "putFile removed, uploadFile added: renamed?",
  ]);
});

describe("SOAP", () => {
  test.each(soapCases)("$title", ({ before, after, want, moves = [], possible = [] }) => {
    const renames = renamesOf(serviceOf({ operations: before }), serviceOf({ operations: after }));
    expect(renames).toEqual({ messages: want, moves, possibleMoves: possible });
  });
});

type Routes = Readonly<Record<string, EndpointInit>>;

const endpointOf = (...names: readonly string[]): EndpointInit => ({
  args: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
});
const kept: Routes = { "/shop/v1/products": endpointOf("search"), "/shop/v1/reports/weekly": endpointOf("from", "to") };
const range = endpointOf("from", "to");
/** The endpoint that lists the routes of a namespace. */
const list = endpointOf("namespace", "context");

const restCases: readonly {
  readonly title: string;
  readonly before: Routes;
  readonly after: Routes;
  readonly want: readonly string[];
}[] = [
  {
    title: "a route with the same last name, methods and arguments was renamed",
    before: { "/shop/v1/reports/daily": range },
    after: { "/shop/v1/stats/daily": range },
    want: ["/shop/v1/reports/daily removed, /shop/v1/stats/daily added: renamed?"],
  },
  {
    title: "a route with arguments that no kept route has was renamed",
    before: { "/shop/v1/caps": endpointOf("size", "color") },
    after: { "/shop/v1/gloves": endpointOf("size", "color", "fabric") },
    want: ["/shop/v1/caps removed, /shop/v1/gloves added: renamed?"],
  },
  {
    title: "a route with another method was not renamed",
    before: { "/shop/v1/reports/daily": range },
    after: { "/shop/v1/stats/daily": { ...range, methods: ["POST"] } },
    want: ["/shop/v1/reports/daily: A route was removed.", "/shop/v1/stats/daily: A route was added."],
  },
  {
    title: "arguments that a kept route also has are not a reason",
    before: { "/shop/v1/caps": range },
    after: { "/shop/v1/gloves": range },
    want: ["/shop/v1/caps: A route was removed.", "/shop/v1/gloves: A route was added."],
  },
  {
    title: "two new routes are equally likely",
    before: { "/shop/v1/caps": endpointOf("size") },
    after: { "/shop/v1/gloves": endpointOf("size"), "/shop/v1/scarves": endpointOf("size") },
    want: [
      "/shop/v1/caps: A route was removed. Its new name may be /shop/v1/gloves or /shop/v1/scarves, which are equally likely.",
      "/shop/v1/gloves: A route was added.",
      "/shop/v1/scarves: A route was added.",
    ],
  },
  {
    title: "namespaces with other routes were not renamed",
    before: { "/forms/v1": list, "/forms/v1/entries": range, "/mails/v1": list, "/mails/v1/letters": range },
    after: { "/carts/v1": list, "/carts/v1/items": range },
    want: [
      "/carts/v1/items: A route was added.",
      "/carts/v1: A route was added.",
      "/forms/v1/entries: A route was removed.",
      "/forms/v1: A route was removed.",
      "/mails/v1/letters: A route was removed.",
      "/mails/v1: A route was removed.",
    ],
  },
  {
    title: "a group with a changed route was renamed",
    before: {
      "/shop/v1/contact-forms": range,
      "/shop/v1/contact-forms/(?P<id>[\\d]+)": endpointOf("id"),
      "/shop/v1/contact-forms/(?P<id>[\\d]+)/feedback": endpointOf("id"),
    },
    after: {
      "/shop/v1/inquiries": range,
      "/shop/v1/inquiries/(?P<id>[\\d]+)": endpointOf("id"),
      "/shop/v1/inquiries/(?P<id>[\\d]+)/feedback": endpointOf("id", "email"),
    },
    want: [
      "/shop/v1/contact-forms removed, /shop/v1/inquiries added: renamed?",
      "/shop/v1/contact-forms/(?P<id>[\\d]+) removed, /shop/v1/inquiries/(?P<id>[\\d]+) added: renamed?",
      "/shop/v1/contact-forms/(?P<id>[\\d]+)/feedback removed, /shop/v1/inquiries/(?P<id>[\\d]+)/feedback added: renamed?",
    ],
  },
  {
    title: "a group with a further route was renamed",
    before: { "/shop/v1/caps": range, "/shop/v1/caps/sizes": {} },
    after: { "/shop/v1/gloves": range, "/shop/v1/gloves/sizes": {}, "/shop/v1/gloves/pairs": endpointOf("side") },
    want: [
      "/shop/v1/caps removed, /shop/v1/gloves added: renamed?",
      "/shop/v1/caps/sizes removed, /shop/v1/gloves/sizes added: renamed?",
      "/shop/v1/gloves/pairs: A route was added.",
    ],
  },
  {
    title: "neither of two groups that are equally similar to a new one was renamed",
    before: {
      "/shop/v1/caps": range,
      "/shop/v1/caps/sizes": {},
      "/shop/v1/hats": range,
      "/shop/v1/hats/sizes": {},
    },
    after: { "/shop/v1/gloves": range, "/shop/v1/gloves/sizes": {}, "/shop/v1/gloves/pairs": endpointOf("side") },
    want: [
      "/shop/v1/caps/sizes: A route was removed.",
      "/shop/v1/caps: A route was removed.",
      "/shop/v1/gloves/pairs: A route was added.",
      "/shop/v1/gloves/sizes: A route was added. Its old name may be /shop/v1/caps/sizes or /shop/v1/hats/sizes, which are equally likely.",
      "/shop/v1/gloves: A route was added.",
      "/shop/v1/hats/sizes: A route was removed.",
      "/shop/v1/hats: A route was removed.",
    ],
  },
  {
    title: "a namespace with mostly the same routes was renamed",
    before: { "/forms/v1": list, "/forms/v1/entries": endpointOf("form"), "/forms/v1/files": endpointOf("name") },
    after: {
      "/surveys/v1": list,
      "/surveys/v1/entries": endpointOf("form"),
      "/surveys/v1/files": endpointOf("name", "size"),
    },
    want: [
      "/forms/v1 removed, /surveys/v1 added: renamed?",
      "/forms/v1/entries removed, /surveys/v1/entries added: renamed?",
      "/forms/v1/files removed, /surveys/v1/files added: renamed?",
    ],
  },
];

describe("REST", () => {
  test.each(restCases)("$title", ({ before, after, want }) => {
    expect(renamesOf(indexOf({ ...kept, ...before }), indexOf({ ...kept, ...after })).messages).toEqual(want);
  });
});

describe("the types in the answers of a renamed route", () => {
  const [plain, integer] = [{ type: "string" }, { type: "integer" }];
  const list = { args: { q: plain, page: integer } };
  /** Two types that are members of a union, and whose properties become those of the other type in part. */
  const definitions = (isNew: boolean) => ({
    address: {
      type: "object",
      properties: isNew ? { road: plain, lat: integer, lon: integer } : { street: plain, zip: plain },
    },
    place: {
      type: "object",
      properties: isNew ? { lat: plain, lon: plain, alt: plain } : { lat: integer, lon: integer },
    },
  });
  const stateOf = (route: string, isNew: boolean) =>
    indexOf(
      { [route]: list, "/shop/v1/other": {} },
      {
        [route]: {
          $schema: "http://json-schema.org/draft-04/schema#",
          title: "thing",
          type: "object",
          properties: {
            id: integer,
            either: { anyOf: [{ $ref: "#/definitions/address" }, { $ref: "#/definitions/place" }] },
          },
          definitions: definitions(isNew),
        },
      },
    );
  const answersOf = (before: Sources, after: Sources) =>
    diffContracts(sideOf(before), sideOf(after))
      .changes.filter(({ direction }) => direction === "output")
      .map(({ rule, subject }) => `${rule} ${subject}`);

  test.each(["/shop/v1/colour", "/shop/v1/tint", "/shop/v2/color"])("are matched by their names: %s", (route) => {
    const before = stateOf("/shop/v1/color", false);
    const want = answersOf(before, stateOf("/shop/v1/color", true));
    expect(want).toHaveLength(8);
    expect(answersOf(before, stateOf(route, true))).toEqual(want);
    expect(answersOf(before, stateOf(route, false))).toEqual([]);
  });
});

/** An edit of the WSDL of the operations `CheckUSAMinimal` and `CheckUSADynamic`. */
const editBespoke = (from: RegExp, to: string) => ({ file: "bespokeapi.wsdl", from, to });
/** An argument that the HTTP ports of `CheckUSADynamic` do not have, so that they have an operation of their own. */
const split = editBespoke(
  /(<s:element name="CheckUSADynamic">\s*<s:complexType>\s*<s:sequence>)/,
  '$1<s:element name="minimal" type="s:string" minOccurs="0" />',
);

test.each([
  {
    change: "removed",
    edit: editBespoke(/<wsdl:operation name="CheckUSAMinimal">.*?<\/wsdl:operation>/gs, ""),
    want: "operation-removed CheckUSAMinimal",
  },
  {
    change: "renamed",
    edit: editBespoke(/CheckUSAMinimal/g, "CheckUSAMinimum"),
    want: "operation-renamed CheckUSAMinimum",
  },
])("an operation is $change beside a similar one of which the HTTP ports become another", ({ edit, want }) => {
  const { changes } = diffContracts(sideOf(projects.vehicle), sideOf(edited("vehicle", [edit, split])));
  const rules = changes.map(({ rule, subject }) => `${rule} ${subject}`);
  expect(rules.filter((text) => /^operation|^protocol|^default-protocol/.test(text)).sort()).toEqual(
    [want, "operation-split CheckUSADynamicHttpGet"].sort(),
  );
});
