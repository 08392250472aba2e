import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./sources.js";

/** The Markdown pages of the repository, except for expected outputs of tests. */
const pages = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], {
  cwd: root,
  encoding: "utf8",
})
  .trim()
  .split("\n")
  .filter((path) => !path.includes("/expected/") && existsSync(join(root, path)))
  .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));

/** Returns the fragment that GitHub derives from a heading. */
function fragmentOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");
}

function hasHeading(text: string, fragment: string): boolean {
  return [...text.matchAll(/^#+ (.*)$/gm)].some(([, heading = ""]) => fragmentOf(heading) === fragment);
}

function isBroken(link: string, page: { readonly path: string; readonly text: string }): boolean {
  const [path = "", fragment] = link.split("#");
  const target = path === "" ? page.path : join(dirname(page.path), path);
  if (!existsSync(join(root, target))) {
    return true;
  }
  return fragment !== undefined && !hasHeading(readFileSync(join(root, target), "utf8"), fragment);
}

test("links between pages lead to files and headings that exist", () => {
  const broken = pages.flatMap((page) =>
    [...page.text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = ""]) => link)
      .filter((link) => !/^https?:/.test(link) && isBroken(link, page))
      .map((link) => `${page.path}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test("the commands on the pages are scripts of the root package, or of the page's own", () => {
  const builtIn = ["install", "exec", "add", "dlx"];
  const unknown = pages.flatMap(({ path, text }) => {
    const known = new Set([
      ...scriptsOf("package.json"),
      ...scriptsOf(join(dirname(path), "package.json")),
      ...builtIn,
    ]);
    return [...text.matchAll(/pnpm(?:@12)? ([a-z][a-z:-]*)/g)]
      .map(([, command = ""]) => command)
      .filter((command) => !known.has(command))
      .map((command) => `${path}: ${command}`);
  });
  expect(unknown).toEqual([]);
});

function scriptsOf(path: string): readonly string[] {
  const file = join(root, path);
  return existsSync(file) ? Object.keys(JSON.parse(readFileSync(file, "utf8")).scripts ?? {}) : [];
}

/**
 * A row of the table "Where does it go?": its task, and the files and folders that it names, relative to the
 * repository.
 */
interface Place {
  readonly task: string;
  readonly found: readonly string[];
  /** The names for which there is no file, folder or list, as written on the page. */
  readonly missing: readonly string[];
}

const places = placesOf(readFileSync(join(root, "ARCHITECTURE.md"), "utf8"));

/**
 * Reads the rows of the table "Where does it go?". A row includes the list below the table to which its last cell
 * links.
 */
function placesOf(page: string): readonly Place[] {
  const section = page.split("\n## Where does it go?\n")[1]?.split("\n## ")[0] ?? "";
  const [table = "", ...lists] = section.split("\n### ");
  return [...table.matchAll(/^\| (?!to add )([^|]+) \| ([^|]+) \| ([^|]*)\|$/gm)].map(
    ([, task = "", first = "", also = ""]) => {
      const [, fragment] = /^\[list\]\(#(.*)\)/.exec(also) ?? [];
      const list = lists.find((text) => fragmentOf(text.split("\n")[0] ?? "") === fragment) ?? "";
      const names = [...`${first} ${also} ${list}`.matchAll(/`([\w.-]+(?:\/[\w.-]+)+\/?|[\w.-]+\.ts)`/g)];
      const folder = dirname(names[0]?.[1] ?? "");
      const resolved = names.map(([, name = ""]) => ({ name, path: pathOf(name.replace(/\/$/, ""), folder) }));
      return {
        task,
        found: resolved.flatMap(({ path }) => path ?? []),
        missing: [
          ...resolved.filter(({ path }) => path === undefined).map(({ name }) => name),
          ...(fragment !== undefined && list === "" ? [`#${fragment}`] : []),
        ],
      };
    },
  );
}

/**
 * Returns the path that a name on the page means. Paths are relative to `packages/`, paths of templates to the
 * repository, and names of files to the folder of the row's first file.
 */
function pathOf(name: string, folder: string): string | undefined {
  return [join("packages", name), name, join("packages", folder, name)].find((path) => existsSync(join(root, path)));
}

test('the table "Where does it go?" names folders and files that exist', () => {
  expect(places.length).toBeGreaterThan(20);
  expect(places.filter(({ found, missing }) => found.length === 0 || missing.length > 0)).toEqual([]);
});

test("every source file that ARCHITECTURE.md and the decisions name exists", () => {
  const sources = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.ts"], {
    cwd: root,
    encoding: "utf8",
  })
    .trim()
    .split("\n")
    .filter((path) => existsSync(join(root, path)))
    .map((path) => `/${path}`);
  const missing = pages
    .filter(({ path }) => ["ARCHITECTURE.md", "docs/decisions.md"].includes(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/`((?:[\w.-]+\/)*[\w.-]+\.ts)`/g)]
        .map(([, name = ""]) => name)
        .filter((name) => !sources.some((source) => source.endsWith(`/${name}`)))
        .map((name) => `${path}: ${name}`),
    );
  expect(missing).toEqual([]);
});

/** An existing thing of a kind that the table names, by which all its files can be found. */
interface Example {
  readonly task: string;
  /** Each of them matches the text of at least one file. */
  readonly patterns: readonly RegExp[];
  /**
   * Files that mention the example, but do not change if another thing of its kind is added. The values are the
   * reasons.
   */
  readonly others: Readonly<Record<string, string>>;
}

const jsonKeyword = "a keyword of JSON schemas with the same name";
const mixedContent = "XSD's mixed content, from which lowering makes the field";
const examples: readonly Example[] = [
  {
    task: "a facet",
    patterns: [/\btotalDigits\b/],
    others: { "packages/datatypes/src/types/numbers.ts": "a comment on counting digits" },
  },
  {
    task: "a WSDL extension element",
    patterns: [/\bmimeXml\b/, /\bMimeXml\b/],
    others: { "packages/generator/src/source/catalogue/wsdl.ts": "a fix that recommends the element" },
  },
  { task: "a built-in type", patterns: [/\bgYearMonth\b/, /\bunsignedShort\b/], others: {} },
  {
    task: "a kind of field, type or content",
    patterns: [/\bkind: (?:"[a-z]+" \| )*"mixed"/, /case "mixed"/, /<"mixed">/, /^ {2}"mixed",/m, /\bkinds\/mixed\b/],
    others: {
      "packages/generator/src/components/xsd/schema-components.ts": mixedContent,
      "packages/generator/src/components/xsd/complete/complex-types.ts": mixedContent,
    },
  },
  {
    task: "a protocol",
    patterns: [/\bhttpGet\b/, /\bhttp-get\b/, /\bhttpNamespace\b/, /\/wsdl\/http\//],
    others: {},
  },
  { task: "a server adapter", patterns: [/\bfastify\b/, /\blambda\b/], others: {} },
  {
    task: "a transport",
    patterns: [/ntlm/i],
    others: {
      "packages/runtime/src/client/transports/ntlm-messages.ts": "the messages of NTLM",
      "packages/runtime/src/client/errors/hints.ts": "a hint names the transport",
      "packages/runtime/src/http/headers.ts": "recognizes passwords that browsers store",
      "packages/bothends/src/fetch/network.ts": "refuses sources that need NTLM",
    },
  },
  {
    task: "a CLI command or option",
    patterns: [/\bbothends explain\b/, /"explain"/, /\brunExplain\b/, /\bInitOptions\b/, /\brunInit\b/],
    others: {},
  },
  { task: "a page for people", patterns: [/\brender(?:Service|Route)Page\b/, /\bcallScript\b/], others: {} },
  { task: "a member of call events", patterns: [/\bfaultCode\b/], others: {} },
  {
    task: "a limit of sources or of generated files",
    patterns: [/\bunionMembers\b/],
    others: { "packages/generator/src/components/xsd/complete/simple-types.ts": "the step that checks this limit" },
  },
  { task: "a content encoding, such as gzip", patterns: [/"br"/, /[bB]rotli/], others: {} },
  { task: "a format of reports, such as JSON", patterns: [/"github"/, /"markdown"/], others: {} },
  {
    task: "a keyword of JSON schemas",
    patterns: [/\bminItems\b/],
    others: { "packages/bothends/bothends.schema.json": "a schema with this keyword" },
  },
  {
    task: "a class of errors that clients throw",
    patterns: [/\bHttpStatusError\b/],
    others: {
      "packages/runtime/src/client/errors/error-messages.ts": "adds the reason to errors of this class",
      "packages/runtime/src/client/errors/proxy-hints.ts": "a hint for errors of this class",
    },
  },
  {
    task: "an option of clients",
    patterns: [/\bsafeOperations\b/],
    others: { "packages/generator/src/emit/members.ts": "its type in generated code lists the operations" },
  },
  {
    task: "a part of a SOAP fault",
    patterns: [/\bsubcodes\b/],
    others: {
      "packages/runtime/src/protocol/soap/addressing.ts": "a fault with this part",
      "packages/runtime/src/client/errors/described-error.ts": "hints for faults with this part",
      "packages/runtime/src/client/errors/hints.ts": "hints for faults with this part",
      "packages/runtime/src/client/errors/error-messages.ts": "recognizes faults, whose reason is a text of the server",
      "packages/runtime/src/client/exchange/observed-call.ts": "recognizes faults",
    },
  },
  {
    task: "a setting of `bothends.json`",
    patterns: [/\bsoap12Action\b/],
    others: { "packages/generator/src/lower/wsdl/soap-operation.ts": "the stage that follows this setting" },
  },
  {
    task: "a member of the context of handlers",
    patterns: [/\b(?:get|readonly) principal\b/, /\bauthentication\?\.principal\b/, /\brecord\.principal\b/],
    others: {
      "packages/runtime/src/server/refuse-request.ts": "explains why a caller was refused",
      "packages/runtime/src/server/rest/answer.ts": "does not let caches keep answers to a principal",
    },
  },
  {
    task: "another JavaScript type for a built-in type, for `typeMap`",
    patterns: [/\bdateTimeAsDate\b/, /\bcreateDateType\b/, /code`Date`/],
    others: {},
  },
  {
    task: "a SOAP header block, or a rule for them",
    patterns: [/\b(?:mustUnderstand|createMustUnderstand)\b/],
    others: {
      "packages/runtime/src/ws/username-token.ts": "a block with this attribute",
      "packages/generator/src/read/xsd/well-known/xml-and-soap.ts": "the built-in schema of SOAP",
    },
  },
  { task: "a WordPress quirk", patterns: [/\bjsonp\b/, /_jsonp\b/], others: {} },
  {
    task: "a facet",
    patterns: [/\bminLength\b/],
    others: {
      "packages/bothends/bothends.schema.json": jsonKeyword,
      "packages/diff/src/compare/rest/routes/route-patterns.ts": jsonKeyword,
      "packages/diff/src/compare/rest/sample-values.ts": jsonKeyword,
      "packages/diff/src/compare/rest/schema-texts.ts": jsonKeyword,
      "packages/diff/src/compare/rest/schemas/bounds.ts": jsonKeyword,
      "packages/diff/src/compare/similar-names.ts": "a variable with the same name",
      "packages/dynamic/src/random/random-json.ts": jsonKeyword,
      "packages/generator/src/read/rest/read-answer-schema.ts": jsonKeyword,
      "packages/generator/src/read/xsd/well-known/xml-and-soap.ts": "built-in schemas with this facet",
      "packages/runtime/src/pages/route-page.ts": jsonKeyword,
      "packages/runtime/src/rest/argument-limits.ts": jsonKeyword,
      "packages/runtime/src/rest/argument-schema.ts": jsonKeyword,
    },
  },
  { task: "a facet", patterns: [/\bminInclusive\b/], others: {} },
  { task: "a WSDL extension element", patterns: [/\bmimeContent\b/, /\bMimeContent\b/], others: {} },
  { task: "a WSDL extension element", patterns: [/\bheaderFaults?\b/, /"headerfault"/], others: {} },
  {
    task: "a built-in type",
    patterns: [/\bhexBinary\b/],
    others: {
      "packages/generator/src/lower/wsdl/widened-answers.ts": "asks whether a type has bytes",
      "packages/generator/src/read/xsd/well-known/xml-and-soap.ts": "built-in schemas with this type",
    },
  },
  { task: "a built-in type", patterns: [/\bgMonthDay\b/], others: {} },
  {
    task: "a kind of field, type or content",
    patterns: [/\banyAttribute\b/],
    others: {
      "packages/generator/src/read/xsd/well-known/web-services.ts": "built-in schemas with this field",
      "packages/generator/src/read/xsd/well-known/xml-and-soap.ts": "built-in schemas with this field",
      "packages/generator/src/read/xsd/well-known/xml-security.ts": "built-in schemas with this field",
    },
  },
  { task: "a protocol", patterns: [/\bhttpPost\b/, /\bhttp-post\b/], others: {} },
  {
    task: "a server adapter",
    patterns: [/\bweb-fetch\b/],
    others: { "packages/runtime/src/client/transports/web-fetch.ts": "a transport with the same name" },
  },
  {
    task: "a server adapter",
    patterns: [/"express"/, /adapters\/express/, /\bmain\.express\b/],
    others: { "templates/server/main.express.ts.hbs": "the template for this adapter" },
  },
  { task: "a CLI command or option", patterns: [/"scaffold"/, /\brunScaffold\b/], others: {} },
  { task: "a member of call events", patterns: [/\brequestBytes\b/], others: {} },
  {
    task: "a member of call events",
    patterns: [/\bdisconnectedAfter\b/],
    others: {
      "packages/runtime/src/observe/incidents.ts": "an incident about a late answer has the same duration",
      "packages/runtime/src/server/calls/call-handler.ts": "an incident about a late answer has the same duration",
    },
  },
  { task: "a content encoding, such as gzip", patterns: [/"(?:x-)?gzip"/], others: {} },
  {
    task: "a keyword of JSON schemas",
    patterns: [/\buniqueItems\b/],
    others: { "packages/bothends/bothends.schema.json": "a schema with this keyword" },
  },
  { task: "a keyword of JSON schemas", patterns: [/\bmultipleOf\b/], others: {} },
  {
    task: "a class of errors that clients throw",
    patterns: [/\bTransportError\b/],
    others: {
      "packages/runtime/src/client/transport.ts": "the errors of transports",
      "packages/runtime/src/client/exchange/hooks-and-retries.ts":
        "the calls that are repeated after errors of this class",
      "packages/runtime/src/client/errors/hints.ts": "hints for errors of this class",
      "packages/runtime/src/client/exchange/exchange.ts": "throws errors of this class",
    },
  },
  { task: "an option of clients", patterns: [/\bmaxSockets\b/], others: {} },
  {
    task: "a part of a SOAP fault",
    patterns: [/\bwireCode\b/],
    others: {
      "packages/runtime/src/client/exchange/observed-call.ts": "the codes of faults in incidents",
      "packages/runtime/src/client/errors/described-error.ts": "hints for faults with this part",
      "packages/runtime/src/client/errors/hints.ts": "hints for faults with this part",
      "packages/runtime/src/protocol/soap/addressing.ts": "a fault with this part",
      "packages/runtime/src/ws/verify-username-token.ts": "a fault with this part",
    },
  },
  {
    task: "a member of the context of handlers",
    patterns: [/\b(?:get|readonly) ambient\b/, /\bgetAmbient\b/],
    others: {
      "packages/generator/src/model/config.ts": "the setting that names the values",
      "packages/generator/src/model/soap.ts": "the setting that names the values",
      "packages/runtime/src/client/soap/interface-settings.ts": "clients add the values to inputs",
      "packages/runtime/src/descriptor/operation.ts": "the setting that names the values",
    },
  },
  {
    task: "a limit of sources or of generated files",
    patterns: [/\benumValues\b/],
    others: {
      "packages/dynamic/src/random/random-json.ts": "a variable with the same name",
      "packages/generator/src/components/xsd/complete/simple-types.ts": "the step that checks this limit",
      "packages/generator/src/lower/rest/json-types.ts": "the step that checks this limit",
    },
  },
  { task: "a WordPress quirk", patterns: [/\brest_route\b/, /\breadPlainTarget\b/], others: {} },
  { task: "a WordPress quirk", patterns: [/\b_fields\b/], others: {} },
  {
    task: "a WordPress quirk",
    patterns: [/method === "HEAD"/],
    others: {
      "packages/runtime/src/client/exchange/exchange.ts": "HTTP's rule for bodies of answers",
      "packages/runtime/src/server/adapters/web-fetch.ts": "HTTP's rule for bodies of answers",
      "packages/runtime/src/server/adapters/node/write-answer.ts": "HTTP's rule for bodies of answers",
      "packages/runtime/src/server/unmatched-requests.ts": "HTTP's rule for bodies of answers",
    },
  },
];

/** The hand-written files of the product. */
const productFiles = execFileSync(
  "git",
  [
    "ls-files",
    "--cached",
    "--others",
    "--exclude-standard",
    ":(glob)packages/*/src/**",
    ":(glob)packages/*/*.json",
    "templates",
  ],
  { cwd: root, encoding: "utf8" },
)
  .trim()
  .split("\n")
  .filter((path) => !/^packages\/(?:contract|client|server|bench|e2e)\//.test(path) && existsSync(join(root, path)))
  .map((path) => ({ path, text: `${path}\n${readFileSync(join(root, path), "utf8")}` }));

/** The examples with names for their tests. */
const namedExamples = examples.map((example) => ({
  ...example,
  name: example.patterns.map(({ source }) => source.replaceAll("\\b", "")).join(" or "),
}));

test.each(namedExamples)("the row for $task names every file with $name", ({ task, patterns, others }) => {
  const { found } = places.find((place) => place.task === task) ?? { found: [] };
  const files = productFiles
    .filter(({ text }) => patterns.some((pattern) => pattern.test(text)))
    .map(({ path }) => path);
  const deadPatterns = patterns.filter((pattern) => !productFiles.some(({ text }) => pattern.test(text)));
  const isNamed = (file: string) => found.some((path) => file === path || file.startsWith(`${path}/`));

  expect(deadPatterns).toEqual([]);
  expect(files.length).toBeGreaterThan(3);
  expect(files.filter((file) => !isNamed(file) && !Object.hasOwn(others, file))).toEqual([]);
  expect(Object.keys(others).filter((file) => isNamed(file) || !files.includes(file))).toEqual([]);
});
