import type {
  Arg,
  AttributeField,
  Config,
  Contract,
  ElementField,
  Endpoint,
  EnumerationType,
  Field,
  Interface,
  Operation,
  Particle,
  RecordType,
  RestInterface,
  Service,
  SoapInterface,
  SoapInterfaceConfig,
  TypeDefinition,
  TypeReference,
} from "../../src/model/index.js";
import type { Span } from "../../src/source/span.js";

// Contracts of small schemas, as lowering would return them.

export function span(path = "test.xsd", start = 0, end = 0): Span {
  return { source: { path, text: "" }, start, end };
}

const node = { span: span(), documentation: undefined };

export const ns = "http://test.example/one";
export const other = "http://test.example/two/";

export function builtin(name: Extract<TypeReference, { kind: "builtin" }>["name"]): TypeReference {
  return { kind: "builtin", name };
}

export function named(id: string): TypeReference {
  return { kind: "named", id };
}

export function element(
  key: string,
  type: TypeReference,
  init: Partial<Omit<ElementField, "kind" | "key" | "type">> & { namespace?: string } = {},
): ElementField {
  const { namespace = ns, ...others } = init;
  return {
    ...node,
    kind: "element",
    key,
    inherited: false,
    wireName: { namespace, local: key },
    type,
    min: 1,
    max: 1,
    nillable: false,
    default: undefined,
    fixed: undefined,
    identity: [],
    ...others,
  };
}

export function attribute(key: string, type: TypeReference, init: Partial<AttributeField> = {}): AttributeField {
  return {
    ...node,
    kind: "attribute",
    key,
    inherited: false,
    wireName: { namespace: "", local: key },
    type,
    required: false,
    default: undefined,
    fixed: undefined,
    ...init,
  };
}

export function field(key: string): Particle {
  return { kind: "field", key };
}

export function group(kind: "sequence" | "choice" | "all", particles: readonly Particle[], optional = false): Particle {
  return { kind, particles, optional };
}

export function recordType(
  local: string,
  fields: readonly Field[],
  init: Partial<Omit<RecordType, "kind" | "fields">> & { namespace?: string } = {},
): RecordType {
  const { namespace = ns, ...others } = init;
  const isContent = (each: Field): boolean => ["element", "group", "any"].includes(each.kind);
  return {
    ...node,
    kind: "record",
    id: `{${namespace}}${local}`,
    name: { namespace, local },
    words: [local],
    wireName: { namespace, local },
    abstract: false,
    base: undefined,
    removed: [],
    fields,
    content: fields.filter(isContent).map((each) => field(each.key)),
    ...others,
  };
}

export function anonymous(path: string, fields: readonly Field[], namespace = ns): RecordType {
  const words = path.split("/");
  return {
    ...recordType(words.at(-1) ?? "", fields, { namespace }),
    id: `{${namespace}}${path}`,
    name: undefined,
    words,
  };
}

export function enumeration(local: string, values: readonly string[], base = builtin("string")): EnumerationType {
  return {
    ...node,
    kind: "enumeration",
    id: `{${ns}}${local}`,
    name: { namespace: ns, local },
    words: [local],
    base,
    values: values.map((text) => ({ text, documentation: undefined })),
    facets: [],
  };
}

export function restriction(local: string, base: TypeReference): TypeDefinition {
  return { ...enumeration(local, []), kind: "restriction", base };
}

/** A document/literal wrapped operation over all four protocols; its wrappers are added to `types`. */
export function wrapped(
  name: string,
  {
    input,
    result,
    types,
    namespace = ns,
  }: {
    input: readonly ElementField[];
    result: ElementField | undefined;
    types: TypeDefinition[];
    namespace?: string;
  },
): Operation {
  types.push(anonymous(name, input, namespace), anonymous(`${name}Response`, result ? [result] : [], namespace));
  const body = (local: string) =>
    ({
      kind: "element",
      element: { namespace, local },
      type: named(`{${namespace}}${local}`),
      nillable: false,
      default: undefined,
      fixed: undefined,
      identity: [],
      rpc: false,
      encoded: false,
    }) as const;
  return {
    ...node,
    documentation: `Answers ${name}.`,
    name,
    uniqueName: name,
    overload: 1,
    input: { body: body(name), attachments: [], headers: undefined },
    output: {
      body: body(`${name}Response`),
      result: result === undefined ? { kind: "empty" } : { kind: "member", key: result.key, repeated: false },
      attachments: [],
      headers: undefined,
      headerFaults: undefined,
    },
    faults: [],
    http: {
      body: undefined,
      parameters: input.map(({ key }) => ({
        key,
        name: key,
        type: builtin("string"),
        list: false,
        optional: false,
      })),
      answer:
        result === undefined
          ? { kind: "none" }
          : { kind: "xml", element: { namespace, local: "Answer" }, type: result.type, nillable: true },
    },
    bindings: {
      soap11: { action: `${namespace}/${name}`, sendAction: false, addressing: undefined },
      soap12: { action: `${namespace}/${name}`, sendAction: false, addressing: undefined },
      httpGet: { location: `/${name}`, replace: false },
      httpPost: { location: `/${name}`, replace: false },
    },
  };
}

export function service(file: string, operations: readonly Operation[], init: Partial<Service> = {}): Service {
  return {
    ...node,
    name: `${file.charAt(0).toUpperCase()}${file.slice(1)}`,
    file,
    namespace: ns,
    ports: [
      { ...node, name: `${file}Soap`, protocol: "soap11", address: `http://test.example/${file}.asmx`, policies: [] },
    ],
    otherPorts: [],
    operations,
    ...init,
  };
}

export function soapInterface(
  services: readonly Service[],
  types: readonly TypeDefinition[],
  init: Partial<SoapInterface> = {},
): SoapInterface {
  return {
    kind: "soap",
    name: "vehicle",
    services,
    types,
    ambient: [],
    slots: { namespaces: [], operations: [] },
    conventions: "standard",
    tolerate: [],
    ...init,
  };
}

/** One service with one operation that answers a value of the last type. */
export function soapOf(types: readonly TypeDefinition[], init: Partial<SoapInterface> = {}): SoapInterface {
  const all = [...types];
  const last = types.at(-1);
  const operation = wrapped("Ask", {
    input: [],
    result: last && element("AskResult", named(last.id), { min: 0 }),
    types: all,
  });
  return soapInterface([service("reg", [operation])], all, init);
}

export function arg(name: string, init: Partial<Omit<Arg, "name">> = {}): Arg {
  return { ...node, name, inPath: false, required: false, type: { kind: "string" }, default: undefined, ...init };
}

export function endpoint(operation: string, init: Partial<Omit<Endpoint, "operation">> = {}): Endpoint {
  return {
    ...node,
    namespace: "core/v2",
    operation: operation.split("."),
    route: `/core/v2/${operation}`,
    path: ["/core/v2/", operation],
    methods: ["GET"],
    args: [],
    answer: undefined,
    context: undefined,
    ...init,
  };
}

export function restInterface(endpoints: readonly Endpoint[], init: Partial<RestInterface> = {}): RestInterface {
  return {
    ...node,
    kind: "rest",
    name: "content",
    base: { path: "/wp-json", values: [], language: undefined },
    namespaces: [{ path: "core/v2", words: ["core"] }],
    endpoints,
    answers: [],
    document: { namespaces: ["core/v2"], routes: {} },
    segments: [],
    ...init,
  };
}

export function contractOf(...interfaces: readonly Interface[]): Contract {
  return { interfaces };
}

export function configOf(init: Partial<SoapInterfaceConfig> = {}, runtime = "workspace:^"): Config {
  return {
    span: span("bothends.json"),
    packages: {
      contract: { path: "packages/contract", name: "@bothends/contract" },
      client: { path: "packages/client", name: "@bothends/client" },
      server: { path: "packages/server", name: "@bothends/server" },
    },
    runtime,
    limits: {},
    interfaces: [
      {
        kind: "soap",
        span: span("bothends.json"),
        name: "vehicle",
        wsdl: [],
        ambient: [],
        wireNames: { namespaces: [], operations: [] },
        soap12Action: false,
        conventions: "standard",
        tolerate: [],
        lenient: false,
        typeFiles: "one",
        typeMap: new Map(),
        operations: undefined,
        names: new Map(),
        ...init,
      },
    ],
  };
}
