import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { indexOf } from "./pairs/index-document.js";
import { sideOf } from "./proof/contracts.js";

const [named, mine, anything, ofKind] = [
  "/shop/v1/things/(?P<name>[a-z]+)",
  "/shop/v1/things/mine",
  "/shop/v1/things/(?P<path>.+)",
  "/shop/v1/(?P<kind>[a-z]+)/mine",
];

/** Returns the messages about the precedence of routes, with the consequences for old and new clients. */
function effectsOf(before: readonly string[], after: readonly string[], methods: readonly string[] = ["GET"]) {
  const sideOfRoutes = (routes: readonly string[]) =>
    sideOf(indexOf(Object.fromEntries(routes.map((route) => [route, { methods }]))));
  return diffContracts(sideOfRoutes(before), sideOfRoutes(after))
    .changes.filter(({ rule }) => rule === "route-precedence-changed")
    .map(({ message, consequences: { oldClients, newClients } }) => `${message} ${oldClients} ${newClients}`);
}

test("a narrower route that was added answers paths of a wider one, wherever it is in the index", () => {
  const message = `GET ${named}: Another route answers paths of the route (${named} → ${mine}). Both routes match ${mine}.`;
  expect(effectsOf([named], [named, mine])).toEqual([`${message} some some`]);
  expect(effectsOf([named], [mine, named])).toEqual([`${message} some some`]);
  const opposite = `GET ${mine}: Another route answers paths of the route (${mine} → ${named}). Both routes match ${mine}.`;
  expect(effectsOf([named, mine], [named])).toEqual([`${opposite} some some`]);
});

test("a wider route that was added before a narrower one answers its paths only in WordPress", () => {
  const message = `GET ${mine}: In WordPress, another route answers paths of the route (${mine} → ${anything}). Both routes match ${mine}.`;
  expect(effectsOf([mine], [anything, mine])).toEqual([`${message} tolerated tolerated`]);
  expect(effectsOf([mine], [mine, anything])).toEqual([]);
});

test("the order of a wider and a narrower route matters only in WordPress", () => {
  const message = `GET ${mine}: In WordPress, another route answers paths of the route (${mine} → ${anything}). Both routes match ${mine}.`;
  expect(effectsOf([mine, anything], [anything, mine])).toEqual([`${message} tolerated tolerated`]);
});

test("the order of two routes matters if each matches paths that the other does not match", () => {
  const message = `GET ${named}: Another route answers paths of the route (${named} → ${ofKind}). Both routes match ${mine}.`;
  expect(effectsOf([named, ofKind], [ofKind, named])).toEqual([`${message} some some`]);
  expect(effectsOf([named], [named, ofKind])).toEqual([]);
  expect(effectsOf([named], [ofKind, named])).toEqual([`${message} some some`]);
});

test("all calls of a route fail if another one that matches the same paths comes first", () => {
  const [digits, numbers] = ["/shop/v1/things/(?P<id>\\d+)", "/shop/v1/things/(?P<number>[0-9]+)"];
  const message = `GET ${digits}: Another route answers paths of the route (${digits} → ${numbers}). Both routes match /shop/v1/things/0.`;
  expect(effectsOf([digits, numbers], [numbers, digits])).toEqual([`${message} breaks breaks`]);
});

test("routes that share no path or no method do not affect each other", () => {
  expect(effectsOf(["/shop/v1/things/(?P<id>\\d+)"], ["/shop/v1/things/(?P<id>\\d+)", mine])).toEqual([]);
  const two = (first: string, second: string) =>
    indexOf({ [first]: { methods: ["GET"] }, [second]: { methods: ["POST"] } });
  const { changes } = diffContracts(sideOf(two(named, ofKind)), sideOf(two(named, ofKind)));
  expect(changes).toEqual([]);
});

test("the methods that routes have in common are named", () => {
  expect(effectsOf([named], [named, mine], ["GET", "DELETE"])).toEqual([
    `GET, DELETE ${named}: Another route answers paths of the route (${named} → ${mine}). Both routes match ${mine}. some some`,
  ]);
});

test("a third route may change the order of two others", () => {
  // Generated servers try a route before the first wider one, so they now try `things/{name}` before `{kind}/mine`.
  expect(effectsOf([ofKind, named], [anything, ofKind, named])).toContain(
    `GET ${ofKind}: Another route answers paths of the route (${ofKind} → ${named}). Both routes match ${mine}. some some`,
  );
});
