import type { ConfiguredName } from "../model/index.js";
import type { Diagnostics } from "../source/diagnostics.js";
import { nameWords, withAsciiLetters } from "../source/names.js";

// TypeScript names: which are available, which bothends.json configures, and how names of schemas and namespaces are converted.

/** The names taken in one scope. */
export class Scope {
  readonly #taken: Set<string>;

  constructor(reserved: Iterable<string> = []) {
    this.#taken = new Set(reserved);
  }

  isTaken(name: string): boolean {
    return this.#taken.has(name);
  }

  /** Takes the first available candidate; if there is none, the last one with the first available number, from 2. */
  take(...candidates: readonly [string, ...string[]]): string {
    return this.takeFor(candidates, (name) => [name]);
  }

  /** Takes a name together with names derived from it: all of them must be available. */
  takeFor(candidates: readonly [string, ...string[]], names: (name: string) => readonly string[]): string {
    const isFree = (name: string): boolean => names(name).every((candidate) => !this.#taken.has(candidate));
    const last = candidates.at(-1) ?? candidates[0];
    let chosen = candidates.find(isFree);
    for (let number = this.#next(last); chosen === undefined; number += 1) {
      if (!isFree(`${last}${number}`)) {
        continue;
      }
      chosen = `${last}${number}`;
      this.#numbers.set(last, number + 1);
    }
    for (const taken of names(chosen)) {
      this.#taken.add(taken);
    }
    return chosen;
  }

  readonly #numbers = new Map<string, number>();

  /**
   * The first number that may be available. Without it, naming ten thousand types with the same name would take quadratic time.
   */
  #next(name: string): number {
    return this.#numbers.get(name) ?? 2;
  }
}

/** The names in `bothends.json`, and which of them have been used. */
export class ConfiguredNames {
  readonly #names: ReadonlyMap<string, ConfiguredName>;
  readonly #diagnostics: Diagnostics;
  readonly #used = new Set<string>();

  constructor(names: ReadonlyMap<string, ConfiguredName>, diagnostics: Diagnostics) {
    this.#names = names;
    this.#diagnostics = diagnostics;
  }

  /** The configured name for a wire name; undefined if there is none, or if it cannot be used. */
  find(wireName: string, scope: Scope): string | undefined {
    const entry = this.#names.get(wireName);
    if (entry === undefined) {
      return undefined;
    }
    this.#used.add(wireName);
    const problem = problemOf(entry.name, scope);
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
      if (this.#used.has(wireName)) {
        continue;
      }
      this.#diagnostics.warning("NAM004", entry.keySpan, {
        message: `The schema has no type or operation ${JSON.stringify(wireName)}.`,
        help: "Write a type as {namespace}local, and an operation as its name.",
      });
    }
  }
}

function problemOf(name: string, scope: Scope): string | undefined {
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

/** The names that an interface has once, regardless of its number of services. */
export interface SharedNames {
  /** The prefix of its constants: `vehicle`. */
  readonly word: string;
  readonly clientOptions: string;
  readonly serverOptions: string;
}

export function entryNames(stem: string): EntryNames {
  return { client: `${stem}Client`, handlers: `${stem}Handlers`, routes: `${camel(stem)}Routes` };
}

/** The names of a facade over several services. A service with the same name as the interface keeps its names. */
export function facadeNames(interfaceName: string, scope: Scope): EntryNames {
  const stem = pascal(interfaceName);
  return entryNames(
    scope.takeFor([stem, `${stem}Services`, `${stem}Interface`], (wish) => Object.values(entryNames(wish))),
  );
}

/** The names of the options, and of the constants with the given suffixes: `Settings` for `vehicleSettings`. */
export function sharedNames(interfaceName: string, scope: Scope, suffixes: readonly string[]): SharedNames {
  const stem = pascal(interfaceName);
  const chosen = scope.takeFor([stem, `${stem}Interface`], (wish) => {
    const { word, ...names } = sharedNamesOf(wish);
    return [...Object.values(names), ...suffixes.map((suffix) => `${word}${suffix}`)];
  });
  return sharedNamesOf(chosen);
}

function sharedNamesOf(stem: string): SharedNames {
  return { word: camel(stem), clientOptions: `${stem}ClientOptions`, serverOptions: `${stem}ServerOptions` };
}

function upperFirst(text: string): string {
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0);
  return first.toUpperCase() + text.slice(first.length);
}

function startable(name: string): string {
  return /^\p{ID_Start}/u.test(name) ? name : `_${name}`;
}

/** A schema's name converted to a type or class name: `vehicle-type` becomes `VehicleType`. Inner capitals are kept. */
export function pascal(text: string): string {
  return startable(nameWords(text).map(upperFirst).join("") || "Unnamed");
}

/**
 * A schema's name converted to a method, constant or property name: `CheckUSA` becomes `checkUSA`, `ACMEFoo` becomes `acmeFoo`.
 */
export function camel(text: string): string {
  const name = nameWords(text)
    .map((each, index) => (index === 0 ? each : upperFirst(each)))
    .join("");
  return startable(lowerHead(name) || "unnamed");
}

/** Converts the leading capitals to lower case. The last of several belongs to the next word if lower-case letters follow. */
function lowerHead(name: string): string {
  const head = /^\p{Lu}+/u.exec(name)?.[0] ?? "";
  const rest = name.slice(head.length);
  if ([...head].length < 2 || !/^\p{Ll}/u.test(rest)) {
    return head.toLowerCase() + rest;
  }
  const last = [...head].at(-1) ?? "";
  return head.slice(0, -last.length).toLowerCase() + last + rest;
}

/**
 * Words for a namespace, capitalised: its last meaningful step without its version, then with it and the steps after it.
 * `urn:messages_2023_2.netsuite.com` gives `Messages` and `Messages20232`, `http://vehicle.example/bespoke/` gives `Bespoke`,
 * `http://a.example/2006/05/common/v2` gives `Common` and `CommonV2`, `http://a.example/ver10/events/wsdl` gives `Events` and
 * `EventsWsdl`. Empty if it contains no letters.
 */
export function namespaceWords(namespace: string): readonly string[] {
  const steps = stepsOf(namespace);
  const named = steps.findLastIndex(isMeaningful);
  const last = named === -1 ? steps.findLastIndex((step) => /\p{L}/u.test(step)) : named;
  const step = steps[last];
  if (step === undefined) {
    return [];
  }
  const plain = step.replace(/[-_.]?v?\d+(?:[-_.]\d+)*$/i, "");
  const word = pascal(/\p{L}/u.test(plain) ? plain : step);
  const full = pascal([step, ...steps.slice(last + 1)].join(" "));
  return full === word ? [word] : [word, full];
}

/** The steps of a path or URN. For a host without a path, and for a dotted URN, only the first label. */
function stepsOf(namespace: string): readonly string[] {
  const [, host, path] = /^[a-z][a-z0-9+.-]*:\/\/([^/]*)(.*)$/i.exec(namespace) ?? [
    undefined,
    "",
    namespace.replace(/^urn:/i, ""),
  ];
  const steps = (path ?? "").split(/[/:#?]/).filter((step) => step !== "");
  const used = steps.some(isMeaningful) ? steps : [(host ?? "").replace(/^www\./i, ""), ...steps];
  return used.map((step) => step.replace(/\.(?:xsd|wsdl|asmx|svc)$/i, "")).map((step) => firstLabel(step));
}

/** `messages_2023_2` of `messages_2023_2.platform.webservices.netsuite.com`. */
function firstLabel(step: string): string {
  return /^[\p{L}_][^.]*(?:\.[\p{L}_][^.]*){2,}$/u.test(step) || /\.(?:com|org|net|example|gov|edu|io)$/i.test(step)
    ? (step.split(".")[0] ?? step)
    : step;
}

/** Whether a step names a subject; `v2`, `ver10`, `2006` and `1.0` are versions, `wsdl` and `schema` kinds of documents. */
function isMeaningful(step: string): boolean {
  return (
    /\p{L}/u.test(step) &&
    !/^(?:v(?:er(?:sion)?)?)?\d+(?:[-_.]\d+)*$/i.test(step) &&
    !/^(?:wsdl|xsd|xml|schemas?)$/i.test(step)
  );
}

/** Names that Windows reserves, with any extension, or that Node's module resolution treats specially. */
const special: ReadonlySet<string> = new Set(
  (
    "con prn aux nul com0 com1 com2 com3 com4 com5 com6 com7 com8 com9 lpt0 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9 " +
    "index shared"
  ).split(" "),
);

const longest = 60;

/** A name converted for use in a file name: lower-case letters, digits and hyphens, which every file system accepts. */
export function fileWord(text: string): string {
  const ascii = withAsciiLetters(hyphenated(text)).replace(/[^\p{ASCII}]/gu, (character) =>
    /\p{L}/u.test(character) ? codePoint(character) : "-",
  );
  const word = ascii
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== "")
    .join("-");
  const cut = word.slice(0, longest).replace(/-$/, "");
  if (cut === "") {
    return "unnamed";
  }
  return special.has(cut) ? `${cut}-name` : cut;
}

/** The words of a service's names: those of its file word, with letters beyond ASCII as in the source. */
export function serviceWords(text: string, word: string): string {
  return /^\p{ASCII}*$/u.test(text) ? word : hyphenated(text).slice(0, longest);
}

/** Lower-case letters, with a hyphen before each capital that begins a word. */
function hyphenated(text: string): string {
  return text
    .normalize("NFC")
    .replace(/(\p{Ll}|\p{Nd})(\p{Lu})/gu, "$1-$2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1-$2")
    .toLowerCase();
}

function codePoint(character: string): string {
  return `u${(character.codePointAt(0) ?? 0).toString(16)}`;
}

/** Reserved words, which cannot name a declaration in a module. */
const words =
  "any arguments as asserts async await bigint boolean break case catch class const continue debugger declare default " +
  "delete do else enum eval export extends false finally for from function get global if implements import in infer " +
  "instanceof interface intrinsic is keyof let module namespace never new null number object of out override package " +
  "private protected public readonly require return satisfies set static string super switch symbol this throw true try " +
  "type typeof undefined unique unknown using var void while with yield";

/** Global types and values, which a declaration with the same name would hide. */
const globals =
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

/** Parameters of generated functions and methods, which would hide a constant with the same name. */
const parameters = "client context handlers input Missing options Options Principal";

/** The runtime names that generated files import. A test compares them with the table in `print`. */
const runtime =
  "AbortError Answer AnswerSchemas AnyAttribute AnyElement AnyValue BothendsError CallOptions ConfigError DecodeError DerivedSimpleType EncodeError " +
  "AnyEndpointDescriptor EndpointDescriptor HandlersOf HandlersOfServices HttpStatusError JsonObject JsonValue MissingOption NamespaceHandlers OneOf OperationContext OperationDescriptor " +
  "ArrayDescriptor PolymorphicDescriptor ProtocolError PublishedDocument RecordDescriptor RestCallOptions RestClient RestClientOptions RestContext RestError " +
  "EmbeddedResource LinksTo ListContexts RestEndpoint RestEndpointList RestHandlers RestIndexEndpoint RestInterfaceDescriptor RestResult RestServerOptions Routes ServiceClient ServiceDescriptor InterfaceSettings SoapClientOptions " +
  "SoapFault SoapServerOptions Supplied TimeoutError TransportError asmxConventions combineRoutes pathPattern restAnswer restCalls restRoutes segmentNames soapRoutes xs";

/** Names that no generated declaration may have. */
export const reservedNames: readonly string[] = [words, globals, parameters, runtime].flatMap((names) =>
  names.split(" "),
);

/** Members that every object has, or that would change its meaning (a thenable, a constructor). */
export const reservedMembers: readonly string[] =
  "constructor hasOwnProperty isPrototypeOf propertyIsEnumerable prototype then toJSON toLocaleString toString valueOf".split(
    " ",
  );
