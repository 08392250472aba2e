/** The names that are taken where names must differ from each other. */
export class Scope {
  readonly #taken: Set<string>;

  constructor(reserved: Iterable<string> = []) {
    this.#taken = new Set(reserved);
  }

  isTaken(name: string): boolean {
    return this.#taken.has(name);
  }

  /** The first candidate that is free; if none is, the last one with the first free number, from 2. */
  take(...candidates: readonly [string, ...string[]]): string {
    return this.takeFor(candidates, (name) => [name]);
  }

  /** Takes a name with others that are derived from it: all of them must be free. */
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

  /** The first number that may be free. Without it, naming ten thousand types of one name would take quadratic time. */
  #next(name: string): number {
    return this.#numbers.get(name) ?? 2;
  }
}

/** Words of the language that cannot name a declaration in a module. */
const words =
  "any arguments as asserts async await bigint boolean break case catch class const continue debugger declare default " +
  "delete do else enum eval export extends false finally for from function get global if implements import in infer " +
  "instanceof interface intrinsic is keyof let module namespace never new null number object of out override package " +
  "private protected public readonly require return satisfies set static string super switch symbol this throw true try " +
  "type typeof undefined unique unknown using var void while with yield";

/** Global types and values, which a declaration of the same name would hide. */
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

/** Parameters of the functions and methods that are generated: a constant of that name would be hidden there. */
const parameters = "client context handlers input Missing options Options";

/** What generated files import from the runtime; a test compares this with the table that `print` has. */
const runtime =
  "AbortError Answer AnswerSchemas AnyAttribute AnyElement AnyValue BothendsError CallOptions ConfigError DecodeError DerivedSimpleType EncodeError " +
  "AnyEndpointDescriptor EndpointDescriptor HandlersOf HandlersOfServices HttpStatusError JsonObject JsonValue MissingOption NamespaceHandlers OneOf OperationContext OperationDescriptor " +
  "ArrayDescriptor PolymorphicDescriptor ProtocolError PublishedDocument RecordDescriptor RestCallOptions RestClient RestClientOptions RestContext RestError " +
  "RestEndpoint RestEndpointList RestHandlers RestIndexEndpoint RestInterfaceDescriptor RestResult RestServerOptions Routes ServiceClient ServiceDescriptor ServiceFacts SoapClientOptions " +
  "SoapFault SoapServerOptions Supplied TimeoutError TransportError asmxConventions combineRoutes pathPattern restAnswer restCalls restRoutes segmentNames soapRoutes xs";

/** Names that no generated declaration may have. */
export const reservedNames: readonly string[] = [words, globals, parameters, runtime].flatMap((names) =>
  names.split(" "),
);

/** Members that every object has, or that make it something else (a thenable, a constructor). */
export const reservedMembers: readonly string[] =
  "constructor hasOwnProperty isPrototypeOf propertyIsEnumerable prototype then toJSON toLocaleString toString valueOf".split(
    " ",
  );
