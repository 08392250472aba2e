import { describe, expect, test } from "vitest";
import { RestClient, ServiceClient } from "../../src/client/index.js";
import { batch } from "../../src/client/rest/batch.js";
import { RestError, type ServerIncident, SoapFault } from "../../src/server/index.js";
import { always, localServer } from "../client/local-server.js";
import { find as findOperation, lookup } from "../client/lookup.js";
import { content, endpoint, send, site } from "../rest/site.js";
import { bodyOf, findBody, gist, message, served } from "./fixture.js";

// Errors that the client of another service received, and that reach the server whose handler called that service.

const soapBody = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><s:Fault><faultcode>s:Client</faultcode><faultstring>SECRET-REASON</faultstring><faultactor>urn:SECRET-ACTOR</faultactor><detail><a xmlns="urn:a">SECRET-DETAIL</a></detail></s:Fault></s:Body></s:Envelope>`;
const restBody = JSON.stringify({
  code: "SECRET-CODE",
  message: "SECRET-REASON",
  data: { status: 403, a: "SECRET-DATA" },
});
const listItems = endpoint("items.list", ["GET"], ["/items"]);

/** Calls another service, which answers with an error. Resolves to the error. */
const callers: Readonly<Record<string, () => Promise<unknown>>> = {
  "a SOAP fault": async () => {
    const { url } = await localServer(always(500, "text/xml", soapBody));
    return new ServiceClient(lookup, { baseUrl: url }).call(findOperation, { Key: "a", user: "u" });
  },
  "a REST error": async () => {
    const { url } = await localServer(always(403, "application/json", restBody));
    return new RestClient(content, { siteUrl: url }).call(listItems, {});
  },
  "the error of a result": async () => {
    const { url } = await localServer(always(403, "application/json", restBody));
    const { error } = await new RestClient(content, { siteUrl: url }).call(listItems, {}, { result: true });
    throw error;
  },
  "an error of a batch": async () => {
    const responses = [{ status: 403, body: JSON.parse(restBody) }];
    const [answer] = await batch(async () => ({ responses }), [{ method: "POST", path: "/items" }]);
    throw answer.ok ? new Error("The answer has no error.") : answer.error;
  },
};

const notice = "received from another service. The client receives the text of an internal error.";

describe.each(Object.entries(callers))("%s of another service", (_, callOther) => {
  const places = ["handler", "use", "authenticate", "authorize"] as const;

  test.each(places)("that is thrown in %s is not for the callers over SOAP", async (place) => {
    const options = place === "handler" ? {} : { [place]: callOther };
    const handlers = place === "handler" ? { find: callOther } : {};
    const { send: sendSoap, incidents } = served(handlers, options);
    const answer = await sendSoap(message("soap11", findBody));
    const { send: sendFailing } = served({ find: () => Promise.reject(new Error("x")) });
    expect(answer).toEqual(await sendFailing(message("soap11", findBody)));
    expect(JSON.stringify([answer.headers, bodyOf(answer)])).not.toContain("SECRET");
    expectIncident(incidents, place);
  });

  test.each(places)("that is thrown in %s is not for the callers over REST", async (place) => {
    const incidents: ServerIncident[] = [];
    const onError = (incident: ServerIncident) => void incidents.push(incident);
    const options = place === "handler" ? { onError } : { onError, [place]: callOther };
    const answer = await send(place === "handler" ? site(options, callOther) : site(options), "GET /core/v2/items");
    const failing = site({}, () => Promise.reject(new Error("x")));
    const { status, body } = await send(failing, "GET /core/v2/items");
    expect([answer.status, answer.body]).toEqual([status, body]);
    expect(JSON.stringify([answer.headers, bodyOf(answer)])).not.toContain("SECRET");
    expectIncident(incidents, place);
  });

  /** The one incident has the whole error. */
  function expectIncident(incidents: readonly ServerIncident[], place: (typeof places)[number]): void {
    const text = place === "handler" ? notice : `The function in the option "${place}" threw an exception.`;
    expect(incidents).toHaveLength(1);
    const [{ kind, message: text2, error } = { kind: "", message: "", error: undefined }] = incidents;
    expect([kind, text2]).toEqual(["handler", expect.stringContaining(text)]);
    expect(error instanceof SoapFault || error instanceof RestError).toBe(true);
    expect(JSON.stringify(error)).toContain("SECRET-REASON");
  }
});

test("a handler can pass on parts of the error of another service in an error of its own", async () => {
  const rethrow = async () => {
    const error = await callers["a SOAP fault"]?.().catch((thrown: unknown) => thrown);
    throw error instanceof SoapFault ? new SoapFault({ code: error.code, reason: "Try later.", cause: error }) : error;
  };
  const { send: sendSoap } = served({ find: rethrow });
  const answer = await sendSoap(message("soap11", findBody));
  expect(gist(answer)).toMatch(/^500 soap:Client/);
  expect(bodyOf(answer)).toContain("Try later.");
  expect(bodyOf(answer)).not.toContain("SECRET");
});
