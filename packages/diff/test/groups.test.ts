import { describe, expect, test } from "vitest";
import {
  type AllowEntry,
  type ContractDiff,
  diffContracts,
  formatChangesAsMarkdown,
  formatChangesAsText,
  formatShortChanges,
  judgeChanges,
} from "../src/index.js";
import { indexOf } from "./pairs/index-document.js";
import { sideOf } from "./proof/contracts.js";

/** A comparison of indexes whose routes all have the argument `lang`, which has another value in the new version. */
function compareRoutes(count: number): ContractDiff {
  const stateOf = (values: readonly string[]) => {
    const args = { lang: { type: "string", enum: values } };
    const names = Array.from({ length: count }, (_, index) => `/shop/v1/route${String.fromCharCode(97 + index)}`);
    return sideOf(indexOf(Object.fromEntries(names.map((name) => [name, { args }]))));
  };
  return diffContracts(stateOf(["en", "pt"]), stateOf(["en", "pt", "es"]));
}

const options = { color: false, verbose: false, formatPath: (path: string) => path };

function judge(diff: ContractDiff, ...allowList: readonly AllowEntry[]) {
  return judgeChanges(diff, { level: "tolerated", allowList });
}

test("equal changes of many items are one entry with the first ten items, their number and one fingerprint", () => {
  const diff = compareRoutes(12);
  const groups = [...new Set(diff.changes.map(({ group }) => group))];
  expect(groups).toEqual([expect.stringMatching(/^[0-9a-f]{12}$/)]);
  const text = formatChangesAsText(diff, judge(diff), options);
  expect(text).toContain(
    '  An enumeration has more values ("es"), in 12 places.\n    May break new clients, TypeScript callers and handlers\n',
  );
  expect(text.match(/^ {4}- GET \/shop\/v1\/route\w lang, index\.json:\d+:\d+ /gm)).toHaveLength(10);
  expect(text).toContain("    and 2 more, which --verbose lists\n");
  expect(text).toContain(`    rule: enum-value-added, in requests; fingerprint: ${groups[0]} (all of them)\n`);
  expect(text.match(/fingerprint/g)).toHaveLength(1);
  const verboseText = formatChangesAsText(diff, judge(diff), { ...options, verbose: true });
  expect(diff.changes.filter(({ fingerprint }) => !verboseText.includes(fingerprint))).toEqual([]);
  const markdown = formatChangesAsMarkdown(diff, judge(diff), { formatPath: (path) => `schemas/${path}` });
  expect(markdown.match(/^\| An enumeration .* in 12 places\. \|/gm)).toHaveLength(1);
  expect(markdown.match(/^ {2}- /gm)).toHaveLength(11);
  expect(markdown.match(/ at `schemas\/index\.json:\d+:\d+/g)).toHaveLength(10);
});

test("the fingerprint of a group that an allow list divides is said to accept all of its changes", () => {
  const diff = compareRoutes(11);
  const allowList = diff.changes.slice(0, 10).map(({ fingerprint }) => ({ fingerprint, reason: "No caller." }));
  const text = formatChangesAsText(diff, judge(diff, ...allowList), options);
  const fingerprint = diff.changes[0]?.group;
  expect(text).toContain(", in 10 places.");
  expect(text).toContain(`fingerprint: ${fingerprint} (all 11 changes of the group)\n`);
  expect(text).not.toContain("(all of them)");
  const markdown = formatChangesAsMarkdown(diff, judge(diff), { formatPath: (path) => path });
  expect(markdown).toContain("`enum-value-added`: An enumeration has more values");
});

test("equal changes are one line in a short list, with the first three items", () => {
  const { changes } = compareRoutes(12);
  expect(formatShortChanges(changes)).toEqual([
    'An enumeration has more values ("es"), in 12 places: GET /shop/v1/routea lang, GET /shop/v1/routeb lang, GET /shop/v1/routec lang and 9 more. May break new clients, TypeScript callers and handlers [enum-value-added]',
  ]);
  const [whole = ""] = formatShortChanges(changes, { verbose: true });
  expect(whole).toContain("GET /shop/v1/routek lang and GET /shop/v1/routel lang. May break");
  expect(formatShortChanges(compareRoutes(2).changes)).toHaveLength(2);
});

test("two equal changes are two entries", () => {
  const diff = compareRoutes(2);
  expect(diff.changes.map(({ group }) => group)).toEqual([undefined, undefined]);
  expect(formatChangesAsText(diff, judge(diff), options).match(/fingerprint/g)).toHaveLength(2);
});

test("an entry of an allow list accepts a group or one of its changes", () => {
  const diff = compareRoutes(4);
  const [first] = diff.changes;
  const reason = "No client uses Spanish yet.";
  const whole = judge(diff, { fingerprint: first?.group ?? "", reason });
  expect([whole.refusedChanges, whole.unusedEntries]).toEqual([[], []]);
  expect(formatChangesAsText(diff, whole, options).match(/allowed: No client/g)).toHaveLength(1);
  const single = judge(diff, { fingerprint: first?.fingerprint ?? "", reason });
  expect(single.refusedChanges).toEqual(diff.changes.slice(1));
  const text = formatChangesAsText(diff, single, options);
  expect([text.match(/allowed: No client/g)?.length, text.includes("in 3 places.")]).toEqual([1, true]);
});

test("the reason of an allowed change ends with one full stop in Markdown", () => {
  const diff = compareRoutes(2);
  const [first, second] = diff.changes;
  const markdown = formatChangesAsMarkdown(
    diff,
    judge(
      diff,
      { fingerprint: first?.fingerprint ?? "", reason: "Nobody reads it." },
      { fingerprint: second?.fingerprint ?? "", reason: "Spanish is planned" },
    ),
    options,
  );
  expect(markdown.match(/Allowed: .*/g)).toEqual(["Allowed: Nobody reads it.", "Allowed: Spanish is planned."]);
});

test("a group that another change joined must be accepted again", () => {
  const accepted = { fingerprint: compareRoutes(4).changes[0]?.group ?? "", reason: "No client uses Spanish yet." };
  const diff = compareRoutes(5);
  const { refusedChanges, unusedEntries } = judge(diff, accepted);
  expect(refusedChanges).toHaveLength(5);
  expect(unusedEntries.map(({ renewedChanges }) => renewedChanges.map(({ fingerprint }) => fingerprint))).toEqual([
    [diff.changes[0]?.group],
  ]);
});

describe("routes of a removed plugin", () => {
  const index = { args: { namespace: { default: "plugin/v1" }, context: { default: "view" } } };
  const stateOf = (...names: readonly string[]) =>
    sideOf(indexOf({ "/shop/v1/carts": {}, ...Object.fromEntries(names.map((name) => [`/plugin/v1${name}`, index])) }));
  const diff = diffContracts(stateOf("", "/caches", "/limits"), stateOf());

  test("are one entry with one fingerprint", () => {
    const text = formatChangesAsText(diff, judge(diff), options);
    expect(text).toContain("  A route was removed, in 3 places.\n    Breaks old clients and TypeScript callers;");
    expect(text.match(/^ {4}- \/plugin\/v1\S*, /gm)).toHaveLength(3);
    expect(text.match(/fingerprint/g)).toHaveLength(1);
  });

  test("are one entry in the opposite edit", () => {
    expect(formatShortChanges(diffContracts(stateOf(), stateOf("", "/caches", "/limits")).changes)).toEqual([
      "A route was added, in 3 places: /plugin/v1, /plugin/v1/caches and /plugin/v1/limits. Breaks handlers; may break new clients [route-added]",
    ]);
  });

  test("are recognized if a further route is removed", () => {
    const fingerprint = diff.changes[0]?.group ?? "";
    const before = stateOf("", "/archives", "/caches", "/limits");
    const { unusedEntries } = judge(diffContracts(before, stateOf()), { fingerprint, reason: "Nobody calls it." });
    expect(unusedEntries.map(({ renewedChanges }) => renewedChanges.map(({ message }) => message))).toEqual([
      ["A route was removed."],
    ]);
  });
});

describe("equal changes whose sentences begin with the type", () => {
  const names = ["a", "b", "c"].map((name) => `/shop/v1/${name}`);
  const stateOf = (...args: readonly string[]) => {
    const definitions = Object.fromEntries(args.map((arg) => [arg, { type: "integer", minimum: 1 }]));
    return sideOf(indexOf(Object.fromEntries(names.map((name) => [name, { args: definitions }]))));
  };
  const messageOf = (diff: ContractDiff) =>
    formatChangesAsText(diff, judge(diff), options)
      .split("\n")
      .filter((line) => line.includes("3 places"));

  test("are one entry if an item was renamed", () => {
    const diff = diffContracts(stateOf("page_size"), stateOf("pageSize"));
    expect(messageOf(diff)).toEqual(["  page_size removed, pageSize added, in 3 places: renamed?"]);
    expect(formatShortChanges(diff.changes)).toEqual([
      "page_size removed, pageSize added, in 3 places (GET /shop/v1/a pageSize, GET /shop/v1/b pageSize and GET /shop/v1/c pageSize): renamed? Breaks TypeScript callers and handlers; tolerated by old clients and new clients [argument-renamed]",
    ]);
  });

  test("name the item that was added or removed", () => {
    expect(messageOf(diffContracts(stateOf(), stateOf("page")))).toEqual([
      "  An optional argument was added (page), in 3 places.",
    ]);
    expect(messageOf(diffContracts(stateOf("page"), stateOf()))).toEqual([
      "  An optional argument was removed (page), in 3 places.",
    ]);
  });
});
