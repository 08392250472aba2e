import type {
  AnyEndpointDescriptor,
  OperationDescriptor,
  RecordDescriptor,
  RestInterfaceDescriptor,
  ServiceDescriptor,
} from "@bothends/runtime";
import { type Routes, restRoutes, soapRoutes } from "@bothends/runtime/server";
import * as xs from "@bothends/runtime/xs";
import { escapeAttribute, escapeText } from "@bothends/xml";

/** A text that a browser would run if a page contained the text unescaped. */
export const hostile = `"><img src=x onerror="alert(1)"></textarea></pre></script><script>alert(2)</script><svg onload='alert(3)'>`;

const namespace = "urn:orders";
const service: ServiceDescriptor = {
  descriptorFormat: 2,
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
  types: [xs.string],
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
  input: {
    body: { element: `{${namespace}}Order`, type: () => order },
    headers: { by: xs.headerBlocks, record: () => login },
  },
  output: { body: { element: `{${namespace}}OrderResponse`, type: () => answer }, result: "Said" },
  bindings: { soap11: { action: "urn:orders/Order" }, soap12: { action: "urn:orders/Order" } },
};

const escaped = escapeText(hostile);
const inAttribute = escapeAttribute(hostile);
const soapBinding = (name: string, prefix: string) =>
  `<w:binding name="${name}" type="t:P"><${prefix}:binding/><w:operation name="Order"><${prefix}:operation soapAction="urn:orders/Order"/>` +
  `<w:input><${prefix}:body use="literal"/><${prefix}:header message="t:Header" part="login" use="literal"/></w:input>` +
  `<w:output><${prefix}:body use="literal"/></w:output></w:operation></w:binding>`;
const port = (name: string, prefix: string) =>
  `<w:port name="${name}" binding="t:${name}"><${prefix}:address location="/orders"/></w:port>`;
const wsdl = [
  '<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/" xmlns:s="http://www.w3.org/2001/XMLSchema"',
  ' xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/"',
  ` xmlns:t="${namespace}" targetNamespace="${namespace}"><w:types><s:schema elementFormDefault="qualified" targetNamespace="${namespace}">`,
  '<s:element name="Order"><s:complexType><s:sequence><s:element name="Colour" type="t:Colour"/>',
  `<s:element name="Tag" type="s:string" maxOccurs="unbounded"><s:annotation><s:documentation>${escaped}</s:documentation></s:annotation></s:element>`,
  '<s:element name="Line" type="t:Line"/><s:element name="Note" type="s:string" minOccurs="0"/></s:sequence></s:complexType></s:element>',
  `<s:simpleType name="Colour"><s:restriction base="s:string"><s:enumeration value="red"/><s:enumeration value="${inAttribute}"/></s:restriction></s:simpleType>`,
  '<s:complexType name="Line"><s:sequence><s:element name="Sku" type="s:string"/></s:sequence></s:complexType><s:element name="Login" type="t:Line"/>',
  '<s:element name="OrderResponse"><s:complexType><s:sequence><s:element name="Said" type="s:string"/></s:sequence></s:complexType></s:element></s:schema></w:types>',
  '<w:message name="In"><w:part name="p" element="t:Order"/></w:message><w:message name="Out"><w:part name="p" element="t:OrderResponse"/></w:message>',
  '<w:message name="Header"><w:part name="login" element="t:Login"/></w:message>',
  `<w:portType name="P"><w:operation name="Order"><w:documentation>${escaped}</w:documentation><w:input message="t:In"/><w:output message="t:Out"/></w:operation></w:portType>`,
  soapBinding("S", "soap"),
  soapBinding("T", "soap12"),
  `<w:service name="Orders"><w:documentation>${escaped}</w:documentation>${port("S", "soap")}${port("T", "soap12")}</w:service></w:definitions>`,
];

const content: RestInterfaceDescriptor = { descriptorFormat: 2, name: "hostile", base: "/hostile" };
const index: AnyEndpointDescriptor = {
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

/** A service and an index whose schemas contain hostile text. The handler answers with its input. */
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
    endpoints: [index],
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
