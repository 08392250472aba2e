import { expect, test, vi } from "vitest";
import type { OperationDescriptor, PolymorphicDescriptor, RecordDescriptor } from "../../src/index.js";
import { type ServerIncident, soapRoutes } from "../../src/server/index.js";
import * as xs from "../../src/xs.js";
import { bodyOf, envelopes, findBody, gist, namespace, requestOf, served, service } from "./fixture.js";

type Send = ReturnType<typeof served>["send"];

function post(send: Send, body: string, header = "", afterBody = "") {
  const text = `<soap:Envelope xmlns:soap="${envelopes.soap11}" xmlns:t="${namespace}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">${header}<soap:Body>${body}</soap:Body>${afterBody}</soap:Envelope>`;
  const headers = [
    ["Host", "h"],
    ["Content-Type", "text/xml"],
  ] as const;
  return send(requestOf({ target: "/api/things.asmx", headers, body: new TextEncoder().encode(text) }));
}

const members = "<t:Key>k</t:Key><t:Count>1</t:Count><t:username>u</t:username>";
const undeclared = "the WSDL does not declare it here";
const repeated = "may occur only once here";

test.each([
  {
    what: "with an unknown name",
    body: `<t:Find>${members}<t:key>s3</t:key></t:Find>`,
    path: "/Find/key",
    why: undeclared,
  },
  {
    what: "between others",
    body: `<t:Find><t:A><t:B>s3</t:B></t:A>${members}</t:Find>`,
    path: "/Find/A",
    why: undeclared,
  },
  {
    what: "of another namespace",
    body: `<t:Find>${members}<Key xmlns="urn:s3">s3</Key></t:Find>`,
    path: "/Find/Key",
    why: `because it is in another namespace: here, the WSDL declares an element of this name in the namespace ${namespace}. The client may use another version of the WSDL.`,
  },
  {
    what: "without a namespace",
    body: `<t:Find>${members}<Key>s3</Key></t:Find>`,
    path: "/Find/Key",
    why: `because it has no namespace: here, the WSDL declares an element of this name in the namespace ${namespace}. The client may have omitted the namespace.`,
  },
  { what: "sent twice", body: `<t:Find>${members}<t:Key>s3</t:Key></t:Find>`, path: "/Find/Key", why: repeated },
  {
    what: "that is a part sent twice",
    body: "<t:Number>1</t:Number><t:Number>53</t:Number>",
    path: "/Number",
    why: repeated,
  },
  {
    what: "that is an unknown part",
    body: "<t:Number>1</t:Number><t:Other>s3</t:Other>",
    path: "/Other",
    why: undeclared,
  },
  {
    what: "that is a second operation",
    body: `<t:Find>${members}</t:Find><t:Notify><t:Text>s3</t:Text></t:Notify>`,
    path: "/Notify",
    why: "the body of the message (soap:Body) must have only one element",
  },
  {
    what: "that calls the same operation again",
    body: `<t:Find>${members}</t:Find> <t:Find><t:Key>s3</t:Key></t:Find>`,
    path: "/Find",
    why: "the body of the message (soap:Body) must have only one element",
  },
  {
    what: "that is a header block sent twice",
    header: "<soap:Header><t:Session>a</t:Session><t:Session>s3</t:Session></soap:Header>",
    body: "<t:Notify><t:Text>t</t:Text></t:Notify>",
    path: "/Envelope/Header/Session",
    why: repeated,
  },
  {
    what: "that is a second body",
    body: `<t:Find>${members}</t:Find>`,
    afterBody: "<soap:Body><t:Notify><t:Text>s3</t:Text></t:Notify></soap:Body>",
    path: "/Envelope/Body",
    why: "must have only one body",
  },
  {
    what: "that is a header after the body",
    body: `<t:Find>${members}</t:Find>`,
    afterBody: `<soap:Header><t:Session soap:mustUnderstand="1">s3</t:Session></soap:Header>`,
    path: "/Envelope/Header",
    why: "(soap:Header) must precede the body (soap:Body)",
  },
  {
    what: "after a body with parts",
    body: "<t:Number>1</t:Number>",
    afterBody: "<t:Other><t:Key>s3</t:Key></t:Other>",
    path: "/Envelope/Other",
    why: "because it follows the body",
  },
  {
    what: "of a header's name that follows the body",
    body: `<t:Find>${members}</t:Find>`,
    afterBody: "<Header>s3</Header>",
    path: "/Envelope/Header",
    why: "because it follows the body",
  },
])("an element $what is ignored and reported, without its value", async ({ body, header, afterBody, path, why }) => {
  const { send, calls, incidents } = served();
  const answer = await post(send, body, header, afterBody);
  expect(answer.status).toBeLessThan(300);
  expect(calls).toHaveLength(1);
  expect(incidents).toMatchObject([{ kind: "request", path, message: expect.stringContaining(why) }]);
  expect(incidents[0]?.operation).toBe(calls[0]?.context.operation);
  expect(JSON.stringify(incidents)).not.toContain("s3");
});

test.each([
  { what: "fits", body: findBody },
  {
    what: "has its members in another order",
    body: "<t:Find><t:username>u</t:username><t:Count>1</t:Count><t:Key>k</t:Key></t:Find>",
  },
  { what: "has unknown attributes", body: `<t:Find a="1" xsi:type="t:X">${members}</t:Find>` },
  { what: "has a header block of others", body: findBody, header: '<soap:Header><x xmlns="urn:x">1</x></soap:Header>' },
])("a message that $what is not reported", async ({ body, header }) => {
  const { send, calls, incidents } = served();
  await post(send, body, header);
  expect(calls).toHaveLength(1);
  expect(incidents).toEqual([]);
});

test("each path is reported once a minute, five at most of one message", async () => {
  vi.useFakeTimers();
  try {
    const { send, incidents } = served();
    const unknown = (count: number) =>
      Array.from({ length: count }, (_, index) => `<t:x${index}/><t:x${index}/>`).join("");
    for (const count of [1, 1, 2, 1]) {
      await post(send, `<t:Find>${members}${unknown(count)}</t:Find>`);
    }
    expect(incidents.map(({ path }) => path)).toEqual(["/Find/x0", "/Find/x1"]);
    await post(send, `<t:Find>${members}${unknown(2_000)}</t:Find>`);
    expect(incidents.map(({ path }) => path)).toEqual(["/Find/x0", "/Find/x1", "/Find/x2", "/Find/x3", "/Find/x4"]);
    await vi.advanceTimersByTimeAsync(61_000);
    expect(incidents.filter(({ omitted }) => omitted !== undefined)).toMatchObject([
      { path: "/Find/x0", omitted: 4 },
      { path: "/Find/x1", omitted: 1 },
    ]);
  } finally {
    vi.useRealTimers();
  }
});

test("the elements of a refused message are not reported with the next message", async () => {
  const { send, incidents } = served();
  await post(send, "<t:Find><t:x/><t:Key>k</t:Key><t:Count>one</t:Count></t:Find>");
  await post(send, findBody);
  expect(incidents.map(({ path }) => path)).toEqual(["/Find/Count"]);
});

const pair = { kind: "record", name: "Pair", fields: { A: { type: xs.string }, B: { type: xs.string } } } as const;
const pairs = { kind: "group", by: xs.group, record: pair, min: 0, max: 9 } as const;

test.each([
  { what: "in any order", order: {}, group: {} },
  { what: "in order", order: { order: xs.inOrder }, group: { pairs } },
])(
  "an optional element of another namespace is reported with the cause, in a record that is read $what",
  async ({ order, group }) => {
    const incidents: ServerIncident[] = [];
    const inputs: unknown[] = [];
    const keep: OperationDescriptor<object, void> = {
      kind: "operation",
      service,
      name: "Keep",
      input: {
        body: {
          element: `{${namespace}}Keep`,
          type: () => ({
            kind: "record",
            name: `{${namespace}}Keep`,
            fields: {
              note: { type: xs.string, min: 0 },
              Tag: { type: xs.string, namespace, min: 0, max: 9 },
              ...group,
            },
            ...order,
          }),
        },
      },
      bindings: { soap11: { action: "" } },
    };
    const handlers = { keep: (input: object) => void inputs.push(input) };
    const routes = soapRoutes(
      { service, operations: { keep }, handlers, wsdl: [] },
      { onError: (incident) => void incidents.push(incident) },
    );
    const send: Send = async (request) => (await routes.answer(requestOf(request))) ?? expect.unreachable();
    const answer = await post(send, "<t:Keep><t:note>s3</t:note><Tag>s3</Tag><t:note2/></t:Keep>");
    expect(answer.status).toBe(202);
    expect(inputs).toHaveLength(1);
    expect(incidents.map(({ path, message }) => [path, message])).toEqual([
      [
        "/Keep/note",
        "The element was ignored, because it is in a namespace: here, the WSDL declares an element of this name without a namespace. The client may have set the prefix or the default namespace of its parent. This is reported once a minute for each operation and path.",
      ],
      [
        "/Keep/Tag",
        expect.stringContaining(
          `because it has no namespace: here, the WSDL declares an element of this name in the namespace ${namespace}.`,
        ),
      ],
      ["/Keep/note2", expect.stringContaining(undeclared)],
    ]);
  },
);

interface Shape {
  readonly Name: string;
}
type AnyShape = Shape & { readonly $type?: "Shape" | "Circle" };
const shape: RecordDescriptor<Shape> = {
  kind: "record",
  name: `{${namespace}}Shape`,
  namespace,
  fields: { Name: { type: xs.string } },
};
const circle: RecordDescriptor<Shape> = { ...shape, name: `{${namespace}}Circle` };
const anyShape: PolymorphicDescriptor<AnyShape> = {
  kind: "polymorphic",
  by: xs.polymorphic,
  name: shape.name,
  declared: "Shape",
  alternatives: { Shape: () => shape, Circle: () => circle },
};
const draw: OperationDescriptor<{ readonly Shape: AnyShape; readonly Frame: Shape }, void> = {
  kind: "operation",
  service,
  name: "Draw",
  input: {
    body: {
      element: `{${namespace}}Draw`,
      type: () => ({
        kind: "record",
        name: `{${namespace}}Draw`,
        namespace,
        fields: { Shape: { type: () => anyShape }, Frame: { type: () => shape } },
      }),
    },
  },
  bindings: { soap11: { action: "" } },
};

const anyFrame = { type: "t:Shape", frame: "t:Any" };

test.each<{ readonly what: string; readonly type: string; readonly frame: string; readonly input?: AnyShape }>([
  { what: "the declared type", ...anyFrame, input: { Name: "s" } },
  { what: "a derived type", ...anyFrame, type: "t:Circle", input: { Name: "s", $type: "Circle" } },
  { what: "an undeclared type", ...anyFrame, type: "t:Square" },
  { what: "a type in another namespace", ...anyFrame, type: "Circle" },
  { what: "a type with an unbound prefix", ...anyFrame, type: "s3:Circle" },
  { what: "an empty name", ...anyFrame, type: "" },
])("an element whose type has derived types and that names $what", async ({ type, frame, input }) => {
  const inputs: unknown[] = [];
  const incidents: ServerIncident[] = [];
  const routes = soapRoutes(
    { service, operations: { draw }, handlers: { draw: (received: unknown) => void inputs.push(received) }, wsdl: [] },
    { onError: (incident) => void incidents.push(incident) },
  );
  const send: Send = async (request) => (await routes.answer(requestOf(request))) ?? expect.unreachable();
  const answer = await post(
    send,
    `<t:Draw><t:Shape xsi:type="${type}"><t:Name>s</t:Name></t:Shape><t:Frame xsi:type="${frame}"><t:Name>f</t:Name></t:Frame></t:Draw>`,
  );
  if (input !== undefined) {
    expect(inputs).toEqual([{ Shape: input, Frame: { Name: "f" } }]);
    expect(incidents).toEqual([]);
    return;
  }
  expect(inputs).toEqual([]);
  expect(gist(answer)).toBe("500 soap:Client +detail");
  expect(bodyOf(answer)).not.toContain("s3");
  const message = expect.stringContaining("The attribute xsi:type must name the type");
  expect(incidents).toMatchObject([{ kind: "request", path: "/Draw/Shape", message }]);
});
