import { Random } from "@bothends/dynamic/random";
import { expect, test } from "vitest";
import { type Change, diffContracts } from "../src/index.js";
import { compileErrors } from "./proof/compile.js";
import { type Sources, sideOf } from "./proof/contracts.js";
import { modulesIn } from "./proof/packages.js";

/** The number of random pairs; `DIFF_SEEDS` sets it, for longer runs. */
const seeds = Number(process.env["DIFF_SEEDS"] ?? 24);

const optional = '<element name="a" type="string" minOccurs="0"/><element name="b" type="int" minOccurs="0"/>';
/** Contents of requests. Calls without an input compile only for some of them. */
const contents = [
  `<sequence>${optional}</sequence>`,
  `<sequence>${optional}</sequence>`,
  `<sequence>${optional}<element name="c" type="string" minOccurs="0"/></sequence>`,
  '<sequence><element name="a" type="string"/></sequence>',
  "<sequence/>",
  `<sequence><sequence minOccurs="0">${optional}</sequence></sequence>`,
  `<all>${optional}</all>`,
  `<choice minOccurs="0">${optional}</choice>`,
  `<choice>${optional}</choice>`,
  '<choice><element name="a" type="string"/><element name="b" type="int"/></choice>',
  `<sequence>${optional}<element name="toString" type="string" minOccurs="0"/></sequence>`,
  `<sequence>${optional}<any minOccurs="0" namespace="##other" processContents="lax"/></sequence>`,
];

interface ServiceState {
  readonly name: string;
  readonly hasAddress: boolean;
  /** The contents of the requests, by the names of the operations. */
  readonly requests: readonly (readonly [operation: string, content: string])[];
}

interface State {
  readonly services: readonly ServiceState[];
  readonly ambient: readonly string[];
}

function randomService(random: Random, name: string, addressPercent: number): ServiceState {
  return {
    name,
    hasAddress: random.drawBoolean(addressPercent),
    requests: ["Ask", "Tell"].map((verb) => [`${verb}${name}`, random.pick(contents) ?? ""]),
  };
}

function randomState(random: Random): State {
  const names = random.drawBoolean(60) ? ["Shop", "Post"] : ["Shop"];
  return {
    services: names.map((name) => randomService(random, name, 90)),
    ambient: random.drawBoolean(30) ? ["a"] : [],
  };
}

/** Changes a state in some places. */
function edited({ services, ambient }: State, random: Random): State {
  const suffix = (name: string) => (random.drawBoolean(20) ? `${name}Desk` : name);
  const kept = random.drawBoolean(15) ? services.slice(0, 1) : services;
  const added = kept.length === 1 && random.drawBoolean(60) ? [randomService(random, "Post", 30)] : [];
  return {
    services: [...kept, ...added].map(({ name, hasAddress, requests }) => ({
      name: suffix(name),
      hasAddress: random.drawBoolean(20) ? !hasAddress : hasAddress,
      requests: requests.map(([operation, content]) => [
        operation,
        random.drawBoolean(50) ? (random.pick(contents) ?? content) : content,
      ]),
    })),
    ambient: random.drawBoolean(25) ? (random.pick([[], ["a"], ["a", "b"]]) ?? []) : ambient,
  };
}

function sourcesOf({ services, ambient }: State): Sources {
  const operations = services.flatMap(({ requests }) => requests);
  const ofService = ({ name, hasAddress, requests }: ServiceState, index: number) => `
  <portType name="P${index}">${requests.map(([operation]) => `<operation name="${operation}"><input message="t:${operation}In"/><output message="t:Done"/></operation>`).join("")}</portType>
  <binding name="B${index}" type="t:P${index}"><soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>${requests.map(([operation]) => `<operation name="${operation}"><soap:operation soapAction="urn:a/${operation}"/><input><soap:body use="literal"/></input><output><soap:body use="literal"/></output></operation>`).join("")}</binding>
  <service name="${name}"><port name="Port${index}" binding="t:B${index}">${hasAddress ? `<soap:address location="http://t.example/${index}"/>` : ""}</port></service>`;
  // The configuration may name only members that a request has.
  const known = ambient.filter((member) => operations.some(([, content]) => content.includes(`name="${member}"`)));
  const packages = Object.fromEntries(
    ["contract", "client", "server"].map((part) => [part, { path: part, name: `api-${part}` }]),
  );
  return {
    "t.wsdl": `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:t="urn:t" targetNamespace="urn:t">
  <types><schema xmlns="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:t" elementFormDefault="qualified">
    ${operations.map(([operation, content]) => `<element name="${operation}"><complexType>${content}</complexType></element>`).join("\n    ")}
    <element name="Done"><complexType><sequence/></complexType></element>
  </schema></types>
  ${operations.map(([operation]) => `<message name="${operation}In"><part name="p" element="t:${operation}"/></message>`).join("")}
  <message name="Done"><part name="p" element="t:Done"/></message>${services.map(ofService).join("")}
</definitions>`,
    "bothends.json": JSON.stringify({ packages, interfaces: { api: { wsdl: ["t.wsdl"], ambient: known } } }),
  };
}

interface Program {
  readonly text: string;
  /** Whether a change may explain that the program no longer compiles. */
  readonly isAbout: (change: Change) => boolean;
  /** Whether a change says that the program no longer compiles. */
  readonly isCertain: (change: Change) => boolean;
}

/** Programs that omit inputs and options, and that choose services by name. */
function programsOf(sources: Sources): readonly Program[] {
  const plan = sideOf(sources).plan?.interfaces[0];
  if (plan?.kind !== "soap") {
    throw new Error("The plan has no SOAP interface.");
  }
  const isInterface = ({ operations }: Change) => operations.length === 0;
  const clients = [...new Set([plan.client, ...plan.services.map(({ client }) => client)])];
  return [
    ...plan.services.flatMap(({ member, operations }) =>
      operations.map(({ method, operation: { uniqueName } }): Program => {
        const path = plan.hasFacade ? `${member}.${method}` : method;
        const reaches = ({ operations: reached }: Change) => reached.includes(uniqueName);
        return {
          text: `import type { ${plan.client} } from "./STATE/client/src/api/index.js";\nexport const use = (client: ${plan.client}) => client.${path}();\n`,
          isAbout: (change) => isInterface(change) || (reaches(change) && change.direction !== "output"),
          isCertain: (change) => reaches(change) && /^(?:input-became-required|ambient-added)$/.test(change.rule),
        };
      }),
    ),
    ...clients.map(
      (client): Program => ({
        text: `import { ${client} } from "./STATE/client/src/api/index.js";\nexport const use = () => new ${client}();\n`,
        isAbout: (change) => isInterface(change) && !/^service-renamed$/.test(change.rule),
        isCertain: ({ rule }) => rule === "client-options-became-required",
      }),
    ),
    ...plan.serviceKeys.map(
      (key): Program => ({
        text: `import { ${plan.client} } from "./STATE/client/src/api/index.js";\nexport const use = () => new ${plan.client}({ address: { ${key}: "http://t.example/x" } });\n`,
        isAbout: (change) => isInterface(change) && change.rule !== "client-options-became-required",
        isCertain: ({ rule, before }) => rule === "service-renamed" && before === key,
      }),
    ),
  ];
}

test("code that omits inputs and options, or chooses services by name, fails exactly where the diff says so", () => {
  const files = new Map<string, string>();
  const programs = Array.from({ length: seeds }, (_, index) => {
    const random = new Random((index + 1) * 7451);
    const before = randomState(random);
    const [old, current] = [sourcesOf(before), sourcesOf(edited(before, random))];
    for (const [state, sources] of [
      ["old", old],
      ["new", current],
    ] as const) {
      for (const [path, text] of modulesIn(`${index}/${state}`, sources)) {
        if (!path.includes("/server/")) {
          files.set(path, text);
        }
      }
    }
    const changes = diffContracts(sideOf(old), sideOf(current)).changes.filter(
      ({ consequences: { callers } }) => callers === "some" || callers === "breaks",
    );
    return programsOf(old).map((program, number) => {
      const paths = ["old", "new"].map((state) => `${index}/${state}-${number}.ts`);
      for (const [state, path] of [
        ["old", paths[0]],
        ["new", paths[1]],
      ] as const) {
        files.set(path ?? "", program.text.replace("STATE", state));
      }
      return { ...program, paths, changes };
    });
  }).flat();
  const errors = compileErrors(files);
  const confirmedRules = new Set<string>();
  const problems = programs.flatMap(({ text, isAbout, isCertain, paths: [oldPath = "", newPath = ""], changes }) => {
    if (errors.has(oldPath)) {
      return [];
    }
    const error = errors.get(newPath);
    const certain = changes.filter(isCertain);
    if (error !== undefined) {
      for (const { rule } of certain) {
        confirmedRules.add(rule);
      }
    }
    const agrees = error === undefined ? certain.length === 0 : changes.some(isAbout);
    const claims = changes.map(({ message }) => message).join(" ");
    return agrees ? [] : [`${newPath} ${text.split("\n")[1]} ${error ?? "compiles"}: ${claims}`];
  });
  expect(problems).toEqual([]);
  expect([...confirmedRules].sort()).toEqual([
    "ambient-added",
    "client-options-became-required",
    "input-became-required",
    "service-renamed",
  ]);
}, 300_000);
