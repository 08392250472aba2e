import type { RuleId } from "../../src/index.js";
import {
  answersInContexts,
  answersInDefaultContext,
  defaultMethods,
  languageOfHandlers,
  linksOfIndex,
  valuesOfLanguage,
  withAndWithoutArgument,
} from "../proof/special-calls.js";
import { type EndpointInit, indexOf } from "./index-document.js";
import { keywordPairs } from "./keywords.js";
import { type Pair, shareSources } from "./pair.js";

const route = "/shop/v1/things";
const item = "/shop/v1/things/(?P<id>[\\d]+)";
const listed = { methods: ["GET"], args: { search: { type: "string" } } };

type Routes = Readonly<Record<string, EndpointInit | readonly EndpointInit[]>>;

/** A pair of indexes with these routes, and the reverse pair, which shows the rule `oppositeRule`. */
function both(
  rule: RuleId,
  oppositeRule: RuleId,
  [before, after]: readonly [Routes, Routes],
  init: Partial<Pair> = {},
): readonly Pair[] {
  return [
    { rule, old: indexOf(before), new: indexOf(after), ...init },
    { rule: oppositeRule, old: indexOf(after), new: indexOf(before), ...init },
  ];
}

/** Routes whose requests have the argument `q` in the body, with the old and the new definition. */
function posted(before: object, after: object): readonly [Routes, Routes] {
  const init = { methods: ["POST"] };
  return [{ [route]: { ...init, args: { q: before } } }, { [route]: { ...init, args: { q: after } } }];
}

/** Routes whose argument `q` has the old and the new definition. */
function args(before: object, after: object): readonly [Routes, Routes] {
  return [{ [route]: { args: { q: before } } }, { [route]: { args: { q: after } } }];
}

/** The routes of a namespace, with the route that lists them. */
function namespaceOf(version: string): Routes {
  const list = { args: { namespace: { default: `shop/${version}` }, context: { default: "view" } } };
  return { [`/shop/${version}`]: list, [`/shop/${version}/things`]: listed };
}

/** Routes whose paths differ only in the pattern of a variable, in one version of their namespace. */
function renderers(version: string): Routes {
  const names = ["archives", "calendar", "search"];
  return Object.fromEntries(names.map((name) => [`/shop/${version}/render/(?P<name>core/${name})`, listed]));
}

/** A route with one endpoint for three methods, and with a separate endpoint for two of them. */
export const splitMethods = {
  before: { [item]: { methods: ["POST", "PUT", "PATCH"], args: { search: { type: "string" } } } },
  after: {
    [item]: [
      { methods: ["POST"], args: { search: { type: "string" } } },
      { methods: ["PUT", "PATCH"], args: { search: { type: "string" } } },
    ],
  },
};

/** A route whose only endpoint keeps its name, `update`, although another method replaced its method. */
export const replacedMethods: readonly [Routes, Routes] = [
  { [item]: { methods: ["PATCH"], args: { search: { type: "string" } } } },
  { [item]: { methods: ["POST"], args: { search: { type: "string" } } } },
];

/** The definitions of two nullable objects, by their properties. */
function nullableObjects(before: object, after: object): readonly [object, object] {
  return [
    { type: ["object", "null"], properties: before },
    { type: ["object", "null"], properties: after },
  ];
}

const listOf = (type: string) => ({ type: "array", items: { type } });
const nestedSize = (type: string) => ({ type: "object", properties: { width: { type } } });

/** A pair of indexes with these routes. */
function pairOf(rule: RuleId, [before, after]: readonly [Routes, Routes], init: Partial<Pair> = {}): Pair {
  return { rule, old: indexOf(before), new: indexOf(after), ...init };
}

const namedThing: Routes = { "/shop/v1/things/(?P<name>mine|yours)": {} };
const myThing: Routes = { "/shop/v1/things/mine": {} };
const mineOfKind: Routes = { "/shop/v1/(?P<kind>things|caps)/mine": {} };
const anyThing: Routes = { "/shop/v1/things/(?P<path>.+)": {} };
/** Routes that match the same paths. */
const precedencePairs: readonly Pair[] = [
  pairOf("route-precedence-changed", [namedThing, { ...namedThing, ...myThing }], {
    title: "because of a narrower route that was added",
    also: ["route-added"],
  }),
  pairOf("route-precedence-changed", [{ ...namedThing, ...myThing }, namedThing], {
    title: "because a narrower route was removed",
    also: ["route-removed"],
  }),
  pairOf("route-precedence-changed", [
    { ...namedThing, ...mineOfKind },
    { ...mineOfKind, ...namedThing },
  ]),
  pairOf(
    "route-precedence-changed",
    [
      { ...myThing, ...anyThing },
      { ...anyThing, ...myThing },
    ],
    {
      title: "in WordPress",
      notShown: "generated servers try the narrower route first",
    },
  ),
];

/** The schema of an object with an id and these members. */
const answer = (...members: readonly (readonly [name: string, definition: object])[]) => ({
  $schema: "http://json-schema.org/draft-04/schema#",
  title: "thing",
  type: "object",
  properties: Object.fromEntries([["id", { type: "integer" }], ...members]),
});
/** The files of an index whose route answers with this schema, in these contexts. */
const answers = (schema: object | undefined, contexts?: readonly string[]) =>
  indexOf(
    {
      [item]: {
        args: {
          id: { type: "integer", required: true },
          ...(contexts && { context: { type: "string", enum: contexts, default: "view" } }),
        },
      },
    },
    schema === undefined ? {} : { [item]: schema },
  );
const id = { type: "integer", required: true };
const editedName = answer(["name", { type: "string", context: ["edit"] }]);
/** The files of an index whose answers have other members in each context, with this default context. */
export const answersInContext = (initial: string | undefined) =>
  indexOf(
    {
      [item]: {
        args: {
          id: { type: "integer", required: true },
          context: {
            type: "string",
            enum: ["view", "edit", "embed"],
            ...(initial !== undefined && { default: initial }),
          },
        },
      },
    },
    {
      [item]: answer(
        ["price", { type: "number", context: ["view", "edit"] }],
        ["secret", { type: "string", context: ["edit"] }],
        ["link", { type: "string", context: ["embed"] }],
      ),
    },
  );
/** A member of answers in all contexts. */
const everywhere = { type: "string", context: ["view", "edit", "embed"] };
/** The schema of an object whose only member is `id`, in a context. */
const onlyMember = (context: unknown) => ({
  title: "thing",
  type: "object",
  properties: { id: { type: "integer", context } },
});
const unchecked = "clients check no answers unless they are asked to";
/** A configuration with this base path. */
/** A configuration with this base path. */
export const settings = (base: object) =>
  JSON.stringify({
    packages: {
      contract: { path: "contract", name: "a" },
      client: { path: "client", name: "b" },
      server: { path: "server", name: "c" },
    },
    interfaces: { api: { index: "index.json", base } },
  });
/** The files of an index and a configuration with this base path. */
const withBase = (base: object) => ({ ...indexOf({ [route]: listed }), "bothends.json": settings(base) });

/** A configuration with other names of path segments on the wire. */
const withSegments = (segments: readonly string[]) =>
  JSON.stringify({
    ...JSON.parse(settings({ path: "/api" })),
    interfaces: { api: { index: "index.json", wireNames: { segments } } },
  });

/** A configuration with these names in code. */
const withNames = (names: Readonly<Record<string, string>>) =>
  JSON.stringify({ ...JSON.parse(settings({})), interfaces: { api: { index: "index.json", names } } });

/** Pairs of which one version names a package differently, or omits it. */
const packagePairs = (["contract", "client", "server"] as const).flatMap((kind): readonly Pair[] => {
  const stateOf = (change: (packages: Record<string, object>) => void) => {
    const config = JSON.parse(settings({ path: "/api" }));
    const packages = Object.fromEntries(
      ["contract", "client", "server"].map((path) => [path, { path, name: `api-${path}` }]),
    );
    change(packages);
    const text = JSON.stringify({ ...config, packages, interfaces: { api: { index: "index.json" } } });
    return { ...indexOf({ [route]: listed }), "bothends.json": text };
  };
  const whole = stateOf(() => undefined);
  const renamed = stateOf((packages) => Object.assign(packages[kind] ?? {}, { name: "shop" }));
  const without = stateOf((packages) => Reflect.deleteProperty(packages, kind));
  return [
    { rule: "package-renamed", title: `of the ${kind}`, old: whole, new: renamed },
    ...(kind === "contract"
      ? []
      : ([
          { rule: "package-removed", title: `of the ${kind}`, old: whole, new: without },
          { rule: "package-added", title: `of the ${kind}`, old: without, new: whole },
        ] as const)),
  ];
});

/** A pair of indexes that describe the site differently, and the reverse pair. */
function ofSite(rule: RuleId, oppositeRule: RuleId, sites: readonly [object, object]): readonly Pair[] {
  const [before, after] = sites.map((site) => indexOf({ [route]: listed }, {}, site));
  return [
    { rule, old: before ?? {}, new: after ?? {} },
    { rule: oppositeRule, old: after ?? {}, new: before ?? {} },
  ];
}

const collection = { page: { type: "integer" }, after: { type: "string" } };

export const restPairs = shareSources([
  ...keywordPairs,
  ...both(
    "hidden-limits-removed",
    "hidden-limits-added",
    [
      { [route]: { args: collection }, "/shop/v1/embed": { args: { width: {} } } },
      { [route]: { args: collection }, "/shop/v1/embed": { args: { width: { maximum: 2000 } } } },
    ],
    { also: ["keyword-changed"] },
  ),
  ...both("route-added", "route-removed", [{ [route]: listed }, { [route]: listed, "/shop/v1/orders": {} }], {
    always: true,
  }),
  ...precedencePairs,
  pairOf(
    "route-renamed",
    [
      { [route]: listed, "/shop/v1/color": {} },
      { [route]: listed, "/shop/v1/colour": {} },
    ],
    { also: ["name-in-code-changed"] },
  ),
  pairOf("route-renamed", [{ "/shop/v1/file_size": listed }, { "/shop/v1/file-size": listed }], {
    title: "whose names in generated code are the same",
  }),
  pairOf(
    "route-renamed",
    [
      { [route]: listed, "/shop/v1/gloves": {}, "/shop/v1/gloves/sizes": {} },
      { [route]: listed, "/shop/v1/caps": {}, "/shop/v1/caps/sizes": {} },
    ],
    { title: "of a group, whose names are not similar", also: ["name-in-code-changed"] },
  ),
  pairOf(
    "route-added",
    [
      { [route]: listed, "/shop/v1/gloves": {}, "/shop/v1/gloves/sizes": {} },
      { [route]: listed, "/shop/v1/caps": {}, "/shop/v1/caps/sizes": listed },
    ],
    {
      title: "of a group, whose other route was renamed",
      always: true,
      also: ["route-removed", "route-renamed", "name-in-code-changed"],
    },
  ),
  pairOf(
    "route-renamed",
    [
      { [route]: {}, "/shop/v1/file_size": listed },
      { [route]: {}, "/core/v2/file_size": listed },
    ],
    { title: "that moved to another namespace", also: ["name-in-code-changed"] },
  ),
  pairOf("route-version-changed", [{ [route]: listed }, { "/shop/v2/things": listed }], {
    also: ["name-in-code-changed"],
  }),
  pairOf("route-version-changed", [namespaceOf("v1"), namespaceOf("v2")], {
    title: "with the route that lists the routes",
    also: ["name-in-code-changed"],
  }),
  pairOf("route-version-changed", [renderers("v1"), renderers("v2")], {
    title: "of routes that differ only in the patterns of their variables",
    also: ["name-in-code-changed"],
  }),
  pairOf("route-parameter-renamed", [{ [item]: {} }, { [item.replace("<id>", "<thing>")]: {} }], {
    names: { old: { id: "id" }, new: { thing: "id" } },
  }),
  pairOf("route-pattern-changed", [{ [item]: {} }, { [item.replace("[\\d]+", "[\\d]{2,4}")]: {} }]),
  ...both("route-pattern-changed", "route-pattern-changed", [
    { [item]: {} },
    { [item.replace("/(?P<id>[\\d]+)", "(?:/(?P<id>[\\d]+))?")]: {} },
  ]),
  ...(["added", "removed"] as const).map((change): Pair => {
    const versions = [{ [item]: {} }, { [`${item}(?:/(?P<step>[\\w-]+))?`]: {} }] as const;
    return pairOf("route-pattern-changed", change === "added" ? versions : [versions[1], versions[0]], {
      title: `by an optional part that was ${change}`,
      also: [`argument-${change}-optional`],
    });
  }),
  pairOf("name-in-code-changed", [splitMethods.before, splitMethods.after], {
    title: "for some methods of an endpoint",
  }),
  pairOf("name-in-code-changed", [splitMethods.after, splitMethods.before], {
    title: "of an endpoint whose methods moved to another endpoint",
  }),
  ...both("method-added", "method-removed", [{ [route]: [listed] }, { [route]: [listed, { methods: ["POST"] }] }], {
    always: true,
  }),
  ...both(
    "method-added",
    "method-removed",
    [{ [route]: { methods: ["POST", "PUT"] } }, { [route]: { methods: ["POST", "PUT", "PATCH"] } }],
    { title: "of the same endpoint", always: true },
  ),
  ...(["method-removed", "method-added"] as const).map((rule): Pair => {
    const stateOf = (routes: Routes, owner: string) => ({
      ...indexOf(routes),
      "bothends.json": withNames({ [`POST ${owner}`]: "shop.moved.make" }),
    });
    const before = stateOf({ [route]: [{}, { methods: ["POST"] }], "/shop/v1/caps": {} }, route);
    const after = stateOf({ [route]: {}, "/shop/v1/caps": [{}, { methods: ["POST"] }] }, "/shop/v1/caps");
    const [also] = rule === "method-removed" ? (["method-added"] as const) : (["method-removed"] as const);
    const states = rule === "method-removed" ? { old: before, new: after } : { old: after, new: before };
    return { rule, ...states, title: "of an endpoint that keeps its name in code", also: [also], always: true };
  }),
  ...(["added", "removed"] as const).map((change): Pair => {
    const versions = [{ [item]: { methods: ["PATCH"] } }, { [item]: { methods: ["PUT", "PATCH"] } }] as const;
    return pairOf("default-method-changed", change === "added" ? versions : [versions[1], versions[0]], {
      title: change === "added" ? "to an added method" : "from a removed method",
      also: [`method-${change}`],
      proof: defaultMethods,
    });
  }),
  pairOf(
    "default-method-changed",
    [{ [item]: { methods: ["PATCH", "POST"] } }, { [item]: { methods: ["PUT", "POST"] } }],
    {
      title: "to a method that replaces it",
      also: ["method-added", "method-removed"],
      proof: defaultMethods,
    },
  ),
  ...both("default-method-changed", "default-method-changed", replacedMethods, {
    title: "because another method replaced the only one",
    also: ["method-added", "method-removed"],
    proof: defaultMethods,
  }),
  pairOf(
    "default-method-changed",
    [{ [item]: { methods: ["PATCH", "PUT"] } }, { [item]: { methods: ["PUT", "PATCH"] } }],
    { title: "to another method of both versions", proof: defaultMethods },
  ),
  {
    ...pairOf("argument-added-required", [
      { [route]: { methods: ["GET", "POST"] } },
      { [route]: [{}, { methods: ["POST"], args: { q: { type: "string", required: true } } }] },
    ]),
    title: "of one of two methods, which get separate endpoints",
    also: ["name-in-code-changed"],
    notShown: "the other method has no such argument",
  },
  ...both("type-widened", "type-narrowed", args(listOf("integer"), { type: "array" }), { title: "to any type" }),
  ...both("argument-added-required", "argument-removed-required", [
    { [route]: listed },
    { [route]: { args: { ...listed.args, q: { type: "string", required: true } } } },
  ]),
  ...both("argument-added-optional", "argument-removed-optional", [
    { [route]: listed },
    { [route]: { args: { ...listed.args, q: { type: "string" } } } },
  ]),
  {
    rule: "argument-renamed",
    old: indexOf({ [route]: { args: { ...listed.args, colour: { type: "string" } } } }),
    new: indexOf({ [route]: { args: { ...listed.args, tint: { type: "string" } } } }),
  },
  {
    rule: "argument-renamed",
    title: "that is required",
    old: indexOf({ [route]: { args: { ...listed.args, colour: { enum: ["a", "b"], required: true } } } }),
    new: indexOf({ [route]: { args: { ...listed.args, tint: { enum: ["a", "b"], required: true } } } }),
  },
  ...both(
    "argument-removed-optional",
    "argument-added-optional",
    [
      { [route]: { args: { ...listed.args, colour: { type: "string" } } } },
      { [route]: { args: { ...listed.args, tint: { type: "string", enum: ["a", "b"] } } } },
    ],
    { title: "with another type than a new argument" },
  ).map(
    (pair, index): Pair => ({ ...pair, also: [index === 0 ? "argument-added-optional" : "argument-removed-optional"] }),
  ),
  ...both(
    "argument-became-required",
    "argument-became-optional",
    args({ type: "string" }, { type: "string", required: true }),
  ),
  ...both("default-added", "default-removed", args({ type: "string" }, { type: "string", default: "x" })),
  ...both(
    "default-became-invalid",
    "default-became-valid",
    args({ type: "integer", default: 10 }, { type: "integer", default: "ten" }),
    { also: ["default-changed"], proof: withAndWithoutArgument },
  ),
  ...both(
    "default-became-invalid",
    "default-became-valid",
    args({ type: "integer", default: 10 }, { type: "string", default: 10 }),
    { title: "because the type changed", notShown: "equal ends refuse requests without the argument" },
  ).map((pair, index): Pair => ({ ...pair, also: [index === 0 ? "type-widened" : "type-narrowed"] })),
  ...both(
    "default-became-invalid",
    "default-became-valid",
    [{ [route]: { args: {} } }, { [route]: { args: { q: { type: "string", default: 10 } } } }],
    { title: "of an argument that was added", proof: withAndWithoutArgument },
  ).map(
    (pair, index): Pair => ({ ...pair, also: [index === 0 ? "argument-added-optional" : "argument-removed-optional"] }),
  ),
  pairOf("default-changed", args({ type: "string", default: "x" }, { type: "string", default: "y" })),
  pairOf("keyword-changed", args({ type: "integer" }, { type: "integer", default: null }), {
    title: "a default of null, which means none",
    proof: withAndWithoutArgument,
  }),
  pairOf("keyword-changed", args({ type: "integer", default: 10 }, { type: "integer", default: "10" }), {
    title: "a default that servers convert to the same value",
    proof: withAndWithoutArgument,
  }),
  ...both(
    "default-added",
    "default-removed",
    args({ type: "string", required: true }, { type: "string", required: true, default: "x" }),
    { title: "of a required argument" },
  ),
  ...both(
    "default-added",
    "default-removed",
    args({ type: "string", required: true }, { type: "string", default: "x" }),
    { title: "of an argument that became optional" },
  ).map(
    (pair, index): Pair => ({
      ...pair,
      also: [index === 0 ? "argument-became-optional" : "argument-became-required"],
    }),
  ),
  ...both(
    "default-became-invalid",
    "default-became-valid",
    args({ type: "integer", required: true }, { type: "integer", required: true, minimum: 0, default: -1 }),
    { title: "of a required argument", notShown: "random integers are below the minimum, too" },
  ).map(
    (pair, index): Pair => ({
      ...pair,
      also: index === 0 ? ["default-added", "range-tightened"] : ["default-removed", "range-loosened"],
    }),
  ),
  ...both("enum-value-added", "enum-value-removed", args({ enum: ["a", "b"] }, { enum: ["a", "b", "c"] })),
  pairOf("enum-value-added", args({ enum: ["a"], required: true }, { enum: ["b", "c"], required: true }), {
    title: "in place of all others",
    also: ["enum-value-removed"],
  }),
  ...both(
    "member-became-nillable",
    "member-became-not-nillable",
    args({ type: "string" }, { type: ["string", "null"] }),
    {
      title: "of text in a query",
    },
  ),
  ...both("enum-opened", "enum-closed", args({ type: "string", enum: ["a", "b"] }, { type: "string" }), {
    title: "of an argument",
    always: true,
  }),
  ...both(
    "range-tightened",
    "range-loosened",
    args({ type: "integer", maximum: 100 }, { type: "integer", maximum: 20 }),
  ),
  ...both(
    "length-tightened",
    "length-loosened",
    args({ type: "string", minLength: 1, maxLength: 8 }, { type: "string", minLength: 1, maxLength: 3 }),
  ),
  ...both("pattern-added", "pattern-removed", args({ type: "string" }, { type: "string", pattern: "^[a-m]" })),
  pairOf("pattern-changed", args({ type: "string", pattern: "^[a-m]" }, { type: "string", pattern: "^[a-e]" })),
  pairOf("format-changed", args({ type: "string", format: "email" }, { type: "string", format: "uuid" })),
  ...both("format-added", "format-removed", args({ type: "string" }, { type: "string", format: "email" }), {
    always: true,
  }),
  pairOf("format-changed", args({ type: "string", format: "uri" }, { type: "string" }), {
    title: "that servers do not check",
  }),
  ...both("type-widened", "type-narrowed", args({ type: "integer" }, { type: "number" }), {
    notShown: "random numbers are whole",
  }),
  ...both(
    "type-widened",
    "type-narrowed",
    [
      { [item]: { methods: ["POST"], args: { id: { type: "integer" } } } },
      { [item]: { methods: ["POST"], args: { id: { type: "string" } } } },
    ],
    { title: "of a variable in the path", notShown: "the pattern of the route accepts only digits" },
  ),
  pairOf("type-overlaps", args({ type: "integer", required: true }, { type: "boolean", required: true }), {
    always: true,
  }),
  ...both(
    "type-widened",
    "type-narrowed",
    posted({ type: "integer", required: true }, { ...listOf("integer"), required: true }),
    { title: "of an integer in a body that became a list" },
  ),
  ...both("type-widened", "type-narrowed", posted({ type: "string" }, listOf("string")), {
    title: "of a text in a body that became a list",
    notShown: "servers split a text at commas and spaces, and random texts contain none",
  }),
  ...both(
    "type-widened",
    "type-narrowed",
    posted({ type: "boolean", required: true }, { ...listOf("boolean"), required: true }),
    { title: "of a truth value in a body that became a list" },
  ),
  ...both(
    "union-order-changed",
    "union-order-changed",
    args(
      { type: ["boolean", "array"], items: { type: "string", enum: ["post", "page"] } },
      { type: ["array", "boolean"], items: { type: "string", enum: ["post", "page"] } },
    ),
    { title: "of an argument" },
  ),
  ...both(
    "union-member-added",
    "union-member-removed",
    args(
      { type: ["integer", "array"], items: { type: "integer" } },
      { type: ["integer", "array", "boolean"], items: { type: "integer" } },
    ),
    {
      notShown: "random values are of the first type",
    },
  ),
  pairOf("type-overlaps", args(...nullableObjects({ size: { type: "integer" } }, { size: { type: "boolean" } })), {
    title: "of a property of a nullable object",
    notShown: "random objects do not always have the property",
  }),
  ...both(
    "member-became-required",
    "member-became-optional",
    args(
      ...nullableObjects({ size: { type: "integer" }, at: {} }, { size: { type: "integer" }, at: { required: true } }),
    ),
    { title: "of a nullable object" },
  ),
  ...both(
    "enum-value-added",
    "enum-value-removed",
    args(
      ...nullableObjects(
        { size: { type: "string", enum: ["a", "b"] } },
        { size: { type: "string", enum: ["a", "b", "c"] } },
      ),
    ),
    { title: "of a property of a nullable object" },
  ),
  ...both(
    "type-widened",
    "type-narrowed",
    args({ anyOf: [listOf("boolean"), listOf("integer")] }, { anyOf: [listOf("boolean"), listOf("string")] }),
    { title: "of the items of a list in a union" },
  ),
  ...both(
    "enum-opened",
    "enum-closed",
    args(
      { anyOf: [{ type: "string", enum: ["a", "b"] }, listOf("integer")] },
      { anyOf: [{ type: "string" }, listOf("integer")] },
    ),
    { title: "of a member of a union", notShown: "random lists are not empty, and only an empty list is read as text" },
  ),
  pairOf("type-overlaps", args({ enum: ["a", "b", "7"] }, { type: "integer" }), {
    title: "of an enumeration and a type that accepts some of its values",
  }),
  {
    rule: "member-renamed",
    title: "and its nested members changed",
    old: answers(answer(["sizes", nestedSize("integer")])),
    new: answers(answer(["size", nestedSize("boolean")])),
    also: ["type-changed"],
    notShown: unchecked,
  },
  {
    rule: "type-renamed",
    title: "of an answer",
    old: answers(answer()),
    new: answers({ ...answer(), title: "part" }),
    proof: answersInContexts,
  },
  {
    rule: "type-changed",
    title: "of a member of a nullable object in an answer",
    old: answers(answer(["size", { ...nestedSize("integer"), type: ["object", "null"] }])),
    new: answers(answer(["size", { ...nestedSize("string"), type: ["object", "null"] }])),
    notShown: unchecked,
  },
  {
    rule: "type-changed",
    title: "of other members of a nullable object in an answer",
    old: answers(answer(["meta", { type: ["object", "null"], additionalProperties: { type: "boolean" } }])),
    new: answers(answer(["meta", { type: ["object", "null"], additionalProperties: { type: "string" } }])),
    notShown: unchecked,
  },
  {
    rule: "member-removed-optional",
    title: "of an answer",
    old: answers(answer(["name", { type: "string" }])),
    new: answers(answer()),
    notShown: unchecked,
  },
  {
    rule: "type-changed",
    title: "of an answer",
    old: answers(answer(["name", { type: "string" }])),
    new: answers(answer(["name", { type: "integer" }])),
    notShown: unchecked,
  },
  {
    rule: "member-contexts-changed",
    old: answers(answer(["name", { type: "string", context: ["view", "edit"] }], ["at", everywhere])),
    new: answers(answer(["name", { type: "string", context: ["edit", "embed"] }], ["at", everywhere])),
    proof: answersInContexts,
  },
  {
    rule: "member-contexts-changed",
    title: "of a member that answers always contained",
    old: answers(answer(["name", everywhere], ["at", everywhere])),
    new: answers(answer(["name", { type: "string", context: ["edit"] }], ["at", everywhere])),
    notShown: unchecked,
  },
  ...[
    ["in one context fewer", ["view", "edit"], ["edit"]],
    ["in another context", ["view"], ["edit"]],
    ["in one context more", ["edit"], ["edit", "view"]],
  ].map(
    ([title, before, after]): Pair => ({
      rule: "member-contexts-changed",
      title: `of the only member, ${title}`,
      ...{ old: answers(onlyMember(before), ["view", "edit"]), new: answers(onlyMember(after), ["view", "edit"]) },
      notShown: unchecked,
    }),
  ),
  {
    rule: "answer-keyword-changed",
    title: "the format of a member",
    old: answers(answer(["at", { type: "string", format: "date-time" }])),
    new: answers(answer(["at", { type: "string", format: "uri" }])),
  },
  {
    rule: "answer-keyword-changed",
    title: "the length of items",
    old: answers(answer(["names", { type: "array", items: { type: "string", maxLength: 5 } }])),
    new: answers(answer(["names", { type: "array", items: { type: "string", maxLength: 9 } }])),
  },
  {
    rule: "answer-keyword-changed",
    title: "a bound in an alternative",
    old: answers(answer(["size", { anyOf: [{ type: "integer", maximum: 5 }, { type: "string" }] }])),
    new: answers(answer(["size", { anyOf: [{ type: "integer", maximum: 9 }, { type: "string" }] }])),
  },
  {
    rule: "keyword-changed",
    title: "readonly in an answer",
    old: answers(answer(["name", { type: "string", readonly: true }])),
    new: answers(answer(["name", { type: "string" }])),
    proof: answersInContexts,
  },
  {
    rule: "documentation-changed",
    title: "of a member of an answer",
    old: answers(answer(["name", { type: "string", description: "The name." }])),
    new: answers(answer(["name", { type: "string", description: "The full name." }])),
    proof: answersInContexts,
  },
  {
    rule: "documentation-changed",
    title: "of an answer",
    old: answers({ ...answer(), description: "A thing." }),
    new: answers({ ...answer(), description: "A thing to sell." }),
    proof: answersInContexts,
  },
  {
    rule: "type-changed",
    title: "of other members of an answer",
    old: answers(answer(["meta", { type: "object", additionalProperties: { type: "array", items: {} } }])),
    new: answers(answer(["meta", { type: "object", additionalProperties: { type: "integer" } }])),
    notShown: unchecked,
  },
  ...(
    [
      ["default-changed", "default-changed", "with fewer members", "view", "embed"],
      ["default-changed", "default-changed", "with other members", "edit", "embed"],
      ["default-added", "default-removed", "with more members", undefined, "edit"],
    ] as const
  ).flatMap(([rule, oppositeRule, title, before, after]) => {
    const [old, current] = [before, after].map((initial) => answersInContext(initial));
    const also = ["answer-contexts-changed"] as const;
    const pair = { title: `of the context of answers ${title}`, also, proof: answersInDefaultContext };
    return old === undefined || current === undefined
      ? []
      : [
          { ...pair, rule, old, new: current },
          { ...pair, rule: oppositeRule, old: current, new: old },
        ];
  }),
  {
    rule: "answer-contexts-changed",
    title: "because an argument `context` was added",
    old: indexOf({ [item]: { args: { id } } }, { [item]: editedName }),
    new: indexOf(
      { [item]: { args: { id, context: { type: "string", enum: ["view", "edit"] } } } },
      { [item]: editedName },
    ),
    also: ["argument-added-optional"],
  },
  { rule: "answer-declared", old: answers(undefined), new: answers(answer()), proof: answersInContexts },
  { rule: "answer-undeclared", old: answers(answer()), new: answers(undefined), proof: answersInContexts },
  { rule: "base-path-changed", old: withBase({ path: "/wp-json" }), new: withBase({ path: "/api" }) },
  {
    rule: "base-variable-renamed",
    old: withBase({ path: "/{lang}/api", values: { lang: ["en", "pt"] }, language: { variable: "lang" } }),
    new: withBase({ path: "/{locale}/api", values: { locale: ["en", "pt"] }, language: { variable: "locale" } }),
  },
  {
    rule: "base-variable-renamed",
    title: "in another path",
    old: withBase({ path: "/{lang}/api", values: { lang: ["en"] } }),
    new: withBase({ path: "/{locale}/wp-json", values: { locale: ["en"] } }),
    also: ["base-path-changed"],
  },
  {
    rule: "base-values-changed",
    title: "of a renamed variable",
    old: withBase({ path: "/{lang}/api", values: { lang: ["en", "pt"] } }),
    new: withBase({ path: "/{locale}/api", values: { locale: ["fr", "pt"] } }),
    also: ["base-variable-renamed"],
    always: true,
  },
  {
    rule: "base-values-changed",
    old: withBase({ path: "/{lang}/api", values: { lang: ["en", "pt"] } }),
    new: withBase({ path: "/{lang}/api", values: { lang: ["fr", "pt"] } }),
    always: true,
  },
  ...[
    ["a value was added", ["en", "pt"], ["en", "pt", "fr"]],
    ["a value was removed", ["en", "pt", "fr"], ["en", "pt"]],
  ].map(
    ([title, before, after]): Pair => ({
      rule: "base-values-changed",
      title: String(title),
      old: withBase({ path: "/{lang}/api", values: { lang: before } }),
      new: withBase({ path: "/{lang}/api", values: { lang: after } }),
      proof: valuesOfLanguage,
    }),
  ),
  {
    rule: "base-values-changed",
    title: "another value is first",
    old: withBase({ path: "/{lang}/api", values: { lang: ["en", "pt"] } }),
    new: withBase({ path: "/{lang}/api", values: { lang: ["pt", "en"] } }),
    notShown: "each client sends the first value of its own state",
  },
  ...ofSite("authentication-added", "authentication-removed", [
    {},
    { authentication: { "application-passwords": {} } },
  ]),
  {
    rule: "links-changed",
    old: indexOf({ [route]: listed }, {}, { _links: { help: [{ href: "https://help.example/" }] } }),
    new: indexOf({ [route]: listed }, {}, { _links: { about: [{ href: "https://help.example/" }] } }),
    proof: linksOfIndex,
  },
  {
    rule: "links-changed",
    title: "for authentication",
    old: indexOf(
      { [route]: listed },
      {},
      { authentication: { key: { endpoints: { ask: "https://help.example/a" } } } },
    ),
    new: indexOf(
      { [route]: listed },
      {},
      { authentication: { key: { endpoints: { ask: "https://help.example/b" } } } },
    ),
    notShown: "programs of users follow the links",
  },
  ...both(
    "batch-added",
    "batch-removed",
    [
      { [route]: { ...listed, more: { allow_batch: { v1: false } } } },
      { [route]: { ...listed, more: { allow_batch: { v1: true } } } },
    ],
    { title: "that was refused" },
  ),
  ...both("batch-added", "batch-removed", [
    { [route]: listed },
    { [route]: { ...listed, more: { allow_batch: { v1: true } } } },
  ]),
  ...both(
    "range-tightened",
    "range-loosened",
    args(
      { type: "object", properties: { size: { type: "integer", maximum: 100 } } },
      { type: "object", properties: { size: { type: "integer", maximum: 20 } } },
    ),
    { title: "of a property of an argument" },
  ),
  {
    rule: "base-language-changed",
    old: withBase({ path: "/{lang}/api", values: { lang: ["en"] } }),
    new: withBase({ path: "/{lang}/api", values: { lang: ["en"] }, language: { variable: "lang" } }),
    proof: languageOfHandlers,
  },
  ...[
    ["wire-name-added", [], ["shop"]],
    ["wire-name-removed", ["shop"], []],
  ].map(([rule, before, after]) => ({
    rule: rule as RuleId,
    title: "of a segment of routes",
    old: { ...indexOf({ [route]: listed }), "bothends.json": withSegments(before as readonly string[]) },
    new: { ...indexOf({ [route]: listed }), "bothends.json": withSegments(after as readonly string[]) },
  })),
  ...packagePairs,
]);
