import fc from "fast-check";
import { expect, test } from "vitest";
import { indexOf, lowered, namesOf } from "../../lower/lower-index.js";

const segment = fc.constantFrom(
  ...[
    "a",
    "A",
    "a-b",
    "a_b",
    "aB",
    "list",
    "get",
    "index",
    "create",
    "delete_",
    "1",
    "v1",
    "constructor",
    "toString",
    "é",
  ],
  ...["(?P<id>\\d+)", "(?P<name>[a-z]+)", "(?P<x>a/b)", "x-(?P<id>\\d+)", "(?P<a>.)(?P<b>.)"],
);
const route = fc.array(segment, { maxLength: 4 }).map((segments) => `/${segments.join("/")}`);
const methods = fc.subarray(["GET", "POST", "PUT", "PATCH", "DELETE"], { minLength: 1 });
const endpoints = fc.array(
  fc.tuple(methods, route).map(([allowed, to]) => `${allowed.join()} ${to}`),
  { minLength: 1, maxLength: 12 },
);
const namespaces = fc.uniqueArray(
  fc.constantFrom("a/v1", "a/v2", "a-b/v1", "a/b/v1", "index/v1", "list/v1", "v1", "a/v1/a"),
);

test("names are valid, unique and different from groups for arbitrary routes", () => {
  fc.assert(
    fc.property(endpoints, namespaces, (list, spaces) => {
      const found = lowered(indexOf(list, spaces)).interface?.endpoints ?? [];
      const names = found.map(({ operation }) => operation.join("."));
      expect(new Set(names).size).toBe(names.length);
      expect(names.filter((name) => names.some((other) => other.startsWith(`${name}.`)))).toEqual([]);
      expect(
        names.every((name) =>
          /^[\p{ID_Start}_][\p{ID_Continue}]*(?:\.[\p{ID_Start}_][\p{ID_Continue}]*)*$/u.test(name),
        ),
      ).toBe(true);
    }),
    { numRuns: 300, seed: 1 },
  );
});

test("adding a longer path at the end does not rename other operations", () => {
  fc.assert(
    fc.property(endpoints, route, (list, added) => {
      const before = namesOf(indexOf(list));
      const after = namesOf(indexOf([...list, `GET ${added}/zz`]));
      const kept = Object.keys(before).filter((key) => before[key] === after[key]);
      expect(kept).toEqual(Object.keys(before));
    }),
    { numRuns: 200, seed: 1 },
  );
});

test("arbitrary JSON is read or refused without an exception", () => {
  const anything = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<unknown>(null, true, 0, "", "GET", "string", "(?P<"),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(
        fc.constantFrom("routes", "endpoints", "methods", "args", "type", "enum", "items", "oneOf", "/a", "0"),
        tie("value"),
        { maxKeys: 4 },
      ),
    ),
  })).value;
  fc.assert(
    fc.property(anything, fc.boolean(), (value, wrapped) => {
      const text = JSON.stringify(wrapped ? { routes: { "/a": { endpoints: [value] } } } : value);
      const { interface: lower, diagnostics } = lowered(text);
      expect(lower !== undefined || diagnostics.length > 0).toBe(true);
    }),
    { numRuns: 500, seed: 1 },
  );
});
