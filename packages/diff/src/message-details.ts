import { formatJson, joinNames } from "@bothends/generator/text";
import type { Difference } from "./compare/difference.js";
import type { RuleId } from "./rules/index.js";
import { inGroupText } from "./rules/member-names.js";
import type { Consequences } from "./rules/rule.js";

/** Returns the sentences that follow the first sentence about a difference, each with a space before it. */
export function formatDetails(difference: Difference, consequences: Consequences): string {
  return [
    formatAlternatives(difference),
    formatOtherMembers(difference),
    formatMemberContexts(difference),
    formatCounterparts(difference),
    formatOtherPresence(difference),
    formatContents(difference),
    formatOtherNames(difference),
    formatBodyHeader(difference),
    formatProtocols(difference),
    formatAddresses(difference),
    formatClientOption(difference, consequences),
    formatWrapperTypes(difference, consequences),
    formatUnaffectedCalls(difference, consequences),
    formatSamplePaths(difference, consequences),
    formatSampleTexts(difference),
    formatSharedPath(difference),
    formatAnsweringRoutes(difference),
    formatEndpointsWithNames(difference),
    formatLimitedArguments(difference),
  ].join("");
}

/** Names the alternatives of a removed or added operation in a sentence, with a space before it. */
function formatAlternatives({ alternatives = [], before }: Difference): string {
  const names = [...new Set(alternatives.map((item) => ("route" in item ? item.route : item.uniqueName)))];
  const noun = before === undefined ? "old" : "new";
  if (names.length < 2) {
    return names.map((name) => ` Its ${noun} name may be ${name}, which has the same messages.`).join("");
  }
  return ` Its ${noun} name may be ${joinNames(names, "or")}, which are equally likely.`;
}

/** Explains the name of the members that a schema does not list. */
function formatOtherMembers({ subject }: Difference): string {
  return /\.\*(?=[.[]|$)/.test(subject) ? " Here, `*` stands for the members that the schema does not list." : "";
}

/** Names the contexts in which answers contain a changed member. */
function formatMemberContexts({ rule, memberContexts, hasOtherAnswers }: Difference): string {
  if (memberContexts === undefined) {
    return "";
  }
  const isRemoved = rule.startsWith("member-removed-");
  const [contain, is] = isRemoved ? ["contained", "was"] : ["contain", "is"];
  const values = joinNames(memberContexts, "or");
  const others =
    hasOtherAnswers === true ? `; in answers of operations that lack this argument, it ${is} optional` : "";
  return ` With the argument \`context\`, answers ${contain} the member only if the value ${is} ${values}${others}.`;
}

/** Names the items that belong to a change without being its subject. */
function formatCounterparts({ rule, counterparts = [] }: Difference): string {
  const [text = "", keptMember] = counterparts;
  const names = joinNames(counterparts, "and");
  const isOne = counterparts.length === 1;
  const texts: Partial<Record<RuleId, string>> = {
    "operation-split": `It was a part of ${names}.`,
    "operations-joined": `It is now a part of ${names}.`,
    "requests-became-ambiguous": `The other ${isOne ? "operation is" : "operations are"} ${names}.`,
    "requests-became-distinct": `The other ${isOne ? "operation was" : "operations were"} ${names}.`,
    "choice-branch-added": `The choice is now ${text}${keptMember === undefined ? "" : `; before, there was only ${keptMember}`}.`,
    "choice-branch-removed": `The choice was ${text}${keptMember === undefined ? "" : `; now there is only ${keptMember}`}.`,
    "member-added-required": `The branch now needs it: ${text}.`,
    "member-removed-required": `The branch was ${text}.`,
    "service-split": `The services are ${names}.`,
    "services-joined": `The services were ${names}.`,
  };
  const sentence = texts[rule];
  return sentence === undefined || counterparts.length === 0 || text.length > maxContentLength ? "" : ` ${sentence}`;
}

/** Says that a renamed or moved member also became required or optional. */
function formatOtherPresence({ rule, variant = "" }: Difference): string {
  const texts = new Map([
    ["requiredNow", "It also became required."],
    ["inGroupNow", `It is also required ${inGroupText} now.`],
    ["requiredBefore", "It also became optional."],
    ["inGroupBefore", `It was also required ${inGroupText} before.`],
    ["requiredNowInGroupBefore", `It was required only ${inGroupText} before, and is now always required.`],
    ["requiredBeforeInGroupNow", `It was always required before, and is now required only ${inGroupText}.`],
  ]);
  const text = rule === "member-renamed" || rule === "member-moved" ? texts.get(variant) : undefined;
  return text === undefined ? "" : ` ${text}`;
}

/** Names the members that moved into an added member or out of a removed one. */
function formatContents({ contents = [], before }: Difference): string {
  const verb = contents.length === 1 ? "was" : "were";
  const [form, change] = before === undefined ? ["contains", "removed"] : ["contained", "added"];
  return contents.length === 0 ? "" : ` It ${form} ${joinNames(contents, "and")}, which ${verb} ${change}: moved?`;
}

/** Lists further names that generated code no longer exports. */
function formatOtherNames({ otherNames = [] }: Difference): string {
  return otherNames.length === 0 ? "" : ` Generated code also no longer exports ${joinNames(otherNames, "and")}.`;
}

/** Names the header that causes another style of the body. */
function formatBodyHeader({ bodyHeader, after }: Difference): string {
  const [from, to] = after === "document" ? ["a header", "the body"] : ["the body", "a header"];
  return bodyHeader === undefined ? "" : ` The element ${bodyHeader} moved from ${from} to ${to}.`;
}

/** Names the only protocols whose clients are affected. */
function formatProtocols({ onlyProtocols = [] }: Difference): string {
  return onlyProtocols.length === 0 ? "" : ` Only clients that use ${joinNames(onlyProtocols, "or")} are affected.`;
}

/** Names the address that clients without options now call. */
function formatAddresses({ addresses }: Difference): string {
  const [before = "none", after = "none"] = addresses ?? [];
  return before === after ? "" : ` The address of the default protocol changed from ${before} to ${after}.`;
}

/** Names the option of the client with which calls without the changed argument compile. */
function formatClientOption({ clientOption }: Difference, { callers }: Consequences): string {
  return clientOption === undefined || callers === "none"
    ? ""
    : ` Code that sets the option \`${clientOption}\` of the client still compiles.`;
}

/** Names the exported types that contain a changed result, if only code that names them is affected. */
function formatWrapperTypes({ wrapperTypes = [] }: Difference, { callers, handlers }: Consequences): string {
  const [name, ...otherNames] = wrapperTypes;
  const types = otherNames.length === 0 ? `the exported type ${name}` : `exported types such as ${name}`;
  return name !== undefined && [callers, handlers].includes("some")
    ? ` Code that names ${types} may no longer compile.`
    : "";
}

/** Says that sample values show no effect on calls: the title suggests one. */
function formatUnaffectedCalls(difference: Difference, consequences: Consequences): string {
  return isWithoutEffect(difference, consequences)
    ? " Calls are not affected, because both versions read all values in the same way."
    : "";
}

/** Names a path that only one version matches, or says that there is none. */
function formatSamplePaths({ samplePaths }: Difference, { oldClients, newClients }: Consequences): string {
  const { before, after } = samplePaths ?? {};
  if (before !== undefined && after !== undefined) {
    return ` Only the old version matches ${before}, and only the new version matches ${after}.`;
  }
  if (before !== undefined || after !== undefined) {
    return ` Only the ${before === undefined ? "new" : "old"} version matches ${before ?? after}.`;
  }
  return samplePaths !== undefined && oldClients === "none" && newClients === "none"
    ? " Calls are not affected, because both versions match all paths that clients send."
    : "";
}

/** Names a text that only one version accepts. */
function formatSampleTexts({ sampleTexts }: Difference): string {
  const { before, after } = sampleTexts ?? {};
  const format = (text: string) =>
    formatJson(text.length > maxSampleLength ? `${text.slice(0, maxSampleLength)}…` : text);
  if (before !== undefined && after !== undefined) {
    return ` Only the old version accepts ${format(before)}, and only the new version accepts ${format(after)}.`;
  }
  return before === undefined && after === undefined
    ? ""
    : ` Only the ${before === undefined ? "new" : "old"} version accepts ${format(before ?? after ?? "")}.`;
}

/** Names a path that two routes match. */
function formatSharedPath({ sharedPath }: Difference): string {
  return sharedPath === undefined ? "" : ` Both routes match ${sharedPath}.`;
}

/** Names the routes of the other version that match the paths of a removed, added or renamed route. */
function formatAnsweringRoutes({ rule, answeringRoutes }: Difference): string {
  const isRenamed = rule === "route-renamed";
  const format = (version: "old" | "new", paths: string) => {
    const { route, path = isRenamed ? paths : "its paths" } = answeringRoutes?.[version] ?? {};
    const owner = isRenamed ? ` of the ${version} version` : "";
    return route === undefined ? "" : ` Another route${owner} matches ${path}: ${route}.`;
  };
  return format("new", "the old paths") + format("old", "the new paths");
}

/** Names the endpoints of other routes that have the names in code of removed or added endpoints. */
function formatEndpointsWithNames({ endpointsWithNames = [], before }: Difference): string {
  const isOne = endpointsWithNames.length === 1;
  const [verb, time] = before === undefined ? ["had", "before"] : [isOne ? "has" : "have", "now"];
  const names = isOne ? "its name" : "its names";
  return endpointsWithNames.length === 0
    ? ""
    : ` In code, ${joinNames(endpointsWithNames, "and")} ${verb} ${names} ${time}.`;
}

/** Names the arguments with limits in the only version that lists limits. */
function formatLimitedArguments({ limitedArguments = [], after }: Difference): string {
  const shownNames = limitedArguments.slice(0, maxLimitedArguments);
  const count = limitedArguments.length - shownNames.length;
  const names =
    count === 0 ? shownNames : [...shownNames, count === 1 ? "another argument" : `${count} other arguments`];
  const verb = after === undefined ? "now lists" : "listed";
  return names.length === 0 ? "" : ` The index ${verb} limits of ${joinNames(names, "and")}.`;
}

const maxLimitedArguments = 3;
const maxSampleLength = 60;
/** A longer content model does not help to understand a change. */
const maxContentLength = 120;

/** Whether sample values show that a difference has no effect on calls. */
function isWithoutEffect({ isSampled }: Difference, { oldClients, newClients }: Consequences): boolean {
  return isSampled === true && oldClients === "none" && newClients === "none";
}
