import type { RestInterface, SoapInterface, TypeDefinition } from "../../src/model/index.js";
import {
  anonymous,
  arg,
  attribute,
  builtin,
  element,
  endpoint,
  enumeration,
  field,
  group,
  named,
  ns,
  other,
  recordType,
  restInterface,
  service,
  soapInterface,
  span,
  wrapped,
} from "./fixtures.js";

/** Two services that share a type by a chameleon include, ambient arguments, and slots. */
export function vehicleInterface(): SoapInterface {
  const types: TypeDefinition[] = [];
  for (const namespace of [ns, other]) {
    const init = { namespace };
    types.push(
      recordType(
        "Vehicle",
        [
          element("vehicleJson", builtin("string"), { min: 0, ...init }),
          element("Make", named(`{${namespace}}Pair`), { min: 0, ...init }),
        ],
        { span: span("records.xsd", 10, 20), documentation: "What is known of a vehicle.", ...init },
      ),
      recordType(
        "Pair",
        [
          element("CurrentValue", builtin("string"), { nillable: true, ...init }),
          element("CurrentTextValue", builtin("string"), { nillable: true, ...init }),
        ],
        { span: span("records.xsd", 30, 40), ...init },
      ),
    );
  }
  const ask = (name: string, namespace: string, inputs: readonly string[]) =>
    wrapped(name, {
      input: inputs.map((key) => element(key, builtin(key === "NatCode" ? "int" : "string"), { namespace })),
      result: element(`${name}Result`, named(`{${namespace}}Vehicle`), { min: 0, namespace }),
      types,
      namespace,
    });
  const reg = service("reg", [
    ask("CheckUSA", ns, ["RegistrationNumber", "State", "username"]),
    ask("CheckAustria", ns, ["NatCode", "username"]),
  ]);
  const bespokeapi = service(
    "bespokeapi",
    [ask("CheckUSAMinimal", other, ["regNumber", "state", "username"]), ask("CheckTaxi", other, ["regNumber"])],
    {
      namespace: other,
    },
  );
  return soapInterface([reg, bespokeapi], types, {
    ambient: ["username"],
    conventions: "standard",
    tolerate: [],
    slots: {
      namespaces: [
        { slot: "reg", namespace: ns },
        { slot: "bespoke", namespace: other },
      ],
      operations: ["CheckUSAMinimal"],
    },
  });
}

/** One type of every kind. */
export function everythingInterface(): SoapInterface {
  const id = (local: string): string => `{${ns}}${local}`;
  const simple = { span: span(), documentation: undefined };
  const shape = recordType("Shape", [
    element("Name", builtin("string")),
    element("Kids", named(`${id("Shape")}*`), { min: 0, max: "unbounded" }),
  ]);
  const inherited = shape.fields.map((each) => ({ ...each, inherited: true }));
  const payment = recordType(
    "Payment",
    [
      element("Amount", builtin("decimal")),
      element("Card", named(id("Shape"))),
      element("Cash", builtin("date")),
      element("Note", builtin("string"), { min: 0 }),
    ],
    {
      content: [
        field("Amount"),
        group("choice", [field("Card"), field("Cash")]),
        group("sequence", [field("Note")], true),
      ],
    },
  );
  const types: TypeDefinition[] = [
    enumeration("Colour", ["red", 'it\'s "green"', "", "Red", "$" + "{x}`"]),
    enumeration("Level", ["1", "02", "-3"], builtin("int")),
    enumeration("Big", ["1", "-9007199254740993"], builtin("long")),
    enumeration("Price", ["1.0", "2.50"], builtin("decimal")),
    {
      ...simple,
      kind: "restriction",
      id: id("Code"),
      name: { namespace: ns, local: "Code" },
      words: ["Code"],
      base: builtin("string"),
      facets: [
        { facet: "maxLength", value: 10 },
        { facet: "pattern", value: ["[A-Z]+", "\\d"] },
        { facet: "whiteSpace", value: "collapse" },
      ],
    },
    {
      ...simple,
      kind: "restriction",
      id: id("Everything/small"),
      name: undefined,
      words: ["Everything", "small"],
      base: builtin("int"),
      facets: [
        { facet: "minInclusive", value: "1" },
        { facet: "maxExclusive", value: "10" },
      ],
    },
    {
      ...simple,
      kind: "list",
      id: id("Colours"),
      name: { namespace: ns, local: "Colours" },
      words: ["Colours"],
      item: named(id("Colour")),
    },
    {
      ...simple,
      kind: "union",
      id: id("ColourOrLevel"),
      name: { namespace: ns, local: "ColourOrLevel" },
      words: ["ColourOrLevel"],
      members: [named(id("Colour")), named(id("Level")), builtin("boolean")],
    },
    shape,
    recordType("Circle", [...inherited, element("Radius", builtin("double"))], { base: id("Shape") }),
    {
      ...simple,
      kind: "polymorphic",
      id: `${id("Shape")}*`,
      name: undefined,
      words: ["Shape"],
      declared: id("Shape"),
      blocked: [],
      alternatives: [
        { tag: "Shape", type: id("Shape") },
        { tag: "Circle", type: id("Circle") },
      ],
    },
    payment,
    recordType(
      "Refund",
      [...payment.fields.map((each) => ({ ...each, inherited: true })), element("Why", builtin("string"))],
      {
        base: id("Payment"),
        content: [...payment.content, field("Why")],
      },
    ),
    anonymous("Everything/choice", [element("A", builtin("string")), element("B", builtin("int"))]),
    recordType("Empty", []),
    recordType("Text", [
      { ...simple, kind: "text", key: "value", inherited: false, type: builtin("decimal") },
      attribute("unit", builtin("string"), { required: true }),
    ]),
    recordType("Mixed", [
      { ...simple, kind: "mixed", key: "content", inherited: false, item: id("Everything/choice") },
    ]),
    recordType("Everything", [
      element("__proto__", builtin("string")),
      element("constructor", builtin("long"), { min: 0 }),
      element("strange-name", builtin("anyType"), { nillable: true }),
      element("small", named(id("Everything/small")), { default: "3" }),
      element("Bytes", builtin("base64Binary"), { min: 0 }),
      element("Tokens", builtin("NMTOKENS"), { max: 5, min: 2 }),
      element("Colours", named(id("Colours")), { min: 0, nillable: true }),
      element("Level", named(id("Level")), { max: "unbounded", nillable: true }),
      element("Big", named(id("Big"))),
      element("Price", named(id("Price"))),
      element("Either", named(id("ColourOrLevel"))),
      element("Foreign", builtin("QName"), { namespace: other }),
      {
        ...simple,
        kind: "group",
        key: "choice",
        inherited: false,
        item: id("Everything/choice"),
        min: 0,
        max: "unbounded",
      },
      {
        ...simple,
        kind: "any",
        key: "any",
        inherited: false,
        min: 0,
        max: "unbounded",
        namespaces: { not: ns },
        process: "lax",
      },
      {
        ...simple,
        kind: "anyAttribute",
        key: "anyAttribute",
        inherited: false,
        namespaces: ["", other],
        process: "skip",
      },
      attribute("code", named(id("Code")), { fixed: "X" }),
      element("Shape", named(`${id("Shape")}*`), { min: 0 }),
      element("Payment", named(id("Payment")), { min: 0 }),
      element("Refund", named(id("Refund")), { min: 0 }),
      element("Empty", named(id("Empty")), { min: 0 }),
      element("Text", named(id("Text")), { min: 0 }),
      element("Mixed", named(id("Mixed")), { min: 0 }),
      element("When", builtin("dateTime"), { min: 0 }),
    ]),
    recordType("NotFound", [element("What", builtin("string"))]),
    anonymous("Busy", [element("Seconds", builtin("int"))]),
  ];
  const everything = {
    ...wrapped("Everything", {
      input: [element("Value", named(id("Everything")))],
      result: element("EverythingResult", named(id("Everything"))),
      types: [],
    }),
  };
  types.push(
    anonymous("EverythingHeaders", [element("Token", builtin("string"))]),
    anonymous("EverythingRequest", [element("Value", named(id("Everything")))]),
    anonymous("EverythingResponse", [element("EverythingResult", named(id("Everything")))]),
  );
  const body = (local: string, type: string) =>
    ({
      kind: "element",
      element: { namespace: ns, local },
      type: named(type),
      nillable: false,
      default: undefined,
      fixed: undefined,
      identity: [],
      rpc: false,
      encoded: false,
    }) as const;
  const operation = {
    ...everything,
    input: {
      body: body("EverythingRequest", id("EverythingRequest")),
      attachments: [],
      headers: id("EverythingHeaders"),
    },
    output: {
      body: body("EverythingResponse", id("EverythingResponse")),
      result: { kind: "member", key: "EverythingResult", repeated: false } as const,
      attachments: [],
      headers: undefined,
      headerFaults: undefined,
    },
    http: undefined,
    faults: [
      { ...simple, name: "NotFound", element: { namespace: ns, local: "NotFound" }, type: named(id("NotFound")) },
      { ...simple, name: "Busy", element: { namespace: ns, local: "Busy" }, type: named(id("Busy")) },
    ],
  };
  const reserved = (name: string) => wrapped(name, { input: [], result: undefined, types });
  const oneWay = { ...reserved("Notify"), output: undefined };
  return soapInterface(
    [
      service("everything", [
        operation,
        reserved("options"),
        reserved("delete"),
        reserved("toString"),
        reserved("then"),
        reserved("ACMEFoo"),
        oneWay,
      ]),
    ],
    types,
    { name: "everything" },
  );
}

export function contentInterface(): RestInterface {
  const status = {
    kind: "enumeration",
    values: ["publish", "future", "draft", "pending", "private", "trash", "inherit", "request-pending"],
  } as const;
  const index = { namespace: "", route: "/", path: ["/"] } as const;
  return restInterface(
    [
      endpoint("index", { ...index, args: [arg("context", { default: "view" })] }),
      endpoint("core.index", { route: "/core/v2", path: ["/core/v2"] }),
      endpoint("core.blocks.list", {
        args: [
          arg("page", { type: { kind: "integer" }, default: 1, documentation: "Current page of the collection." }),
          arg("status", { type: { kind: "array", items: status }, default: ["publish"] }),
          arg("after", { type: { kind: "union", members: [{ kind: "string" }, { kind: "null" }] } }),
          arg("meta", { type: { kind: "object", properties: [] } }),
          arg("title", {
            type: {
              kind: "object",
              properties: [{ name: "raw", required: false, type: { kind: "string" }, documentation: "As stored." }],
            },
          }),
          arg("sorting", { type: { kind: "any" } }),
          arg("__proto__", { type: { kind: "any" } }),
        ],
      }),
      endpoint("core.blocks.autosaves.create", {
        methods: ["POST", "PUT"],
        path: ["/core/v2/blocks/", { variable: "id", pattern: "[\\d]+" }, "/autosaves"],
        args: [
          arg("parent", { type: { kind: "integer" } }),
          arg("id", { inPath: true, required: true, type: { kind: "integer" } }),
        ],
      }),
      endpoint("core.blocks.delete", {
        methods: ["DELETE"],
        args: [arg("id", { inPath: true, required: true, type: { kind: "integer" } })],
      }),
      endpoint("oembed.embed.list", { namespace: "oembed/1.0", args: [arg("url", { required: true })] }),
    ],
    {
      base: {
        path: "/{lang}/api",
        values: [{ variable: "lang", values: ["en", "pt-pt"] }],
        language: { variable: "lang", argument: "translation_language" },
      },
      document: {
        namespaces: ["core/v2"],
        authentication: [],
        routes: { "/core/v2/blocks": { methods: ["GET"], __proto__x: null, gmt: -1.5 } },
      },
      segments: ["site_analysis", "core/v2"],
    },
  );
}
