import type {
  OperationDescriptor,
  RecordDescriptor,
  RestInterfaceDescriptor,
  ServiceDescriptor,
} from "@bothends/runtime";
import { type Routes, restRoutes, soapRoutes } from "@bothends/runtime/server";
import * as xs from "@bothends/runtime/xs";
import { escapeText } from "@bothends/xml";

/** Text that a browser would run where it is taken for markup. */
export const hostile = `"><img src=x onerror="alert(1)"></textarea></pre></script><script>alert(2)</script><svg onload='alert(3)'>`;

const namespace = "urn:orders";
const service: ServiceDescriptor = {
  descriptorFormat: 1,
  name: "Orders",
  namespace,
  ports: { soap11: { name: "S", address: "/orders" }, soap12: { name: "T", address: "/orders" } },
};

interface Line {
  Sku: string;
}
interface Order {
  Colour: string;
  Tag: readonly string[];
  Line: Line;
  Note?: string | undefined;
}
interface Login {
  Login?: Line | undefined;
}
const colour = {
  kind: "derived",
  name: `{${namespace}}Colour`,
  by: xs.restriction,
  of: [xs.string],
  facets: [[xs.enumeration, ["red", hostile]]],
} as const;
const line: RecordDescriptor<Line> = { kind: "record", name: "Line", namespace, fields: { Sku: { type: xs.string } } };
const order: RecordDescriptor<Order> = {
  kind: "record",
  name: `{${namespace}}Order`,
  namespace,
  fields: {
    Colour: { type: () => colour },
    Tag: { type: xs.string, max: "unbounded" },
    Line: { type: () => line },
    Note: { type: xs.string, min: 0 },
  },
};
const login: RecordDescriptor<Login> = {
  kind: "record",
  name: "Headers",
  namespace,
  fields: { Login: { type: () => line, min: 0 } },
};
const answer: RecordDescriptor<{ Said: string }> = {
  kind: "record",
  name: "OrderResponse",
  namespace,
  fields: { Said: { type: xs.string } },
};
const orderOperation: OperationDescriptor<Order, string> = {
  kind: "operation",
  service,
  name: "Order",
  input: { body: { element: `{${namespace}}Order`, type: () => order }, headers: () => login },
  output: { body: { element: `{${namespace}}OrderResponse`, type: () => answer }, result: "Said" },
  bindings: { soap11: { action: "urn:orders/Order" }, soap12: { action: "urn:orders/Order" } },
};

const said = escapeText(hostile);
const wsdl = [
  '<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/" xmlns:s="http://www.w3.org/2001/XMLSchema">',
  `<w:types><s:schema targetNamespace="${namespace}"><s:complexType name="Order"><s:sequence><s:element name="Tag">`,
  `<s:annotation><s:documentation>${said}</s:documentation></s:annotation></s:element></s:sequence></s:complexType></s:schema></w:types>`,
  `<w:portType name="P"><w:operation name="Order"><w:documentation>${said}</w:documentation></w:operation></w:portType>`,
  `<w:service name="Orders"><w:documentation>${said}</w:documentation></w:service></w:definitions>`,
];

const content: RestInterfaceDescriptor = { descriptorFormat: 1, name: "hostile", base: "/hostile" };
const index = {
  kind: "endpoint",
  interface: content,
  name: "index",
  route: "/",
  path: ["/"],
  methods: ["GET"],
  args: {},
};
const arg = { type: "string", description: hostile, enum: [hostile], default: hostile };
const args = { [hostile]: arg, plain: { ...arg, enum: undefined }, list: { type: "array", items: arg } };

/** A service and an index whose schemas want to harm whoever looks at them; the handler answers what it was given. */
export const hostileRoutes: readonly Routes[] = [
  soapRoutes({
    service,
    operations: { order: orderOperation },
    handlers: {
      order: (input: Order, context: { readonly soapHeaders: unknown }) =>
        JSON.stringify({ ...input, headers: context.soapHeaders, hostile }),
    },
    wsdl,
  }),
  restRoutes({
    interface: content,
    endpoints: { index },
    handlers: {
      index: () => ({
        name: hostile,
        description: hostile,
        routes: {
          [`/${hostile}`]: { namespace: hostile, methods: [hostile], endpoints: [{ methods: [hostile], args }] },
          "/": { namespace: "", methods: ["GET"], endpoints: [{ methods: ["GET"], args }] },
        },
      }),
    },
    index: {},
  }),
];
