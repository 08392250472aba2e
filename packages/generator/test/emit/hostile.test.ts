import fc from "fast-check";
import { SyntaxKind } from "ts-morph";
import { expect, test } from "vitest";
import { describe } from "../../src/describe/describe.js";
import { emitFiles } from "../../src/emit/emit.js";
import type { Interface, TypeDefinition } from "../../src/model/index.js";
import { planFiles } from "../../src/plan/index.js";
import type { TypeScriptFile } from "../../src/print/index.js";
import { Diagnostics } from "../../src/source/diagnostics.js";
import { hostileText } from "../print/hostile-text.js";
import { nodeKinds, planned, statements, syntaxErrors } from "../print/parse.js";
import {
  arg,
  builtin,
  configOf,
  contractOf,
  element,
  endpoint,
  enumeration,
  named,
  ns,
  recordType,
  restInterface,
  service,
  soapInterface,
  wrapped,
} from "./fixtures.js";
import { complaints } from "./type-check.js";

function files(...interfaces: readonly Interface[]): readonly TypeScriptFile[] {
  const contract = contractOf(...interfaces);
  const plan = planFiles(contract, configOf(), new Diagnostics());
  return emitFiles({ plan, descriptors: describe(contract), publishedWsdls: new Map() });
}

const hostileContract = fc
  .record({
    names: fc.uniqueArray(hostileText, { minLength: 3, maxLength: 5 }),
    text: hostileText,
    values: fc.uniqueArray(hostileText, { minLength: 1, maxLength: 4 }),
  })
  .map(({ names: [type = "", member = "", operation = "", ...others], text, values }): readonly Interface[] => {
    const types: TypeDefinition[] = [
      { ...enumeration(`E${type}`, values), documentation: text },
      recordType(type, [
        { ...element(member, named(`{${ns}}E${type}`), { default: text }), documentation: text },
        element(`x${member}`, builtin("string"), { wireName: { namespace: text, local: operation } }),
      ]),
    ];
    const ask = wrapped(operation, {
      input: [element(member, named(`{${ns}}${type}`))],
      result: element("Result", named(`{${ns}}${type}`), { min: 0 }),
      types,
    });
    const bound = {
      ...ask,
      documentation: text,
      bindings: { soap11: { action: text, sendAction: false, addressing: undefined } },
    };
    const soap = soapInterface([service(text, [bound], { namespace: text, documentation: text })], types, {
      ambient: [member],
      tolerate: [],
      slots: { namespaces: [{ slot: text, namespace: ns }], operations: [operation] },
    });
    const rest = restInterface(
      [
        endpoint("core.things.list", {
          documentation: text,
          route: text,
          path: [text, { variable: member, pattern: text }],
          args: [
            arg(member, { documentation: text, default: text, type: { kind: "enumeration", values } }),
            ...others.map((name) => arg(name)),
          ],
        }),
      ],
      { document: { [text]: { [member]: values } }, segments: values },
    );
    return [soap, rest];
  });

const calls: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.CallExpression,
  SyntaxKind.NewExpression,
  SyntaxKind.TemplateExpression,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TaggedTemplateExpression,
  SyntaxKind.ImportType,
]);

test("for any schema, a file has the planned statements and nothing runs in the contract", () => {
  fc.assert(
    fc.property(hostileContract, (interfaces) => {
      for (const file of files(...interfaces)) {
        const text = file.print();
        expect(statements(text).filter((each) => each !== "export")).toEqual(planned(file.declarations));
        if (!file.path.startsWith("packages/contract")) {
          continue;
        }
        expect([...nodeKinds(text)].filter((kind) => calls.has(kind))).toEqual([]);
      }
    }),
    { numRuns: 60 },
  );
}, 60_000);

test("for any schema, the generated code compiles", () => {
  const samples = fc.sample(hostileContract, { numRuns: 12, seed: 7 });
  for (const file of samples.flatMap((each) => files(...each))) {
    expect(syntaxErrors(file.print())).toEqual([]);
  }
  const trees = samples.map((each, index) => {
    const [soap, rest] = each;
    return [
      ...(soap?.kind === "soap" ? [{ ...soap, name: `s${index}` }] : []),
      ...(rest?.kind === "rest" ? [{ ...rest, name: `r${index}` }] : []),
    ];
  });
  const tree = new Map(files(...trees.flat()).map((file) => [file.path, file.print()] as const));
  expect(complaints(tree)).toEqual([]);
}, 60_000);

test("documentation cannot silence the compiler", () => {
  const pragmas = "@ts-ignore\n@ts-nocheck\n@ts-expect-error\n@jsx h\n#__PURE__";
  const type = { ...recordType("A", [element("a", builtin("string"))]), documentation: pragmas };
  const [types] = files(soapInterface([service("reg", [], { documentation: pragmas })], [type]));
  const text = types?.print().replace("a: string;", "a: Missing;") ?? "";
  expect(complaints(new Map([["a.ts", text]])).join("\n")).toContain("TS2304");
});

test("equal contracts give equal bytes", () => {
  const print = (): readonly string[] =>
    fc.sample(hostileContract, { numRuns: 5, seed: 1 }).flatMap((each) => files(...each).map((file) => file.print()));
  expect(print()).toEqual(print());
});
