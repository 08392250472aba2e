import { expect, test } from "vitest";
import { diffContracts, levels } from "../src/index.js";
import { withAnswerHeader, withFault, withTrouble } from "./pairs/header-faults.js";
import { serviceOf } from "./pairs/service.js";
import { compileErrors } from "./proof/compile.js";
import { type Sources, sideOf } from "./proof/contracts.js";
import { modulesIn } from "./proof/packages.js";
import { withoutVanishedNames } from "./proof/vanished-names.js";

/** Code that uses a header, in a caller and in a handler. */
const uses = {
  Session: {
    callers: 'export const use = (api: SClient) => api.ask({ q: "" }, { soapHeaders: { Session: "s" } });',
    handlers:
      'export const use: SHandlers = { ask: (_, { soapHeaders }) => { const value: string | undefined = soapHeaders.Session; return value ?? ""; } };',
  },
  Trouble: {
    callers:
      'export const use = (api: SClient) => api.ask({ q: "" }, { onAnswer: ({ soapHeaders }) => { const value: number | undefined = soapHeaders.Trouble; return value; } });',
    handlers:
      'export const use: SHandlers = { ask: (_, context) => { context.sendSoapHeaders({ Trouble: 5 }); return ""; } };',
  },
};

const imports =
  'import type { SClient } from "./client/src/api/index.js";\nimport type { SHandlers } from "./server/src/api/index.js";\n';
const without = (sources: Sources, text: string): Sources => ({
  "s.wsdl": (sources["s.wsdl"] ?? "").replace(text, ""),
});
const sessionHeader = '<soap:header message="t:SessionHeader" part="s" use="literal"/>';
const troubleHeader = '<soap:header message="t:TroubleHeader" part="h" use="literal"/>';

interface Case {
  readonly title: string;
  readonly header: keyof typeof uses;
  readonly old: Sources;
  readonly new: Sources;
  /** What happens to callers and handlers: "fails" to compile, or "compiles". */
  readonly want: string;
}

const answered = withAnswerHeader(withTrouble([]));
const bothInRequests = withTrouble([[sessionHeader, `${sessionHeader}${troubleHeader}`]]);
const bothInAnswers = withTrouble([["<output><soap:body", `<output>${troubleHeader}${sessionHeader}<soap:body`]]);
const cases: readonly Case[] = [
  {
    title: "the only header of requests",
    header: "Session",
    old: serviceOf({ operations: [{ name: "Ask", header: true }] }),
    new: serviceOf(),
    want: "callers compile, handlers fail",
  },
  {
    title: "one of the headers of requests",
    header: "Session",
    old: bothInRequests,
    new: without(bothInRequests, sessionHeader),
    want: "callers fail, handlers fail",
  },
  {
    title: "the only header of answers",
    header: "Trouble",
    old: answered,
    new: without(answered, troubleHeader),
    want: "callers fail, handlers compile",
  },
  {
    title: "one of the headers of answers",
    header: "Trouble",
    old: bothInAnswers,
    new: without(bothInAnswers, troubleHeader),
    want: "callers fail, handlers fail",
  },
  {
    title: "the only header of faults",
    header: "Trouble",
    old: withFault(),
    new: withTrouble([]),
    want: "callers fail, handlers compile",
  },
];

test.each(cases)("code that uses a header that was removed: $title", ({ header, want, ...versions }) => {
  const files = new Map<string, string>();
  for (const version of ["old", "new"] as const) {
    for (const [path, text] of modulesIn(version, versions[version])) {
      files.set(path, text);
    }
    for (const party of ["callers", "handlers"] as const) {
      files.set(`${version}/${party}.ts`, `${imports}${uses[header][party]}`);
    }
  }
  const errors = compileErrors(files);
  expect([...errors].filter(([path]) => path.startsWith("old/"))).toEqual([]);
  const observed = (["callers", "handlers"] as const).map(
    (party) => `${party} ${errors.has(`new/${party}.ts`) ? "fail" : "compile"}`,
  );
  expect(observed.join(", ")).toBe(want);
  const changes = withoutVanishedNames(diffContracts(sideOf(versions.old), sideOf(versions.new)).changes);
  const claims = (["callers", "handlers"] as const).map((party) => {
    const worst = Math.max(...changes.map(({ consequences }) => levels.indexOf(consequences[party])));
    return `${party} ${levels[worst] === "breaks" ? "fail" : "compile"}`;
  });
  expect(claims.join(", ")).toBe(want);
});
