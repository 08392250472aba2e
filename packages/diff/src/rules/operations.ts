import { type Rule, toNewReader, toOldReader, toReaders } from "./rule.js";

const lastOfAnswerText =
  "answers and faults keep no header, so code that sends the header compiles, but the header is not sent";

/**
 * Rules about SOAP operations, their messages and their bindings. `Verdict` in `rule.ts` explains the letters of
 * verdicts.
 */
export const operationRules = [
  {
    id: "operation-added",
    kind: "call",
    title: "An operation was added.",
    verdict: "N S N B",
    reason:
      "An old server does not contain the operation. Existing handler code does not compile until it implements the operation.",
    oppositeRule: "operation-removed",
  },
  {
    id: "operation-removed",
    kind: "call",
    title: "An operation was removed.",
    verdict: "B N B S",
    reason: "The new server refuses calls to the operation.",
    oppositeRule: "operation-added",
  },
  {
    id: "operation-split",
    kind: "call",
    title: "The messages of an operation now differ between ports, so it became several operations in generated code.",
    verdict: "N N S B",
    reason:
      "Changes to the messages are reported separately. Callers that choose the protocol of such a port must call a different method.",
    oppositeRule: "operations-joined",
  },
  {
    id: "operations-joined",
    kind: "call",
    title:
      "The messages of an operation no longer differ between ports, so several operations became one operation in generated code.",
    verdict: "N N B B",
    reason:
      "Changes to the messages are reported separately. The separate methods for the other ports no longer exist.",
    oppositeRule: "operation-split",
  },
  {
    id: "operation-renamed",
    kind: "call",
    title: "An operation was probably renamed.",
    verdict: "B B B B",
    reason:
      "An operation was removed, and a similar operation was added. The diff infers the rename from their names and messages.",
  },
  {
    id: "operation-moved",
    kind: "call",
    title: "An operation moved to another service.",
    verdict: "B B B B",
    reason:
      "Clients call the operation at the service that contains it in their WSDL. At that service, a server of the other version refuses the call. In generated code, each service has its own class and handlers. If the services have different namespaces, the names in the messages and the actions of the operation have the new namespace; this is not reported separately. A service whose operations all moved is not reported as added or removed.",
  },
  {
    id: "operation-name-changed",
    kind: "call",
    title: "The name of an operation changed, but its request did not.",
    verdict: "N N B B",
    reason:
      "In document style, messages do not contain the name of the operation: a server chooses the operation by the element in the body or, if several operations have the same element or none, by the SOAPAction. Code that uses the old name no longer compiles.",
  },
  {
    id: "operation-name-exchanged",
    kind: "call",
    title: "Operations exchanged their names, but not their requests.",
    verdict: "N N B B",
    reason:
      "A server recognizes the requests by their elements, actions or HTTP locations, which the operations keep. Code that uses the old name of an operation now calls or implements another operation. Such code compiles if the TypeScript types of both operations are compatible.",
  },
  {
    id: "input-element-changed",
    kind: "call",
    title: "The name of the request's element changed.",
    verdict: "B B N N",
    reason: "A server chooses the operation by the name of the element in the body of the request.",
  },
  {
    id: "output-element-changed",
    kind: "call",
    title: "The name of the answer's element changed.",
    verdict: "B B N N",
    reason: "A client refuses an answer whose element is not the one in the client's WSDL.",
  },
  {
    id: "soap-action-changed",
    kind: "call",
    title: "The SOAPAction changed.",
    verdict: "B B N N",
    variants: {
      ignored: {
        when: "SOAP 1.2 requests do not contain the action, or servers ignore it",
        verdict: "N N N N",
      },
    },
    reason: [
      {
        effects: ["newReader", "oldReader"],
        some: "A server refuses a SOAP 1.1 request whose SOAPAction contradicts its body, and a SOAP 1.2 request with the action of another operation.",
      },
      "Clients that use another protocol of the operation are not affected.",
    ],
  },
  {
    id: "addressing-changed",
    kind: "call",
    title: "The WS-Addressing actions of an operation changed.",
    verdict: "T T N N",
    reason: "Generated servers do not use addressing headers to choose the operation.",
    strictPeers: "A peer that checks addressing headers refuses an action that its WSDL does not declare.",
  },
  {
    id: "addressing-added",
    kind: "call",
    title: "An operation now supports WS-Addressing.",
    verdict: "N T N N",
    variants: { required: { when: "requests must contain addressing headers", verdict: "T B N N" } },
    reason: [
      toOldReader(
        "Clients send addressing headers if they are required. An old server does not understand the headers, and refuses the request.",
        "Clients omit addressing headers that are optional.",
      ),
    ],
    strictPeers: "An old server also refuses the headers of a client that sends them although they are optional.",
    oppositeRule: "addressing-removed",
  },
  {
    id: "addressing-removed",
    kind: "call",
    title: "An operation no longer supports WS-Addressing.",
    verdict: "T N N N",
    variants: { required: { when: "requests had to contain addressing headers", verdict: "B T N N" } },
    reason: [
      toNewReader(
        "Old clients send addressing headers if they were required. The new server does not understand the headers, and refuses the request.",
        "Clients omit addressing headers that are optional.",
      ),
    ],
    strictPeers: "The new server also refuses the headers of a client that sends them although they were optional.",
    oppositeRule: "addressing-added",
  },
  {
    id: "addressing-became-required",
    kind: "call",
    title: "Requests must now contain addressing headers.",
    verdict: "T N N N",
    reason: "Generated servers also accept requests without the headers.",
    strictPeers: "A peer that checks addressing headers refuses a request without them.",
    oppositeRule: "addressing-became-optional",
  },
  {
    id: "addressing-became-optional",
    kind: "call",
    title: "Requests no longer need addressing headers.",
    verdict: "N T N N",
    reason: "Generated servers also accept requests without the headers.",
    strictPeers: "A peer that checks addressing headers refuses a request without them.",
    oppositeRule: "addressing-became-required",
  },
  {
    id: "http-location-changed",
    kind: "call",
    title: "The HTTP location of an operation changed.",
    verdict: "B B N N",
    reason: "A server chooses the operation by the location in the address of the request.",
  },
  {
    id: "style-changed",
    kind: "call",
    title: "The style of an operation changed.",
    verdict: "B B N N",
    reason: [
      "The style determines which element contains the parts of a message, and the namespaces of their names.",
      toReaders("A reader does not expect the names of the other style."),
      "Members that changed as well are reported separately.",
    ],
  },
  {
    id: "encoding-changed",
    kind: "call",
    title: "The encoding of an operation changed.",
    verdict: "S S N N",
    variants: { members: { when: "members may be nil only in encoded messages", verdict: "S S B B" } },
    reason: "Encoded values have types and references that a literal reader does not expect.",
  },
  {
    id: "output-added",
    kind: "call",
    title: "A one-way operation now has an answer.",
    verdict: "T B S B",
    reason:
      "A new client waits for an answer that an old server does not send. Callers that pass the result on as `Promise<void>` no longer compile.",
    oppositeRule: "output-removed",
  },
  {
    id: "output-removed",
    kind: "call",
    title: "An operation became one-way, so it no longer has an answer.",
    verdict: "B T B B",
    reason: "An old client waits for an answer that the new server does not send.",
    oppositeRule: "output-added",
  },
  {
    id: "result-in-code-changed",
    kind: "call",
    title: "The form of a call's result changed in generated code.",
    verdict: "N N B B",
    variants: {
      wasEmpty: { when: "a call had no result", verdict: "N N S B" },
    },
    reason:
      "If the wrapper element of the answer has one member, a call returns this member. If it has several members, a call returns an object. If it has none, a call returns nothing.",
  },
  {
    id: "input-became-required",
    kind: "call",
    title: "Calls can no longer omit the input, because its TypeScript type changed.",
    verdict: "N N S N",
    reason:
      "The input can still be `{}`, but code that calls the method without an argument no longer compiles. A method needs an argument if the input has groups of elements, or if an option of the client can provide a member.",
    oppositeRule: "input-became-optional",
  },
  {
    id: "input-became-optional",
    kind: "call",
    title: "Calls can now omit the input, because its TypeScript type changed.",
    verdict: "N N N N",
    reason: "Code that calls the method with an argument still compiles.",
    oppositeRule: "input-became-required",
  },
  {
    id: "header-added",
    kind: "exchange",
    title: "A header was added.",
    verdict: "N T N N",
    reason:
      "An old peer ignores the header. WSDL 1.1 does not define whether a header is required, so headers are treated as optional.",
    oppositeRule: "header-removed",
  },
  {
    id: "header-removed",
    kind: "exchange",
    title: "A header was removed.",
    verdict: "T N B B",
    variants: {
      lastOfRequest: {
        when: "the request keeps no header, so code that sends the header compiles, but throws a `ConfigError`",
        direction: "input",
        verdict: "T N S B",
      },
      lastOfAnswer: { when: lastOfAnswerText, direction: "output", verdict: "T N T B" },
    },
    reason:
      "The new peer ignores the header. WSDL 1.1 does not define whether a header is required, so headers are treated as optional.",
    oppositeRule: "header-added",
  },
  {
    id: "header-fault-added",
    kind: "exchange",
    title: "A header of faults was declared.",
    verdict: "N T N N",
    reason:
      "A handler that throws a fault may send the header. An old client ignores it, so the caller does not receive its value.",
    oppositeRule: "header-fault-removed",
  },
  {
    id: "header-fault-removed",
    kind: "exchange",
    title: "A header of faults is no longer declared.",
    verdict: "T N B B",
    variants: { lastOfAnswer: { when: lastOfAnswerText, direction: "output", verdict: "T N T B" } },
    reason:
      "A new client ignores the header of an old server's faults. Code that sends the header with `sendSoapHeaders`, or reads it in `onAnswer`, no longer compiles.",
    oppositeRule: "header-fault-added",
  },
  {
    id: "fault-added",
    kind: "call",
    title: "A fault was declared.",
    verdict: "T N N N",
    reason: "An old client does not know the fault, so it throws a general `SoapFault`.",
    oppositeRule: "fault-removed",
  },
  {
    id: "fault-removed",
    kind: "call",
    title: "A fault is no longer declared.",
    verdict: "N T B B",
    variants: { declaredElsewhere: { when: "another operation still declares the fault", verdict: "N T T T" } },
    reason: [
      "A new client does not know the fault, so it throws a general `SoapFault`.",
      {
        effects: ["writingCode", "readingCode"],
        some: "Code that catches or throws the fault's class no longer compiles.",
        tolerated:
          "Another operation still declares the fault, so code that uses its class compiles, but this operation no longer throws the class.",
      },
    ],
    oppositeRule: "fault-added",
  },
  {
    id: "fault-renamed",
    kind: "call",
    title: "A fault was renamed.",
    verdict: "N N B B",
    variants: { sameCode: { when: "no name in generated code changed", verdict: "N N N N" } },
    reason:
      "Messages contain the element of the fault, not its name. If the name of its class changed in generated code, code that uses the old name no longer compiles.",
  },
  {
    id: "fault-element-changed",
    kind: "call",
    title: "The name of a fault's element changed.",
    verdict: "T T N N",
    reason: "A client does not know the other version's element, so it throws a general `SoapFault`.",
  },
  {
    id: "soap-action-became-sent",
    kind: "call",
    title: "SOAP 1.2 requests now contain their action.",
    verdict: "N T N N",
    variants: { required: { when: "other requests begin with the same element", verdict: "B N N N" } },
    reason: "Servers use the action to choose between operations whose requests begin with the same element.",
    strictPeers: "A peer that requires the action refuses a request without it.",
    oppositeRule: "soap-action-became-unsent",
  },
  {
    id: "soap-action-became-unsent",
    kind: "call",
    title: "SOAP 1.2 requests no longer contain their action.",
    verdict: "T N N N",
    variants: { required: { when: "other requests began with the same element", verdict: "N B N N" } },
    reason: "Servers use the action to choose between operations whose requests begin with the same element.",
    strictPeers: "A peer that requires the action refuses a request without it.",
    oppositeRule: "soap-action-became-sent",
  },
  {
    id: "requests-became-ambiguous",
    kind: "call",
    title: "Another operation now has the same requests.",
    verdict: "B N N N",
    reason: "A server refuses requests that have the element and the action of two operations.",
    oppositeRule: "requests-became-distinct",
  },
  {
    id: "requests-became-distinct",
    kind: "call",
    title: "No other operation has the same requests any more.",
    verdict: "N B N N",
    reason: "A server refuses requests that have the element and the action of two operations.",
    oppositeRule: "requests-became-ambiguous",
  },
  {
    id: "http-parameters-moved",
    kind: "call",
    title: "The parameters of an HTTP operation moved between the path and the query.",
    verdict: "B B N N",
    reason: "A server looks for the parameters only where its WSDL places them.",
  },
  {
    id: "attachment-types-changed",
    kind: "exchange",
    title: "The media types of an attachment changed.",
    verdict: "S S N N",
    reason: "A reader may refuse an attachment with a media type that its WSDL does not declare.",
    undecided: "the diff does not determine which media types a reader accepts",
  },
] as const satisfies readonly Rule[];
