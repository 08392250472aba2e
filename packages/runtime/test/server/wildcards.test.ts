import { expect, test } from "vitest";
import type { AnyElement, OperationDescriptor, RecordDescriptor } from "../../src/descriptor.js";
import { soapRoutes } from "../../src/server/index.js";
import * as xs from "../../src/xs.js";
import { find, findBody, gist, message, namespace, requestOf, service } from "./fixture.js";

interface Wrap {
  readonly any: AnyElement;
}
const wrapType: RecordDescriptor<Wrap> = {
  kind: "record",
  name: `{${namespace}}Wrap`,
  namespace,
  fields: { any: { kind: "any", by: xs.any, namespaces: "any", process: "strict" } },
};
const wrap: OperationDescriptor<Wrap, Wrap> = {
  kind: "operation",
  service,
  name: "Wrap",
  input: { body: { element: `{${namespace}}Wrap`, type: () => wrapType } },
  output: { body: { element: `{${namespace}}WrapResponse`, type: () => wrapType } },
  bindings: { soap11: { action: `${namespace}/Wrap` } },
};

async function answerTo(content: string, wildcards: boolean): Promise<string> {
  const routes = soapRoutes(
    {
      service,
      operations: { wrap, find },
      handlers: { wrap: (value: Wrap) => value, find: () => null },
    },
    { validate: { wildcards } },
  );
  const body = `<Wrap xmlns="${namespace}">${content}</Wrap>`;
  const headers: [string, string][] = [
    ["Content-Type", "text/xml; charset=utf-8"],
    ["SOAPAction", `"${namespace}/Wrap"`],
  ];
  const answer = await routes.answer(requestOf(message("soap11", body, { headers })));
  if (answer === undefined) {
    throw new Error("The routes must answer.");
  }
  return gist(answer);
}

const wrong = findBody.replace("<Count>1</Count>", "<Count>x</Count>");

test("on request, a server checks wildcard content by the elements of its messages", async () => {
  expect(await answerTo(findBody, true)).toBe("200 WrapResponse");
  expect(await answerTo(wrong, true)).toContain("soap:Client");
  expect(await answerTo('<other xmlns="urn:other"/>', true)).toBe("200 WrapResponse");
});

test("by default, a server does not check wildcard content", async () => {
  expect(await answerTo(wrong, false)).toBe("200 WrapResponse");
});
