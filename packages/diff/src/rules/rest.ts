import { type Rule, restAbsence, toNewReader, toOldReader } from "./rule.js";

/** If a request omits an argument, the server uses its default, also if the argument is required. */
const formatMissingArgument = (server: "The new" | "The old") =>
  `${server} server refuses requests without the argument, unless the argument has a default.`;
/** A server may try another route for the paths of a route that it does not have. */
const formatMissingRoute = (server: "The new" | "An old") =>
  `${server} server answers 404, unless another route matches the path and accepts the method: then the handler of that route answers, unless the route refuses the arguments. If it accepts all arguments and has the same type of answers, the change is tolerated.`;
const movedCondition = "an endpoint of another route has its name in code in the other version";
const keptNameText = "Code that uses the endpoint by its name still compiles.";
const unknownArgumentsText = "A server ignores unknown arguments.";
const inPathCondition = "the argument is a variable of the path, whose change is reported for the route";
const hiddenLimitsText =
  "If no argument in an index has a limit, such as `maximum`, servers apply the limits that old WordPress versions have but do not list. If any argument has a limit, servers apply only the listed limits.";

/**
 * Rules about routes, methods, arguments and answers of REST interfaces. `Verdict` in `rule.ts` explains the letters of
 * verdicts.
 */
export const restRules = [
  {
    id: "route-added",
    kind: "call",
    title: "A route was added.",
    verdict: "N S N B",
    variants: { moved: { when: movedCondition, verdict: "N S N N", reason: keptNameText } },
    reason: [
      formatMissingRoute("An old"),
      { effects: "readingCode", breaks: "Existing handler code does not compile until it implements the route." },
    ],
    oppositeRule: "route-removed",
  },
  {
    id: "route-removed",
    kind: "call",
    title: "A route was removed.",
    verdict: "B N B S",
    variants: { moved: { when: movedCondition, verdict: "B N N N", reason: keptNameText } },
    reason: formatMissingRoute("The new"),
    oppositeRule: "route-added",
  },
  {
    id: "route-renamed",
    kind: "call",
    title: "A route was probably renamed.",
    verdict: "B B B B",
    reason:
      "A route was removed, and a similar route was added. The diff infers the rename from their paths, methods and arguments. A server answers 404 for the path of the other version, unless another route matches it and accepts the method: then the handler of that route answers, unless the route refuses the arguments. If it accepts all arguments and has the same type of answers, the change is tolerated.",
  },
  {
    id: "route-version-changed",
    kind: "call",
    title: "The routes of a namespace moved to another version.",
    verdict: "B B N N",
    reason:
      "The addresses of the routes contain the version, so calls fail between an old and a new version. Names in code that changed with the version are reported separately: they contain it only if the index has several versions of the namespace.",
  },
  {
    id: "route-parameter-renamed",
    kind: "call",
    title: "The name of a route's variable changed.",
    verdict: "N N B B",
    reason:
      "The address contains the value of the variable, not its name. Code that uses the old name no longer compiles.",
  },
  {
    id: "route-pattern-changed",
    kind: "call",
    title: "The pattern of a route changed.",
    verdict: "S S N N",
    variants: {
      optionalNow: { when: "a part of the path became optional", verdict: "N S N B" },
      optionalBefore: { when: "an optional part of the path became required", verdict: "S N B N" },
      optionalElsewhere: {
        when: "a part of the path became optional, and another part became required",
        verdict: "S S B B",
      },
    },
    reason:
      "A server answers 404 for an address that the route's pattern does not match. The diff compares all addresses that the clients of both versions send.",
    undecided: "the diff cannot compare complex patterns, or found no path that shows the effect",
  },
  {
    id: "route-precedence-changed",
    kind: "call",
    title: "Another route answers paths of the route.",
    verdict: "S S N N",
    variants: {
      wordpress: {
        when: "only the order of the routes decides, and generated servers do not use this order",
        title: "In WordPress, another route answers paths of the route.",
        verdict: "T T N N",
      },
    },
    reason:
      "Two routes match the same path. If one of them matches all paths of the other, a generated server tries the narrower route first; otherwise, it tries them in the order of the index.",
    strictPeers: "WordPress tries all routes in the order in which plug-ins register them, which is that of the index.",
  },
  {
    id: "method-added",
    kind: "call",
    title: "A route gained a method.",
    verdict: "N S N B",
    variants: {
      shared: { when: "an existing endpoint of the route accepts the method", verdict: "N S N N" },
      moved: { when: movedCondition, verdict: "N S N N", reason: keptNameText },
    },
    reason: [
      formatMissingRoute("An old"),
      { effects: "readingCode", breaks: "A method with a separate endpoint needs a handler." },
    ],
    oppositeRule: "method-removed",
  },
  {
    id: "method-removed",
    kind: "call",
    title: "A route lost a method.",
    verdict: "B N B S",
    variants: {
      shared: {
        when: "the endpoint accepts other methods",
        verdict: "B N S N",
        reason: "Code that passes the removed method as the option `method` compiles, but the client throws an error.",
      },
      moved: { when: movedCondition, verdict: "B N N N", reason: keptNameText },
    },
    reason: formatMissingRoute("The new"),
    oppositeRule: "method-added",
  },
  {
    id: "default-method-changed",
    kind: "call",
    title: "The default method of an endpoint changed.",
    verdict: "N N N N",
    variants: {
      added: { when: "the old version does not accept the new method", verdict: "N B N N" },
      removed: { when: "the new version does not accept the old method", verdict: "B N N N" },
      replaced: { when: "neither version accepts the default method of the other", verdict: "B B N N" },
    },
    reason:
      "A call without the option `method` sends the first method of its endpoint. If a server does not accept the method, it answers 404. If another endpoint of the route accepts the method, the handler of that endpoint answers, so some calls may fail.",
  },
  {
    id: "argument-added-required",
    kind: "exchange",
    title: "A required argument was added.",
    verdict: "B T B N",
    variants: { default: { when: "the argument has a default", verdict: "N T B N" } },
    reason: `${formatMissingArgument("The new")} ${unknownArgumentsText}`,
    oppositeRule: "argument-removed-required",
  },
  {
    id: "argument-removed-required",
    kind: "exchange",
    title: "A required argument was removed.",
    verdict: "T B B B",
    variants: { default: { when: "the argument had a default", verdict: "T N B B" } },
    reason: `${formatMissingArgument("The old")} ${unknownArgumentsText}`,
    oppositeRule: "argument-added-required",
  },
  {
    id: "argument-added-optional",
    kind: "exchange",
    title: "An optional argument was added.",
    verdict: "N T N N",
    variants: { inPath: { when: inPathCondition, verdict: "N N N N", direction: "input" } },
    reason: [{ effects: "oldReader", tolerated: unknownArgumentsText }],
    oppositeRule: "argument-removed-optional",
  },
  {
    id: "argument-removed-optional",
    kind: "exchange",
    title: "An optional argument was removed.",
    verdict: "T N B B",
    variants: { inPath: { when: inPathCondition, verdict: "N N B B", direction: "input" } },
    reason: [{ effects: "newReader", tolerated: unknownArgumentsText }],
    oppositeRule: "argument-added-optional",
  },
  {
    id: "argument-renamed",
    kind: "exchange",
    title: "An argument was probably renamed.",
    verdict: "B B B B",
    variants: { optional: { when: "the argument is optional or has a default", verdict: "T T B B" } },
    reason:
      "A server ignores the name that it does not know, and refuses requests without a required argument that has no default. The diff infers the rename from the type, the presence and the name.",
  },
  {
    id: "argument-became-required",
    kind: "exchange",
    title: "An optional argument became required.",
    verdict: "S N B N",
    variants: { default: { when: "the argument has a default", verdict: "N N B N" } },
    reason: formatMissingArgument("The new"),
    oppositeRule: "argument-became-optional",
  },
  {
    id: "argument-became-optional",
    kind: "exchange",
    title: "A required argument became optional.",
    verdict: "N S N B",
    variants: { default: { when: "the argument has a default", verdict: "N N N B" } },
    reason: [formatMissingArgument("The old"), restAbsence],
    oppositeRule: "argument-became-required",
  },
  {
    id: "default-became-invalid",
    kind: "exchange",
    title: "The default of an argument no longer matches the argument's schema.",
    verdict: "S N N N",
    variants: {
      added: {
        when: "the argument was added",
        title: "The default of an added argument does not match its schema",
        verdict: "B N N N",
      },
      required: {
        when: "the old version requires the argument, so old clients always send it",
        verdict: "N N N N",
      },
    },
    reason: [
      toNewReader("If a request omits the argument, the new server checks the default, and refuses the request."),
    ],
    oppositeRule: "default-became-valid",
  },
  {
    id: "default-became-valid",
    kind: "exchange",
    title: "The default of an argument now matches the argument's schema.",
    verdict: "N S N N",
    variants: {
      removed: {
        when: "the argument was removed",
        title: "An argument whose default did not match its schema was removed",
        verdict: "N B N N",
      },
      required: {
        when: "the new version requires the argument, so new clients always send it",
        verdict: "N N N N",
      },
    },
    reason: [
      toOldReader("If a request omits the argument, the old server checks the default, and refuses the request."),
    ],
    oppositeRule: "default-became-invalid",
  },
  {
    id: "hidden-limits-added",
    kind: "call",
    title: "Because the index no longer lists any limits, servers now apply limits of WordPress to arguments.",
    verdict: "S N N N",
    reason: `The new server refuses values beyond the limits. ${hiddenLimitsText}`,
    oppositeRule: "hidden-limits-removed",
  },
  {
    id: "hidden-limits-removed",
    kind: "call",
    title:
      "Because the index now lists limits of some arguments, servers no longer apply limits of WordPress to others.",
    verdict: "N S N N",
    reason: `The old server refuses values beyond the limits. ${hiddenLimitsText}`,
    oppositeRule: "hidden-limits-added",
  },
  {
    id: "keyword-changed",
    kind: "exchange",
    title: "A keyword that restricts no values changed.",
    verdict: "N N N N",
    reason: "Servers do not check the keyword, and the type of the value is the same.",
  },
  {
    id: "answer-keyword-changed",
    kind: "exchange",
    title: "A restriction of a value in answers changed.",
    verdict: "T T N N",
    reason: "Clients do not check this restriction, and the type of the value stays the same.",
    strictPeers: "A client that validates answers may refuse a value that its schema does not allow.",
  },
  {
    id: "answer-declared",
    kind: "call",
    title: "The type of an answer is now declared.",
    verdict: "N N S S",
    reason: "Code that assumed a different type no longer compiles. The answers are the same.",
    oppositeRule: "answer-undeclared",
  },
  {
    id: "answer-undeclared",
    kind: "call",
    title: "The type of an answer is no longer declared.",
    verdict: "N N B S",
    reason:
      "In the code of callers, the answer can be any JSON value. Code of handlers that imports the type of the answer no longer compiles, unless another answer has the type. The answers are the same.",
    oppositeRule: "answer-declared",
  },
  {
    id: "answer-contexts-changed",
    kind: "call",
    title: "The values of `context` that determine the type of an answer in code changed.",
    verdict: "N N B B",
    variants: {
      type: {
        when: "a named type belongs to another context",
        title: "In code, the name of a type now stands for its members in another context.",
        verdict: "N N B B",
      },
      named: {
        when: "the schema of a member became that of a type with a name, which has the members of all contexts",
        title: "The type of a member has a name now, and in code the members of all contexts.",
        verdict: "N N B B",
      },
      unnamed: {
        when: "the schema of a member is no longer that of a type with a name",
        title: "The type of a member has no name any more, and in code only the members of its context.",
        verdict: "N N B B",
      },
    },
    reason:
      "In code, an answer has the members of its context. Without the argument `context`, it may have the members of all contexts. Without an enumeration, every answer has the members of the default context, which is the first in the list. Callers that read members that the new type lacks, and handlers that omit members that it requires, no longer compile. Changes of the answers themselves are reported separately.",
  },
  {
    id: "base-path-changed",
    kind: "call",
    title: "The path of the interface changed.",
    verdict: "B B N N",
    reason: "Every address begins with the path.",
  },
  {
    id: "base-variable-renamed",
    kind: "call",
    title: "The name of a variable in the base path changed.",
    verdict: "N N S N",
    reason:
      "The address contains the value of the variable, not its name. Code that creates clients with the option of the old name no longer compiles.",
  },
  {
    id: "base-values-changed",
    kind: "call",
    title: "The allowed values of a variable in the base path changed.",
    verdict: "S S S N",
    variants: {
      added: { when: "values were added, and none removed", verdict: "N S N N" },
      removed: { when: "values were removed, and none added", verdict: "S N S N" },
      default: { when: "the values are the same, but a different value is first", verdict: "N T N N" },
    },
    reason:
      "A server answers 404 for a value that it does not know. Clients that do not set the variable's option send the first value.",
  },
  {
    id: "base-language-changed",
    kind: "call",
    title: "The setting `base.language` changed: servers read the language of a call from another place.",
    verdict: "T T N S",
    variants: {
      gained: {
        when: "only calls without a language gained one",
        title: "The setting `base.language` changed: servers now read the language of calls that had none.",
        verdict: "T T N N",
      },
    },
    reason:
      "Only servers use the setting: requests and the code of clients are the same. Handlers find another language in `context.language`, or none, so their answers may differ. The address `home` in a served index may contain another language.",
  },
  {
    id: "authentication-added",
    kind: "call",
    title: "The index lists an additional way to authenticate.",
    verdict: "N S N N",
    reason: "An old server may not support the new way to authenticate.",
    undecided: "an index does not say which routes need authentication",
    oppositeRule: "authentication-removed",
  },
  {
    id: "authentication-removed",
    kind: "call",
    title: "The index no longer lists a way to authenticate.",
    verdict: "S N N N",
    reason: "The new server may no longer support this way to authenticate.",
    undecided: "an index does not say which routes need authentication",
    oppositeRule: "authentication-added",
  },
  {
    id: "batch-added",
    kind: "call",
    title: "An endpoint now allows calls in a batch.",
    verdict: "N S N N",
    reason: "An old server refuses the call if it is part of a batch.",
    undecided: "only clients that send batches are affected",
    oppositeRule: "batch-removed",
  },
  {
    id: "batch-removed",
    kind: "call",
    title: "An endpoint no longer allows calls in a batch.",
    verdict: "S N N N",
    reason: "The new server refuses the call if it is part of a batch.",
    undecided: "only clients that send batches are affected",
    oppositeRule: "batch-added",
  },
  {
    id: "links-changed",
    kind: "call",
    title: "The links in the index changed.",
    verdict: "T T N N",
    reason: "Links are for navigation. A program that looks up a link by name may no longer find it.",
  },
] as const satisfies readonly Rule[];
