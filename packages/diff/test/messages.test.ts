import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formatMessage } from "../src/format-message.js";
import { diffContracts, type Side } from "../src/index.js";
import { indexOf } from "./pairs/index-document.js";
import { element, restricted, sequence, wsdlOf } from "./pairs/pair.js";
import { serviceOf, servicesOf } from "./pairs/service.js";
import { root, type Sources, sideOf } from "./proof/contracts.js";

test("a guess names both names, and the type of a member", () => {
  const member = { subject: "Vehicle.Colour", before: "Color", after: "Colour" };
  expect(formatMessage("member-renamed", member)).toBe("Vehicle.Color removed, Colour added: renamed?");
  const argument = { subject: "GET /core/v2/blocks tint", before: "colour", after: "tint" };
  expect(formatMessage("argument-renamed", argument)).toBe("GET /core/v2/blocks colour removed, tint added: renamed?");
  const operation = { subject: "CheckMexicanCar", before: "CheckMexico", after: "CheckMexicanCar" };
  expect(formatMessage("operation-renamed", operation)).toBe("CheckMexico removed, CheckMexicanCar added: renamed?");
});

test("names with the same words in another order are guessed to be a rename", () => {
  const operationsOf = (name: string) => sideOf(serviceOf({ operations: [{ name: "GetInfo" }, { name }] }));
  const { changes } = diffContracts(operationsOf("GetCurrencyUnits"), operationsOf("GetUnitsOfCurrencies"));
  expect(changes.map(({ message }) => message)).toContain(
    "GetCurrencyUnits removed, GetUnitsOfCurrencies added: renamed?",
  );
  const rules = diffContracts(operationsOf("GetCurrencyUnits"), operationsOf("StoreInvoice")).changes.map(
    ({ rule }) => rule,
  );
  expect(rules.filter((rule) => rule.startsWith("operation-")).sort()).toEqual([
    "operation-added",
    "operation-removed",
  ]);
});

test("an operation is joined with the closest new name", () => {
  const operationsOf = (...names: readonly string[]) =>
    sideOf(serviceOf({ operations: names.map((name) => ({ name })) }));
  const { changes } = diffContracts(
    operationsOf("CancelOrder", "FindOrders"),
    operationsOf("SendOrder", "CancelledOrder"),
  );
  expect(changes.map(({ message }) => message)).toContain("CancelOrder removed, CancelledOrder added: renamed?");
});

test("a route that the caller knows to have moved is compared with its new route", () => {
  const [plain, required] = [{}, { args: { q: { type: "string", required: true } } }];
  const old = sideOf(indexOf({ "/shop/v1/gloves": plain, "/shop/v1/things": plain }));
  const moved = { interface: "api", before: "shop.gloves.list", after: "shop.caps.list" };
  const compareWith = (new_: Side, knownMoves: readonly (typeof moved)[]) => {
    const { changes, moves } = diffContracts(old, new_, { knownMoves });
    return [changes.map(({ rule, subject }) => `${rule} ${subject}`).filter((text) => !/^name-in/.test(text)), moves];
  };
  const new_ = sideOf(indexOf({ "/shop/v1/caps": required, "/shop/v1/things": plain }));
  const apart = ["route-removed /shop/v1/gloves", "route-added /shop/v1/caps"];
  expect(compareWith(new_, [])).toEqual([apart, []]);
  expect(compareWith(new_, [{ ...moved, interface: "other" }])).toEqual([apart, []]);
  expect(compareWith(new_, [moved])).toEqual([
    ["route-renamed /shop/v1/caps", "argument-added-required GET /shop/v1/caps q"],
    [moved],
  ]);
  // The old route still exists, so it has not moved.
  const both = sideOf(indexOf({ "/shop/v1/caps": required, "/shop/v1/gloves": plain, "/shop/v1/things": plain }));
  expect(compareWith(both, [moved])).toEqual([["route-added /shop/v1/caps"], []]);
  // The new route already existed, so no other route has moved to it.
  const without = sideOf(indexOf({ "/shop/v1/things": plain }));
  expect(compareWith(without, [{ ...moved, after: "shop.things.list" }])).toEqual([
    ["route-removed /shop/v1/gloves"],
    [],
  ]);
});

test("a service whose member in code has another name is reported with both names", () => {
  const [ask, tell, buy] = [{ name: "Ask" }, { name: "Tell" }, { name: "Buy" }];
  // The member of the first service has the name of the file, `s`.
  const sideWith = (sources: Sources, name: string) =>
    sideOf({ "s.wsdl": (sources["s.wsdl"] ?? "").replace('<service name="S"', `<service name="${name}"`) });
  const messagesOf = (...sides: readonly [Side, Side]) => diffContracts(...sides).changes.map(({ message }) => message);
  const old = sideWith(servicesOf([ask], [buy, tell]), "Orders");
  expect(messagesOf(old, sideWith(servicesOf([ask, tell], [buy]), "Orders"))).toEqual([
    "Tell: An operation moved to another service (More → Orders (s in code)).",
  ]);
  expect(messagesOf(old, sideWith(servicesOf([ask], [buy, tell]), "Sales"))).toEqual([
    "Sales (s in code): The name of a service changed (was Orders (s in code)).",
  ]);
});

test("an operation with the same messages in another service has moved there", () => {
  const [ask, tell, buy] = [{ name: "Ask" }, { name: "Tell" }, { name: "Buy" }];
  const diff = diffContracts(
    sideOf(serviceOf({ operations: [ask, tell] })),
    sideOf(servicesOf([ask, { name: "TellAll" }], [tell])),
  );
  expect(diff.changes.map(({ message }) => message)).toContain(
    "Tell: An operation moved to another service (S → More).",
  );
  expect(diff.changes.map(({ message }) => message)).toContain("TellAll: An operation was added.");
  expect(diff.moves).toContainEqual({ interface: "api", before: "tell", after: "more.tell" });
  const rulesWith = (moved: Parameters<typeof servicesOf>[1][number]) =>
    diffContracts(sideOf(servicesOf([ask, tell], [buy])), sideOf(servicesOf([ask], [buy, moved])))
      .changes.map(({ rule }) => rule)
      .filter((rule) => rule.startsWith("operation-"));
  expect(rulesWith(tell)).toEqual(["operation-moved"]);
  for (const other of [
    { ...tell, request: "TellMore" },
    { ...tell, response: "Told" },
    { ...tell, oneWay: true },
  ]) {
    expect(rulesWith(other).sort()).toEqual(["operation-added", "operation-removed"]);
  }
});

test("an operation that several services have is named with its service", () => {
  const [ask, tell, buy] = [{ name: "Ask" }, { name: "Tell" }, { name: "Buy" }];
  const messagesOf = (...[before, after]: readonly (readonly [Operations, Operations])[]) =>
    diffContracts(sideOf(servicesOf(...(before ?? [[], []]))), sideOf(servicesOf(...(after ?? [[], []]))))
      .changes.filter(({ rule }) => rule === "operation-added" || rule === "operation-removed")
      .map(({ message }) => message)
      .sort();
  expect(messagesOf([[ask, tell], [buy]], [[ask], [buy, { ...tell, request: "TellMore" }]])).toEqual([
    "More.Tell: An operation was added.",
    "S.Tell: An operation was removed.",
  ]);
  expect(
    messagesOf(
      [
        [ask, tell],
        [buy, tell],
      ],
      [[ask], [buy, tell]],
    ),
  ).toEqual(["S.Tell: An operation was removed."]);
  expect(messagesOf([[ask], [buy]], [[ask, tell], [buy]])).toEqual(["Tell: An operation was added."]);
});

type Operations = Parameters<typeof servicesOf>[1];

test("an operation that may have moved to two services is reported as removed", () => {
  const [ask, tell, buy] = [{ name: "Ask" }, { name: "Tell" }, { name: "Buy" }];
  const { "s.wsdl": text = "" } = servicesOf([ask], [buy, tell]);
  const withThirdService = text.replace(
    "</definitions>",
    '<service name="Third"><port name="Third" binding="t:soap12"><soap:address location="http://s.example/third"/></port></service></definitions>',
  );
  const { changes } = diffContracts(sideOf(servicesOf([ask, tell], [buy])), sideOf({ "s.wsdl": withThirdService }));
  expect(changes.map(({ rule }) => rule).sort()).toEqual(["operation-added", "operation-removed", "service-added"]);
});

test("a member between the same members is guessed to be renamed, even if another one was added", () => {
  const typeOf = (...names: readonly string[]) => sideOf(wsdlOf(sequence(...names.map((name) => element(name)))));
  const { changes } = diffContracts(typeOf("key", "code", "end"), typeOf("key", "hue", "end", "more"));
  expect(changes.filter(({ direction }) => direction === "input").map(({ message }) => message)).toEqual([
    "T.code removed, hue added: renamed?",
    "T.more: A required member was added.",
  ]);
});

test("a new choice is reported once, with its members", () => {
  const [b, c, d] = ["b", "c", "d"].map((name) => element(name));
  const added = (before: string, after: string) =>
    diffContracts(sideOf(wsdlOf(before)), sideOf(wsdlOf(after)))
      .changes.filter(({ direction }) => direction === "input")
      .map(({ message }) => message);
  expect(added(sequence(element("a")), sequence(element("a"), `<choice>${b}${c}</choice>`))).toEqual([
    "T: A required choice was added (b | c).",
  ]);
  expect(
    added(sequence(element("a"), `<choice><sequence>${b}${d}</sequence>${c}</choice>`), sequence(element("a"))),
  ).toEqual(["T: A required choice was removed ((b, d) | c)."]);
});

test("an optional choice is not reported as required because of another new member", () => {
  const [b, c, d] = ["b", "c", "d"].map((name) => element(name));
  const after = sideOf(wsdlOf(sequence(b ?? "", `<choice minOccurs="0">${c}${d}</choice>`)));
  const { changes } = diffContracts(sideOf(wsdlOf(sequence())), after);
  expect(changes.filter(({ direction }) => direction === "input").map(({ message }) => message)).toEqual([
    "T.b: A required member was added.",
    "T.c: An optional member was added.",
    "T.d: An optional member was added.",
  ]);
});

test("renamed arguments are matched by their descriptions and by specific types, not by their positions alone", () => {
  const messages = (colour: object, form: object) => {
    const withArgs = (...names: readonly [string, string]) =>
      sideOf(indexOf({ "/shop/v1/things": { args: { [names[0]]: colour, q: { type: "string" }, [names[1]]: form } } }));
    return diffContracts(withArgs("colour", "form"), withArgs("tint", "mould")).changes.map(({ message }) => message);
  };
  const guesses = [
    "GET /shop/v1/things colour removed, tint added: renamed?",
    "GET /shop/v1/things form removed, mould added: renamed?",
  ];
  const described = (description: string) => ({ type: "string", description });
  expect(messages(described("The hue."), described("The shape."))).toEqual(guesses);
  const word = { type: "string", enum: ["a", "b"] };
  expect(messages(word, word)).toEqual(guesses);
  expect(messages({ type: "string" }, { type: "string" })).toHaveLength(4);
});

test("an argument or a member of an answer with another format and another name was not renamed", () => {
  const messages = (...versions: readonly [string, object][]) => {
    const [before, after] = versions.map(([name, definition]) => {
      const properties = { id: { type: "integer" }, [name]: definition };
      const schema = { $schema: "http://json-schema.org/draft-04/schema#", title: "thing", type: "object", properties };
      const args = { q: { type: "integer" }, [name]: definition };
      const item = "/shop/v1/things/(?P<id>[\\d]+)";
      return sideOf(indexOf({ "/shop/v1/things": { args }, [item]: {} }, { [item]: schema }));
    });
    const { changes } = diffContracts(before as Side, after as Side);
    return changes.map(({ message }) => message).sort();
  };
  const [moment, url, text] = [
    { type: "string", format: "date-time" },
    { type: "string", format: "uri" },
    { type: "string" },
  ];
  const apart = [
    "GET /shop/v1/things note: An optional argument was added.",
    "GET /shop/v1/things since: An optional argument was removed.",
    "thing.note: An optional member was added.",
    "thing.since: An optional member was removed.",
  ];
  const guesses = [
    "GET /shop/v1/things since removed, note added: renamed?",
    "thing.since removed, note added: renamed?",
  ];
  expect(messages(["since", moment], ["note", text])).toEqual(apart);
  expect(messages(["since", url], ["note", moment])).toEqual(apart);
  expect(messages(["since", moment], ["note", moment])).toEqual(guesses);
});

test("handlers of a namespace that some routes left keep their name", () => {
  const indexWith = (namespace: string) =>
    sideOf(indexOf({ "/library/v1/books": {}, [`/${namespace}/v1/orders`]: {}, [`/${namespace}/v1/orders/open`]: {} }));
  const { changes } = diffContracts(indexWith("library"), indexWith("shop"));
  expect(changes.flatMap(({ before, after }) => [before, after])).not.toContain("ShopV1Handlers");
});

test("other messages name the subject and its values", () => {
  const widened = { subject: "Vehicle.Year", before: "int", after: "long" };
  expect(formatMessage("type-widened", widened)).toBe("Vehicle.Year: A type allows more values (int → long).");
  const added = { subject: "Vehicle.Colour", before: undefined, after: "Colour" };
  expect(formatMessage("member-added-optional", added)).toBe("Vehicle.Colour: An optional member was added.");
});

test.each([
  { before: ["firstName", "lastName"], after: ["givenName", "familyName"] },
  { before: ["firstName", "lastName"], after: ["lastNm", "firstNm"], pairs: ["firstName firstNm", "lastName lastNm"] },
  // The order alone does not say which name replaces which.
  { before: ["a", "b"], after: ["x", "y"], pairs: [] },
])("members that were renamed together are matched by their names: $before, $after", ({ before, after, pairs }) => {
  const sideWith = (names: readonly string[]) => sideOf(wsdlOf(sequence(...names.map((name) => element(name)))));
  const { changes } = diffContracts(sideWith(before), sideWith(after));
  const renames = changes.filter(({ rule, direction }) => rule === "member-renamed" && direction === "input");
  expect(renames.map((change) => `${change.before} ${change.after}`).sort()).toEqual(
    pairs ?? before.map((name, index) => `${name} ${after[index]}`),
  );
});

test("a change that calls do not show says so", () => {
  const unionOf = (...types: readonly string[]) => {
    const members = types.map((base) => `<simpleType><restriction base="${base}"/></simpleType>`).join("");
    return sideOf(wsdlOf(sequence(`<element name="a"><simpleType><union>${members}</union></simpleType></element>`)));
  };
  const listMessages = (before: Side, after: Side) =>
    diffContracts(before, after)
      .changes.filter(({ rule }) => rule.startsWith("union-"))
      .map(({ message }) => message);
  expect(listMessages(unionOf("boolean", "date", "string"), unionOf("boolean", "string"))[0]).toBe(
    "T.a: A union lost a member type (date). Calls are not affected, because both versions read all values in the same way.",
  );
  expect(listMessages(unionOf("boolean", "date"), unionOf("boolean"))[0]).not.toContain("Calls");
});

test("answers that are no longer declared because of another version are one change", () => {
  const site = (version: string) => {
    const posts = [{ methods: ["GET"] }, { methods: ["POST"] }];
    return sideOf(indexOf({ [`/wp/${version}/posts`]: posts, [`/wp/${version}/tags`]: posts }));
  };
  const listAnswers = (before: Side, after: Side) =>
    diffContracts(before, after)
      .changes.filter(({ rule }) => rule.startsWith("answer-"))
      .map(({ rule, subject, operations }) => [rule, subject, operations.length]);
  expect(listAnswers(site("v2"), site("v3"))).toEqual([["answer-undeclared", "/wp/v3", 4]]);
  expect(listAnswers(site("v3"), site("v2"))).toEqual([["answer-declared", "/wp/v2", 4]]);
});

test("an empty word of an enumeration is shown as a text", () => {
  const words = (...values: readonly string[]) =>
    sideOf(wsdlOf(restricted("string", ...values.map((value) => `enumeration=${value}`))));
  const { changes } = diffContracts(words("yes", ""), words("yes"));
  expect(changes.map(({ rule, before }) => [rule, before])).toContainEqual(["enum-value-removed", '""']);
});

test("routes that share only a first word with others are not guessed to be renamed", () => {
  const kept = { "/shop/v1/block-patterns": {}, "/shop/v1/blocks": {} };
  const before = sideOf(indexOf({ ...kept, "/shop/v1/block-renderer/(?P<name>[a-z]+)": {} }));
  const after = sideOf(indexOf({ ...kept, "/shop/v1/block-types/(?P<name>[a-z]+)": {} }));
  const rules = diffContracts(before, after).changes.map(({ rule }) => rule);
  expect(rules.sort()).toEqual(["route-added", "route-removed"]);
});

test("an optional part of a route is judged by the variables that become optional", () => {
  const verdict = (before: string, after: string) => {
    const args = { x: { type: "string" }, y: { type: "string" } };
    const side = (path: string) => sideOf(indexOf({ [`/shop/v1/a${path}`]: { args } }));
    const { changes } = diffContracts(side(before), side(after));
    return changes.map(({ rule, consequences }) => [rule, ...Object.values(consequences)].join(" "));
  };
  const [x, y] = ["/(?P<x>[a-z]+)", "/(?P<y>[a-z]+)"];
  expect(verdict(`(?:${x})?/b${y}`, `(?:${x})?/b(?:${y})?`)).toEqual(["route-pattern-changed none some none breaks"]);
  expect(verdict(`(?:${x})?/b(?:${y})?`, `(?:${x})?/b${y}`)).toEqual(["route-pattern-changed some none breaks none"]);
  expect(verdict(`(?:${x})?/b${y}`, `${x}/b(?:${y})?`)).toEqual(["route-pattern-changed some some breaks breaks"]);
});

test("a changed pattern of a route is judged by the paths that clients send, and a path shows the effect", () => {
  const judge = (before: string, after: string, id: object = {}) => {
    const side = (pattern: string) => sideOf(indexOf({ [`/shop/v1/a/(?P<id>${pattern})`]: { args: { id } } }));
    const change = diffContracts(side(before), side(after)).changes.find(
      ({ rule }) => rule === "route-pattern-changed",
    );
    const { message = "", consequences } = change ?? {};
    const [, text] = /^.*?\)\)\.(.*)$/s.exec(message) ?? [];
    return `${consequences?.oldClients} ${consequences?.newClients}${text}`;
  };
  const [word, number] = [{ type: "string" }, { type: "integer" }];
  expect(judge("[\\d]+", "[\\w-]+", word)).toBe("none some Only the new version matches /shop/v1/a/a.");
  expect(judge("[\\w-]+", "[\\d]+", word)).toBe("some none Only the old version matches /shop/v1/a/a.");
  expect(judge("[a-m]+", "[n-z]+", word)).toBe(
    "breaks breaks Only the old version matches /shop/v1/a/a, and only the new version matches /shop/v1/a/n.",
  );
  expect(judge("[\\d]{1,3}", "[^/]+", number)).toBe("none some Only the new version matches /shop/v1/a/-1.");
  expect(judge("[\\w-]+", "[\\w\\-]+", word)).toBe(
    "none none Calls are not affected, because both versions match all paths that clients send.",
  );
  const many = "(?:a|b)*a(?:a|b)";
  expect(judge(`${many}{12}`, `${many}{13}`, word)).toBe("some some");
});

test("a renamed member of an alternative or of further members is reported once, with both names", () => {
  const item = (name: string, isRequired: boolean) => ({
    type: "object",
    properties: { [name]: { type: "string" }, kind: { type: "integer" } },
    ...(isRequired && { required: [name] }),
  });
  const uses: readonly ((schema: object) => object)[] = [
    (schema) => ({ oneOf: [schema, { type: "integer" }] }),
    (schema) => ({ type: "array", items: { oneOf: [schema, { type: "integer" }] } }),
    (schema) => ({ type: "object", properties: { o: { oneOf: [schema, { type: "integer" }] } } }),
    (schema) => ({ type: "object", additionalProperties: schema }),
    (schema) => ({ type: "object", patternProperties: { "^a": { oneOf: [schema, { type: "integer" }] } } }),
  ];
  const subjects = ["q.last", "q[].last", "q.o.last", "q.*.last", "q./^a/.last"];
  for (const isRequired of [true, false]) {
    for (const [index, use] of uses.entries()) {
      const [before, after] = ["first", "last"].map((name) =>
        sideOf(indexOf({ "/shop/v1/things": { methods: ["POST"], args: { q: use(item(name, isRequired)) } } })),
      );
      const changes = before && after ? diffContracts(before, after).changes : [];
      expect(changes.map(({ rule, subject }) => `${rule} ${subject}`)).toEqual([
        `member-renamed POST /shop/v1/things ${subjects[index]}`,
      ]);
    }
  }
});

test("the format of a nested argument is named once, at the argument's member", () => {
  const formats = (format: object) => {
    const at = { type: "string", ...format };
    const o = { type: "object", properties: { at, list: { type: "array", items: at } } };
    return sideOf(indexOf({ "/shop/v1/things": { args: { o } } }));
  };
  const { changes } = diffContracts(formats({}), formats({ format: "date-time" }));
  expect(changes.map(({ rule, subject, before }) => `${rule} ${subject} ${before}`)).toEqual([
    "format-added GET /shop/v1/things o.at format none",
    "format-added GET /shop/v1/things o.list[] format none",
  ]);
});

test("a change of a member of an answer has the position of the changed keyword", () => {
  const withSize = (definition: object) =>
    indexOf(
      { "/shop/v1/things/(?P<id>[\\d]+)": { args: { id: { type: "integer", required: true } } } },
      {
        "/shop/v1/things/(?P<id>[\\d]+)": {
          $schema: "http://json-schema.org/draft-04/schema#",
          title: "thing",
          type: "object",
          properties: { id: { type: "integer" }, size: definition },
        },
      },
    );
  const sources = withSize({ type: "integer" });
  const { changes } = diffContracts(sideOf(sources), sideOf(withSize({ type: "string" })));
  // The schema of the member has one keyword, on the line after its name.
  const line = 2 + (sources["index.json"] ?? "").split("\n").findIndex((each) => each.includes('"size"'));
  expect(changes.map(({ oldPosition, newPosition }) => [oldPosition?.line, newPosition?.line])).toEqual([[line, line]]);
});

test("a SOAPAction that changed for one protocol names the protocol", () => {
  const sources = serviceOf({ operations: [{ name: "Ask" }, { name: "Tell" }], protocols: ["soap11", "soap12"] });
  const withAction = (...edits: readonly (readonly [prefix: string, name: string])[]): Sources => ({
    "s.wsdl": edits.reduce(
      (text, [prefix, name]) =>
        text.replace(
          `<${prefix}:operation soapAction="urn:action/${name}"`,
          `<${prefix}:operation soapAction="urn:new/${name}"`,
        ),
      sources["s.wsdl"] ?? "",
    ),
  });
  const changesOf = (after: Sources) => diffContracts(sideOf(sources), sideOf(after)).changes;
  const texts = (...edits: readonly (readonly [prefix: string, name: string])[]) =>
    changesOf(withAction(...edits)).map(({ message }) => message);
  expect(texts(["soap", "Ask"])).toEqual(["Ask (SOAP 1.1): The SOAPAction changed (urn:action/Ask → urn:new/Ask)."]);
  expect(texts(["soap12", "Ask"])).toEqual(["Ask (SOAP 1.2): The SOAPAction changed (urn:action/Ask → urn:new/Ask)."]);
  expect(texts(["soap", "Ask"], ["soap12", "Ask"])).toEqual([
    "Ask: The SOAPAction changed (urn:action/Ask → urn:new/Ask). Only clients that use SOAP 1.1 are affected.",
  ]);
  expect(texts(["soap", "Ask"], ["soap", "Tell"])).toEqual([
    "SOAPAction (SOAP 1.1): The SOAPAction changed (urn:action/ → urn:new/).",
  ]);
  expect(texts(["soap", "Ask"], ["soap12", "Ask"], ["soap", "Tell"], ["soap12", "Tell"])).toEqual([
    "SOAPAction: The SOAPAction changed (urn:action/ → urn:new/). Only clients that use SOAP 1.1 are affected.",
  ]);
  for (const prefix of ["soap", "soap12"]) {
    const after = withAction([prefix, "Ask"]);
    const line = (after["s.wsdl"] ?? "").split("\n").findIndex((each) => each.includes("urn:new/")) + 1;
    const { oldPosition, newPosition } = changesOf(after)[0] ?? {};
    expect([oldPosition?.line, newPosition?.line]).toEqual([line, line]);
  }
  const fingerprints = [["soap"], ["soap12"], ["soap", "soap12"]].map(
    (prefixes) => changesOf(withAction(...prefixes.map((prefix) => [prefix, "Ask"] as const)))[0]?.fingerprint,
  );
  expect(new Set(fingerprints).size).toBe(3);
});

test("a name that is an option in one version has the position of the interface in the other", () => {
  const packages = Object.fromEntries(["contract", "client", "server"].map((name) => [name, { path: name, name }]));
  const withNames = (segments: readonly string[]): Sources => ({
    ...indexOf({ "/shop/v1/things": {} }),
    "bothends.json": JSON.stringify(
      { packages, interfaces: { api: { index: "index.json", wireNames: { segments } } } },
      null,
      1,
    ),
  });
  const [listed, none] = [withNames(["shop"]), withNames([])];
  const findLine = (config: Sources, text: string) =>
    (config["bothends.json"] ?? "").split("\n").findIndex((line) => line.includes(text)) + 1;
  const formatPlaces = (before: Sources, after: Sources) =>
    diffContracts(sideOf(before), sideOf(after)).changes.map(
      ({ rule, oldPosition, newPosition }) =>
        `${rule} ${oldPosition?.path}:${oldPosition?.line} ${newPosition?.path}:${newPosition?.line}`,
    );
  const nameText = `bothends.json:${findLine(listed, '"shop"')}`;
  const interfaceText = `bothends.json:${findLine(none, '"api"')}`;
  expect(formatPlaces(listed, none)).toEqual([`wire-name-removed ${nameText} ${interfaceText}`]);
  expect(formatPlaces(none, listed)).toEqual([`wire-name-added ${interfaceText} ${nameText}`]);
});

test("a changed bound is reported for a route whose answers differ from those of another route only in bounds", () => {
  const thing = (maximum: number) => ({
    $schema: "http://json-schema.org/draft-04/schema#",
    title: "thing",
    type: "object",
    properties: { size: { type: "integer", maximum } },
  });
  const [first, second] = ["/shop/v1/things/(?P<id>[0-9]+)", "/shop/v1/parts/(?P<id>[0-9]+)"] as const;
  const state = (maximum: number) =>
    sideOf(indexOf({ [first]: {}, [second]: {} }, { [first]: thing(5), [second]: thing(maximum) }));
  const { changes } = diffContracts(state(9), state(7));
  expect(changes.map(({ rule, before, after }) => [rule, before, after])).toEqual([
    ["answer-keyword-changed", "maximum 9", "maximum 7"],
  ]);
});

test("a change of an authentication method has the position of the method, or of the member that contains the methods", () => {
  const withMethods = (authentication: object) => indexOf({ "/shop/v1/things": {} }, {}, { authentication });
  const positionsOf = (before: object, after: object) =>
    diffContracts(sideOf(withMethods(before)), sideOf(withMethods(after))).changes.map((each) => [
      each.rule,
      [each.oldPosition?.line, each.oldPosition?.column],
      [each.newPosition?.line, each.newPosition?.column],
    ]);
  const [none, key] = [{}, { key: { endpoints: {} } }];
  expect(positionsOf(none, key)).toEqual([["authentication-added", [3, 2], [4, 3]]]);
  expect(positionsOf(key, none)).toEqual([["authentication-removed", [4, 3], [3, 2]]]);
});

test("a reader without a new branch loses it if the choice may be absent, and refuses the message otherwise", () => {
  const choiceOf = (attributes: string, ...names: readonly string[]) =>
    sequence(element("key"), `<choice ${attributes}>${names.map((name) => element(name)).join("")}</choice>`);
  const levels = (before: string, after: string) =>
    diffContracts(sideOf(wsdlOf(before)), sideOf(wsdlOf(after)))
      .changes.filter(({ direction }) => direction === "output")
      .map(({ rule, consequences }) => [rule, consequences.oldClients]);
  const repeated = 'minOccurs="0" maxOccurs="unbounded"';
  expect(levels(choiceOf("", "a", "b"), choiceOf("", "a", "b", "c"))).toEqual([["choice-branch-added", "some"]]);
  for (const attributes of ['minOccurs="0"', repeated]) {
    expect(levels(choiceOf(attributes, "a", "b"), choiceOf(attributes, "a", "b", "c"))).toEqual([
      ["choice-branch-added", "tolerated"],
    ]);
  }
});

test("different changes of a choice that repeats have different fingerprints", () => {
  const repeated = sequence(element("key"), `<choice maxOccurs="unbounded">${element("a")}${element("b")}</choice>`);
  const fingerprints = ["choice", "sequence"].flatMap((group) => {
    const single = sequence(element("key"), `<${group}>${element("a")}${element("b")}</${group}>`);
    return diffContracts(sideOf(wsdlOf(repeated)), sideOf(wsdlOf(single))).changes.map(
      ({ fingerprint }) => fingerprint,
    );
  });
  expect(new Set(fingerprints).size).toBe(4);
});

test("a changed type is reported beside changed alternatives", () => {
  const withArgument = (type: string, ...required: readonly string[]) => {
    const alternatives = required.map((name) => ({ required: [name] }));
    return indexOf({
      "/shop/v1/things": { args: { q: { type: "object", properties: { a: { type } }, oneOf: alternatives } } },
    });
  };
  const { changes } = diffContracts(
    sideOf(withArgument("string", "x", "y")),
    sideOf(withArgument("integer", "x", "z")),
  );
  expect(changes.map(({ rule, subject }) => `${rule} ${subject}`)).toEqual([
    "type-overlaps GET /shop/v1/things q.a",
    "member-became-optional GET /shop/v1/things q.y",
    "member-became-required GET /shop/v1/things q.z",
  ]);
});

test("documentation with other white space is the same documentation", () => {
  const documented = (text: string) =>
    wsdlOf(
      sequence(
        `<element name="a" type="string"><annotation><documentation>${text}</documentation></annotation></element>`,
      ),
    );
  const rulesBetween = (before: string, after: string) =>
    diffContracts(sideOf(documented(before)), sideOf(documented(after))).changes.map(({ rule }) => rule);
  expect(rulesBetween("The\n      name.", " The name.\n")).toEqual([]);
  expect(rulesBetween("The name.", "A name.")).toEqual(["documentation-changed"]);
});

test("an alternative that accepts the same values as another one changes nothing", () => {
  const side = (...alternatives: readonly object[]) =>
    sideOf(indexOf({ "/shop/v1/things": { methods: ["POST"], args: { q: { anyOf: alternatives } } } }));
  const text = { type: "string", title: "A" };
  const before = side(text, { type: "integer" });
  const after = side(text, { type: "string", description: "another", title: "B", default: "x" }, { type: "integer" });
  expect(diffContracts(before, after).changes).toEqual([]);
});

test("a change of an answer that WordPress's arguments declare has the position of the argument", () => {
  const index = readFileSync(join(root, "packages/e2e/recorded/wordpress/index.json"), "utf8");
  const placesOf = (edit: (posts: PostsRoute) => void) => {
    const site = JSON.parse(index);
    edit(site.routes["/wp/v2/posts"]);
    const text = JSON.stringify(site, null, 1);
    const lines = text.split("\n");
    const { changes } = diffContracts(sideOf({ "index.json": JSON.stringify(JSON.parse(index), null, 1) }), {
      ...sideOf({ "index.json": text }),
    });
    const answers = changes.filter(({ direction }) => direction === "output");
    for (const { oldPosition, newPosition } of changes) {
      expect([oldPosition?.path, newPosition?.path]).toEqual(["index.json", "index.json"]);
    }
    return answers.map(({ rule, subject, newPosition }) => [
      rule,
      subject,
      lines[(newPosition?.line ?? 0) - 1]?.trim(),
    ]);
  };
  expect(placesOf((posts) => addArgument(posts, "mood", { type: "string" }))).toContainEqual([
    "member-added-optional",
    "post.mood",
    '"mood": {',
  ]);
  expect(
    placesOf((posts) => addArgument(posts, "status", { type: "string", enum: ["publish", "hidden"] })),
  ).toContainEqual(["enum-value-added", "post.status", '"status": {']);
});

interface PostsRoute {
  readonly endpoints: readonly { readonly methods: readonly string[]; readonly args: Record<string, object> }[];
}

function addArgument({ endpoints }: PostsRoute, name: string, definition: object): void {
  const create = endpoints.find(({ methods }) => methods.includes("POST"));
  if (create !== undefined) {
    create.args[name] = definition;
  }
}

test("a change of a port is reported once if the ports of its service have different operations", () => {
  const sources = serviceOf({ protocols: ["soap11", "soap12"], otherOperations: [{ name: "Tell" }] });
  const text = sources["s.wsdl"] ?? "";
  const messages = (from: string, to: string) =>
    diffContracts(sideOf(sources), sideOf({ "s.wsdl": text.replace(from, to) })).changes.map(({ message }) => message);
  const address = 'soap12:address location="http://s.example/s';
  expect(messages(address, `${address}2`)).toEqual([
    "soap12: The path of an address changed (http://s.example/s → http://s.example/s2).",
  ]);
});

test.each([
  [{ type: "string" }, { type: "string", format: "uri" }],
  [
    { type: "object", properties: { a: { type: "string" } } },
    { type: "object", properties: { a: { type: "string", description: "A text.", default: "b" } } },
  ],
])("an alternative that accepts the same values as %o is not reported", (alternative, other) => {
  const withAlternatives = (...anyOf: readonly object[]) => {
    const args = { q: { anyOf: [...anyOf, { type: "integer" }] } };
    return sideOf(indexOf({ "/shop/v1/things": { args } }));
  };
  const sides = [withAlternatives(alternative), withAlternatives(alternative, other)] as const;
  expect(diffContracts(...sides).changes).toEqual([]);
  expect(diffContracts(sides[1], sides[0]).changes).toEqual([]);
});

test("limits of WordPress that the index now lists are no change, and the others are one change", () => {
  const sideWith = (page: object, size: object) =>
    sideOf(
      indexOf({
        "/shop/v1/things": { args: { page: { type: "integer", ...page }, per_page: { type: "integer", ...size } } },
        "/shop/v1/orders": {
          args: { date: { type: ["string", "null"] }, per_page: { type: "integer", default: 500 } },
        },
      }),
    );
  const messagesOf = (...sides: readonly [Side, Side]) => diffContracts(...sides).changes.map(({ message }) => message);
  const plain = sideWith({}, {});
  expect(messagesOf(plain, sideWith({ minimum: 1 }, { minimum: 1, maximum: 100 }))).toEqual([
    "api: Because the index now lists limits of some arguments, servers no longer apply limits of WordPress to others (date). The index now lists limits of GET /shop/v1/things page and GET /shop/v1/things per_page.",
  ]);
  expect(messagesOf(sideWith({ minimum: 0 }, {}), plain)).toEqual([
    "api: Because the index no longer lists any limits, servers now apply limits of WordPress to arguments (date, per_page). The index listed limits of GET /shop/v1/things page.",
    "GET /shop/v1/things page: The range of a number or date was narrowed (minimum 0 → minimum 1).",
  ]);
});

test("the causes of limits that servers no longer apply are named, the first three of many", () => {
  const page = { type: "integer" };
  const sideWith = (...limited: readonly string[]) =>
    sideOf(
      indexOf(
        Object.fromEntries(
          ["a", "b", "c", "d", "e"].map((name) => [
            `/shop/v1/${name}`,
            { args: { page, width: { ...page, ...(limited.includes(name) && { maximum: 9 }) } } },
          ]),
        ),
      ),
    );
  const messageOf = (...sides: readonly [Side, Side]) =>
    diffContracts(...sides).changes.find(({ rule }) => rule.startsWith("hidden-limits-"))?.message;
  const plain = sideWith();
  const [single, four, all] = [sideWith("b"), sideWith("b", "c", "d", "e"), sideWith("a", "b", "c", "d", "e")];
  const now =
    "api: Because the index now lists limits of some arguments, servers no longer apply limits of WordPress to others (page).";
  const before =
    "api: Because the index no longer lists any limits, servers now apply limits of WordPress to arguments (page).";
  const three = "GET /shop/v1/a width, GET /shop/v1/b width, GET /shop/v1/c width";
  expect(messageOf(plain, single)).toBe(`${now} The index now lists limits of GET /shop/v1/b width.`);
  expect(messageOf(single, plain)).toBe(`${before} The index listed limits of GET /shop/v1/b width.`);
  expect(messageOf(plain, four)).toBe(
    `${now} The index now lists limits of GET /shop/v1/b width, GET /shop/v1/c width, GET /shop/v1/d width and another argument.`,
  );
  expect(messageOf(plain, all)).toBe(`${now} The index now lists limits of ${three} and 2 other arguments.`);
});

test("a name that was added to generated code while the old name still exists is reported so", () => {
  const [ask, tell] = [{ name: "Ask" }, { name: "Tell" }];
  const { changes } = diffContracts(sideOf(serviceOf({ operations: [ask] })), sideOf(servicesOf([ask], [tell])));
  expect(changes.filter(({ rule }) => rule === "name-in-code-changed").map(({ message }) => message)).toEqual([
    "ApiClient: The form of calls changed in generated code, but the old client class still exists (client.ask → client.s.ask).",
    "ApiClient: A name was added to generated code, and the old name still exists (was SClient).",
    "ApiHandlers: A name was added to generated code, and the old name still exists (was SHandlers).",
    "apiRoutes: A name was added to generated code, and the old name still exists (was sRoutes).",
  ]);
});

test("a removed service has positions in both versions, and calls of the remaining one are shown", () => {
  const [ask, tell] = [{ name: "Ask" }, { name: "Tell" }];
  const { changes } = diffContracts(sideOf(servicesOf([ask], [tell])), sideOf(serviceOf({ operations: [ask] })));
  const removal = changes.find(({ rule }) => rule === "service-removed");
  expect([removal?.oldPosition, removal?.newPosition]).toEqual([
    expect.objectContaining({ path: "s.wsdl", line: 18 }),
    expect.objectContaining({ path: "s.wsdl", line: 14 }),
  ]);
  expect(changes.filter(({ rule }) => rule === "name-in-code-changed").map(({ message }) => message)).toContain(
    "SClient: The form of calls changed in generated code (client.s.ask → client.ask).",
  );
});

test("the values of a change show its first difference, and an absent value is none", () => {
  const list = (end: string) => `(${Array.from({ length: 40 }, (_, index) => `member${index}`).join(", ")}${end})`;
  const group = { subject: "Order", before: list(""), after: list("?") };
  expect(formatMessage("group-became-optional", group)).toMatch(/ \(….{0,80}member39\) → ….{0,80}member39\?\)\)\.$/);
  const action = { subject: "Ask", before: "urn:ask", after: undefined };
  expect(formatMessage("soap-action-changed", action)).toBe("Ask: The SOAPAction changed (urn:ask → none).");
  const kind = { subject: "T.a", before: "attribute", after: "element" };
  expect(formatMessage("member-attribute-to-element", kind)).toBe("T.a: An attribute became an element.");
});

test("names in generated code follow the rename of their operation", () => {
  const operationsOf = (name: string) => sideOf(serviceOf({ operations: [{ name }, { name: "Tell" }] }));
  const { changes } = diffContracts(operationsOf("GetCurrencyUnits"), operationsOf("GetUnitsOfCurrencies"));
  expect([...new Set(changes.map(({ rule }) => rule))]).toEqual(["operation-renamed", "name-in-code-changed"]);
});

test("a renamed fault is one change, together with the names of its class and of its detail", () => {
  const faultOf = (name: string) => {
    const text = serviceOf({ operations: [{ name: "Ask", fault: "Broken" }] })["s.wsdl"] ?? "";
    return sideOf({ "s.wsdl": text.replaceAll('"Problem"', `"${name}"`) });
  };
  const messages = diffContracts(faultOf("Problem"), faultOf("Trouble")).changes.map(({ message }) => message);
  expect(messages).toEqual(["Ask (fault Trouble): A fault was renamed (Problem → Trouble)."]);
});

test("the form of a schema's elements is one change, although header blocks keep their namespace", () => {
  const formOf = (form: string) => {
    const text = serviceOf({ operations: [{ name: "Ask", header: true }, { name: "Tell" }] })["s.wsdl"] ?? "";
    return sideOf({ "s.wsdl": text.replace(/elementFormDefault="\w+"/, `elementFormDefault="${form}"`) });
  };
  const rules = diffContracts(formOf("qualified"), formOf("unqualified")).changes.map(({ rule }) => rule);
  expect(rules).toEqual(["namespace-changed"]);
});

test("a change of a binding or of an HTTP message has the position of the changed line", () => {
  const before = (
    serviceOf({ operations: [{ name: "Ask", header: true }], protocols: ["soap11", "httpGet"] })["s.wsdl"] ?? ""
  ).replace(/(?=<(?:soap|http):(?:header|operation|binding) |<part name="q" type="xs:string")/g, "\n");
  const edits = [
    ["header-removed", '<soap:header message="t:SessionHeader" part="s" use="literal"/>', ""],
    ["style-changed", 'style="document"', 'style="rpc"'],
    ["http-location-changed", 'location="/Ask"', 'location="/ask"'],
    ["member-renamed", '<part name="q" type="xs:string"/>', '<part name="Q" type="xs:string"/>'],
  ] as const;
  for (const [rule, from, to] of edits) {
    const line = before.slice(0, before.indexOf(from)).split("\n").length;
    const { changes } = diffContracts(sideOf({ "s.wsdl": before }), sideOf({ "s.wsdl": before.replace(from, to) }));
    const change = changes.find((each) => each.rule === rule);
    expect([rule, change?.oldPosition?.line]).toEqual([rule, line]);
  }
});
