import { expect, test } from "vitest";
import { type Change, diffContracts, levels } from "../src/index.js";
import { serviceOf } from "./pairs/service.js";
import { compileErrors } from "./proof/compile.js";
import { type Sources, sideOf } from "./proof/contracts.js";
import { modulesIn } from "./proof/packages.js";

const user = (attributes = "", type = "string") => `<element name="user" type="${type}" ${attributes}/>`;
const listed = (...values: readonly string[]) =>
  `<element name="user"><simpleType><restriction base="string">${values.map((value) => `<enumeration value="${value}"/>`).join("")}</restriction></simpleType></element>`;
const optional = 'minOccurs="0"';

/** A service whose operation `Ask` has the argument `user`, and whose operation `Tell` has the given argument. */
function versionOf(argument: string, ambient: readonly string[]): Sources {
  const query = '<element name="q" type="string"/>';
  const operations = [
    { name: "Ask", members: query + user() },
    { name: "Tell", members: query + argument },
  ];
  const packages = ["contract", "client", "server"].map((path) => [path, { path, name: `api-${path}` }]);
  const interfaces = { api: { wsdl: ["s.wsdl"], ambient } };
  return {
    ...serviceOf({ operations }),
    "bothends.json": JSON.stringify({ packages: Object.fromEntries(packages), interfaces }),
  };
}

/** Calls of `Tell`: with the option of the client, with the argument, with both, and with neither. */
const calls = [
  'new SClient({ user: "u" }).tell({ q: "why" })',
  'new SClient({}).tell({ q: "why", user: "u" })',
  'new SClient({ user: "u" }).tell({ q: "why", user: "u" })',
  'new SClient({}).tell({ q: "why" })',
];
const programs = calls.map(
  (call) => `import { SClient } from "./client/src/api/index.js";\nexport const use = () => ${call};\n`,
);

/** Returns how many of the programs that the old packages compile fail with the new ones. */
function observeCallers(before: Sources, after: Sources): "none" | "some" | "breaks" {
  const files = [...modulesIn("old", before), ...modulesIn("new", after)];
  const programFiles = ["old", "new"].flatMap((version) =>
    programs.map((program, index) => [`${version}/use${index}.ts`, program] as const),
  );
  const errors = compileErrors(new Map([...files, ...programFiles]));
  const usable = [...programs.keys()].filter((index) => !errors.has(`old/use${index}.ts`));
  const failing = usable.filter((index) => errors.has(`new/use${index}.ts`));
  expect(usable.length).toBeGreaterThan(0);
  return failing.length === 0 ? "none" : failing.length === usable.length ? "breaks" : "some";
}

const always = ["user"];
const cases = [
  { title: "a required argument was added", old: versionOf("", always), new: versionOf(user(), always) },
  { title: "an argument became required", old: versionOf(user(optional), always), new: versionOf(user(), always) },
  { title: "a required argument was removed", old: versionOf(user(), always), new: versionOf("", always) },
  { title: "an optional argument was removed", old: versionOf(user(optional), always), new: versionOf("", always) },
  { title: "an optional argument was added", old: versionOf("", always), new: versionOf(user(optional), always) },
  { title: "the type of an argument changed", old: versionOf(user(), always), new: versionOf(user("", "int"), always) },
  {
    title: "the type of an argument became a list",
    old: versionOf(user(), always),
    new: versionOf(user('maxOccurs="unbounded"'), always),
  },
  {
    title: "the values of an argument were listed",
    old: versionOf(user(), always),
    new: versionOf(listed("a", "b"), always),
  },
  {
    title: "the type of an argument that is no option changed",
    old: versionOf(user(), []),
    new: versionOf(user("", "int"), []),
  },
  { title: "an argument was added that is an option only now", old: versionOf("", []), new: versionOf(user(), always) },
  { title: "an argument was added that is no option", old: versionOf("", []), new: versionOf(user(), []) },
];

test.each(cases)("callers with an option of the client are those that compile: $title", ({ old, new: current }) => {
  const { changes } = diffContracts(sideOf(old), sideOf(current));
  const worst = Math.max(...changes.map(({ consequences }) => levels.indexOf(consequences.callers)));
  const observed = observeCallers(old, current);
  expect(levels[worst]).toBe(observed);
  const isNamed = ({ message }: Change) => message.includes("the option `user`");
  expect(changes.some(isNamed)).toBe(observed === "some");
});
