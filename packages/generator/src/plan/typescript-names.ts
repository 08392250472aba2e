import type { ConfiguredName } from "../model/index.js";
import type { Diagnostics } from "../source/diagnostics.js";
import { hyphenate, listNameWords, withAsciiLetters } from "../source/xml-names.js";
import { capitalize } from "../text.js";

// TypeScript names: which names are available, which names bothends.json configures, and how names of schemas and
// namespaces are converted.

/** A scope in which names must be unique, such as a module or a folder. It remembers the names in use. */
export class Scope {
  readonly #takenNames: Set<string>;

  constructor(reservedNames: Iterable<string> = []) {
    this.#takenNames = new Set(reservedNames);
  }

  isTaken(name: string): boolean {
    return this.#takenNames.has(name);
  }

  /**
   * Takes the first candidate that is available. If none is, adds a number to the last candidate: the first available
   * one, counting from 2.
   */
  takeName(...candidates: readonly [string, ...string[]]): string {
    return this.takeWithDerived(candidates, (name) => [name]);
  }

  /** Takes a name together with the names derived from it, all of which must be available. */
  takeWithDerived(
    candidates: readonly [string, ...string[]],
    derivedNames: (name: string) => readonly string[],
  ): string {
    const isFree = (name: string): boolean => derivedNames(name).every((candidate) => !this.#takenNames.has(candidate));
    const lastCandidate = candidates.at(-1) ?? candidates[0];
    let chosenName = candidates.find(isFree);
    for (let number = this.#nextNumber(lastCandidate); chosenName === undefined; number += 1) {
      if (!isFree(`${lastCandidate}${number}`)) {
        continue;
      }
      chosenName = `${lastCandidate}${number}`;
      this.#nextNumbers.set(lastCandidate, number + 1);
    }
    for (const takenName of derivedNames(chosenName)) {
      this.#takenNames.add(takenName);
    }
    return chosenName;
  }

  readonly #nextNumbers = new Map<string, number>();

  /**
   * Returns the first number that may be available. Counting from 2 each time would take quadratic time for many equal
   * names.
   */
  #nextNumber(name: string): number {
    return this.#nextNumbers.get(name) ?? 2;
  }
}

/** The names that `bothends.json` gives to types and operations. Names for unknown types or operations are reported. */
export class ConfiguredNames {
  readonly #names: ReadonlyMap<string, ConfiguredName>;
  readonly #diagnostics: Diagnostics;
  readonly #usedNames = new Set<string>();

  constructor(names: ReadonlyMap<string, ConfiguredName>, diagnostics: Diagnostics) {
    this.#names = names;
    this.#diagnostics = diagnostics;
  }

  /**
   * Returns the configured name for a type or operation; undefined if there is none. Reports a name that cannot be
   * used.
   */
  find(wireName: string, scope: Scope): string | undefined {
    const entry = this.#names.get(wireName);
    if (entry === undefined) {
      return undefined;
    }
    this.#usedNames.add(wireName);
    const problem = findProblem(entry.name, scope);
    if (problem === undefined) {
      return entry.name;
    }
    this.#diagnostics.error("NAM003", entry.span, {
      message: `The name ${JSON.stringify(entry.name)} for ${JSON.stringify(wireName)} ${problem}.`,
    });
    return undefined;
  }

  reportUnused(): void {
    for (const [wireName, entry] of this.#names) {
      if (this.#usedNames.has(wireName)) {
        continue;
      }
      this.#diagnostics.warning("NAM004", entry.keySpan, {
        message: `The schema has no type or operation ${JSON.stringify(wireName)}.`,
        help: "Write a type as {namespace}local, and an operation by its name.",
      });
    }
  }
}

function findProblem(name: string, scope: Scope): string | undefined {
  if (!/^[A-Za-z][A-Za-z0-9]*$/.test(name)) {
    return "must consist of letters and digits and begin with a letter";
  }
  return scope.isTaken(name) ? "is reserved or already used" : undefined;
}

/** The names of the class, the handlers and the routes of an interface or a service. */
export interface EntryNames {
  readonly client: string;
  readonly handlers: string;
  readonly routes: string;
}

/** Names that occur once in each interface, even if it has several services. */
export interface SharedNames {
  /** The first word in the names of the interface's constants: `vehicle` in `vehicleSettings`. */
  readonly word: string;
  readonly clientOptions: string;
  readonly serverOptions: string;
}

/** Creates the names of the exports for a service or an interface from the stem of its name. */
export function createEntryNames(stem: string): EntryNames {
  return { client: `${stem}Client`, handlers: `${stem}Handlers`, routes: `${toCamelCase(stem)}Routes` };
}

/**
 * Chooses the names of a facade over several services. If a service has the name of the interface, the facade gets
 * another name.
 */
export function createFacadeNames(interfaceName: string, scope: Scope): EntryNames {
  const stem = toPascalCase(interfaceName);
  return createEntryNames(
    scope.takeWithDerived([stem, `${stem}Services`, `${stem}Interface`], (candidate) =>
      Object.values(createEntryNames(candidate)),
    ),
  );
}

/**
 * Takes names for an interface's options, and for a constant with each of the suffixes: `Settings` for
 * `vehicleSettings`.
 */
export function takeSharedNames(interfaceName: string, scope: Scope, suffixes: readonly string[]): SharedNames {
  const stem = toPascalCase(interfaceName);
  const chosenName = scope.takeWithDerived([stem, `${stem}Interface`], (candidate) => {
    const { word, ...names } = createSharedNames(candidate);
    return [...Object.values(names), ...suffixes.map((suffix) => `${word}${suffix}`)];
  });
  return createSharedNames(chosenName);
}

function createSharedNames(stem: string): SharedNames {
  return { word: toCamelCase(stem), clientOptions: `${stem}ClientOptions`, serverOptions: `${stem}ServerOptions` };
}

function withValidStart(name: string): string {
  return /^\p{ID_Start}/u.test(name) ? name : `_${name}`;
}

/**
 * Converts a name from a schema to a type or class name: `vehicle-type` becomes `VehicleType`. Capitals inside a word
 * do not change.
 */
export function toPascalCase(text: string): string {
  return withValidStart(listNameWords(text).map(capitalize).join("") || "Unnamed");
}

/**
 * Converts a name in a schema to the name of a method, constant or property: `CheckUSA` becomes `checkUSA`, `ACMEFoo`
 * becomes `acmeFoo`.
 */
export function toCamelCase(text: string): string {
  const name = listNameWords(text)
    .map((word, index) => (index === 0 ? word : capitalize(word)))
    .join("");
  return withValidStart(lowerFirstWord(name) || "unnamed");
}

/**
 * Converts the first capitals to lower case, except the last of them if it begins the next word: `ACMEFoo` becomes
 * `acmeFoo`.
 */
function lowerFirstWord(name: string): string {
  const capitals = /^\p{Lu}+/u.exec(name)?.[0] ?? "";
  const remainder = name.slice(capitals.length);
  if ([...capitals].length < 2 || !/^\p{Ll}/u.test(remainder)) {
    return capitals.toLowerCase() + remainder;
  }
  const lastCapital = [...capitals].at(-1) ?? "";
  return capitals.slice(0, -lastCapital.length).toLowerCase() + lastCapital + remainder;
}

/**
 * Returns two candidates for the words of a namespace: its last meaningful step without a version, and this step with
 * its version and the steps after it. `urn:messages_2023_2.netsuite.com` gives `Messages` and `Messages20232`,
 * `http://vehicle.example/bespoke/` gives `Bespoke`, `http://a.example/2006/05/common/v2` gives `Common` and
 * `CommonV2`, `http://a.example/ver10/events/wsdl` gives `Events` and `EventsWsdl`. A namespace without letters gives
 * none.
 */
export function listNamespaceWords(namespace: string): readonly string[] {
  const steps = listNamespaceSteps(namespace);
  const subjectIndex = steps.findLastIndex(isMeaningful);
  const lastIndex = subjectIndex === -1 ? steps.findLastIndex((step) => /\p{L}/u.test(step)) : subjectIndex;
  const step = steps[lastIndex];
  if (step === undefined) {
    return [];
  }
  const unversioned = step.replace(/[-_.]?v?\d+(?:[-_.]\d+)*$/i, "");
  const word = toPascalCase(/\p{L}/u.test(unversioned) ? unversioned : step);
  const fullWord = toPascalCase([step, ...steps.slice(lastIndex + 1)].join(" "));
  return fullWord === word ? [word] : [word, fullWord];
}

/**
 * Returns the segments of a namespace's path or URN. If the path does not name a subject, also returns the host. A
 * domain name is cut to its first label.
 */
function listNamespaceSteps(namespace: string): readonly string[] {
  const [, host, path] = /^[a-z][a-z0-9+.-]*:\/\/([^/]*)(.*)$/i.exec(namespace) ?? [
    undefined,
    "",
    namespace.replace(/^urn:/i, ""),
  ];
  const steps = (path ?? "").split(/[/:#?]/).filter((step) => step !== "");
  const chosenSteps = steps.some(isMeaningful) ? steps : [(host ?? "").replace(/^www\./i, ""), ...steps];
  return chosenSteps.map((step) => step.replace(/\.(?:xsd|wsdl|asmx|svc)$/i, "")).map((step) => getFirstLabel(step));
}

/**
 * Cuts a domain name to its first label: `messages_2023_2.platform.webservices.netsuite.com` becomes `messages_2023_2`.
 */
function getFirstLabel(step: string): string {
  return /^[\p{L}_][^.]*(?:\.[\p{L}_][^.]*){2,}$/u.test(step) || /\.(?:com|org|net|example|gov|edu|io)$/i.test(step)
    ? (step.split(".")[0] ?? step)
    : step;
}

/**
 * Whether a step names a subject. Versions (`v2`, `ver10`, `2006`, `1.0`) and document kinds (`wsdl`, `schema`) do not.
 */
function isMeaningful(step: string): boolean {
  return (
    /\p{L}/u.test(step) &&
    !/^(?:v(?:er(?:sion)?)?)?\d+(?:[-_.]\d+)*$/i.test(step) &&
    !/^(?:wsdl|xsd|xml|schemas?)$/i.test(step)
  );
}

/** File names that Windows reserves with any extension. */
const deviceNames: ReadonlySet<string> = new Set(
  "con prn aux nul com0 com1 com2 com3 com4 com5 com6 com7 com8 com9 lpt0 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9".split(
    " ",
  ),
);

/** File names that generated packages use for other files. */
const packageFileNames: ReadonlySet<string> = new Set(["index", "shared"]);

const maxFileWord = 60;

/** Converts a name to a file name of lower-case letters, digits and hyphens, which every file system accepts. */
export function toSafeFileName(text: string): string {
  const asciiText = withAsciiLetters(hyphenate(text)).replace(/[^\p{ASCII}]/gu, (character) =>
    /\p{L}/u.test(character) ? formatCodePoint(character) : "-",
  );
  const word = asciiText
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== "")
    .join("-");
  const shortWord = word.slice(0, maxFileWord).replace(/-$/, "");
  if (shortWord === "") {
    return "unnamed";
  }
  return packageFileNames.has(shortWord) ? `${shortWord}-name` : avoidDeviceName(shortWord);
}

/** Extends a file name that Windows reserves, so that Windows allows it. */
export function avoidDeviceName(word: string): string {
  return deviceNames.has(word) ? `${word}-name` : word;
}

/**
 * Returns the words of a service's TypeScript names: the words of its file name, but with the non-ASCII letters of the
 * WSDL.
 */
export function formatServiceWords(text: string, word: string): string {
  return /^\p{ASCII}*$/u.test(text) ? word : hyphenate(text).slice(0, maxFileWord);
}

/** Formats a character as `u` and the hexadecimal number of its code point: `ue9` for `é`. */
function formatCodePoint(character: string): string {
  return `u${(character.codePointAt(0) ?? 0).toString(16)}`;
}

/** Reserved words, which cannot name a declaration in a module. */
const languageWords =
  "any arguments as asserts async await bigint boolean break case catch class const continue debugger declare default " +
  "delete do else enum eval export extends false finally for from function get global if implements import in infer " +
  "instanceof interface intrinsic is keyof let module namespace never new null number object of out override package " +
  "private protected public readonly require return satisfies set static string super switch symbol this throw true try " +
  "type typeof undefined unique unknown using var void while with yield";

/** Global types and values, which a declaration with the same name would hide. */
const globalNames =
  "AggregateError Array ArrayBuffer ArrayLike AsyncFunction AsyncGenerator AsyncIterable AsyncIterableIterator " +
  "AsyncIterator Atomics Awaited BigInt BigInt64Array BigUint64Array Boolean Buffer Capitalize ConstructorParameters " +
  "DataView Date Disposable Error EvalError Exclude Extract FinalizationRegistry Float32Array Float64Array Function " +
  "Generator Infinity InstanceType Int16Array Int32Array Int8Array Intl Iterable IterableIterator Iterator JSON Lowercase " +
  "Map Math NaN NoInfer NonNullable Number Object Omit OmitThisParameter Parameters Partial Pick Promise PromiseLike " +
  "PropertyKey Proxy RangeError Readonly ReadonlyArray ReadonlyMap ReadonlySet Record ReferenceError Reflect RegExp " +
  "Required ReturnType Set SharedArrayBuffer String Symbol SyntaxError TemplateStringsArray ThisParameterType ThisType " +
  "TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray Uncapitalize Uppercase WeakMap WeakRef WeakSet " +
  "clearImmediate clearInterval clearTimeout console constructor decodeURI decodeURIComponent encodeURI " +
  "encodeURIComponent escape exports fetch globalThis isFinite isNaN parseFloat parseInt process queueMicrotask " +
  "setImmediate setInterval setTimeout structuredClone unescape";

/**
 * Parameters and type parameters of generated functions and classes, which would hide a declaration with the same name.
 */
const parameterNames = "AsResult client context handlers input Missing options Options Principal";

/** The runtime names that generated files import. A test compares them with the table in `print`. */
const runtimeNames =
  "AbortError Answer AnswerSchemas AnyAttribute AnyElement AnyValue BothendsError CallOptions ConfigError DecodeError DerivedSimpleType EncodeError " +
  "AnyEndpointDescriptor EndpointDescriptor HandlersOf HandlersOfServices HttpStatusError JsonObject JsonValue MissingOption NamespaceHandlers OneOf OutcomeOf OperationContext OperationDescriptor " +
  "ArrayDescriptor PolymorphicDescriptor ProtocolError PublishedDocument RecordDescriptor RestCallOptions RestClient RestClientOptions RestContext RestError " +
  "EmbeddedResource LinksTo ListContexts RestEndpoint RestEndpointList RestHandlers RestIndexEndpoint RestInterfaceDescriptor RestResult RestServerOptions ResultOption Routes ServiceClient ServiceDescriptor InterfaceSettings SoapClientOptions " +
  "SoapFault SoapServerOptions Supplied TimeoutError TransportError asmxConventions combineRoutes pathPattern restAnswer restCalls restRoutes segmentNames soapRoutes xs";

/** Names that no generated declaration may have. */
export const reservedNames: readonly string[] = [languageWords, globalNames, parameterNames, runtimeNames].flatMap(
  (names) => names.split(" "),
);

/** Members that every object has, and members that would change how JavaScript uses the object, such as `then`. */
export const reservedMembers: readonly string[] =
  "constructor hasOwnProperty isPrototypeOf propertyIsEnumerable prototype then toJSON toLocaleString toString valueOf".split(
    " ",
  );
