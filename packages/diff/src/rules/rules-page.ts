import { ruleGroups } from "./index.js";
import { type Direction, getConsequences, type Level, type Rule } from "./rule.js";

const levelWords: Readonly<Record<Level, string>> = {
  none: "–",
  tolerated: "tolerated",
  some: "may break",
  breaks: "breaks",
};

const introduction = `# The rules of the diff

\`bothends diff\` compares two states of your schemas and reports each change by a rule. This page is generated from the rules.

Each rule says whom the change affects:

- **Old clients**: clients of the old schemas that call a server of the new ones.
- **New clients**: clients of the new schemas that call a server of the old ones.
- **Callers**: TypeScript that calls the generated client, compiled again.
- **Handlers**: TypeScript of the handlers, compiled again.

and how:

- **breaks**: every affected call or use fails. Code that does not use the changed item is not affected.
- **may break**: some values or uses fail.
- **tolerated**: nothing fails, but something is lost, or only a peer that is stricter than a generated one refuses it.
- **–**: nothing happens.

A change in a type that is sent in both directions is one entry of a report and has a fingerprint for each direction; \`--format json\` has an object for each. *Input* is what clients send, *output* what servers answer.

## Accept changes

\`--allow\` names the worst level to accept: \`none\`, \`tolerated\` (the default), \`some\` (may break) or \`breaks\`. A change that is worse ends
\`bothends diff\` with exit code 1. \`--allow accepted.json\` accepts single changes by their fingerprints, each with a reason:

\`\`\`json
{ "allow": [{ "fingerprint": "d53fa3bc7841", "reason": "No client sends it." }] }
\`\`\`

A fingerprint is made of the rule, the subject, the values and the consequences, so it stays the same when lines move. For changes that several operations
share, such as a header, a fault or a namespace, the names of these operations are part of it too. So an entry does not accept a change that
gets other values, becomes worse, or affects other operations: renew the entry then. The first four digits are made of the rule and the
subject only, so the report of an entry that matches no change names the new fingerprint of the same change.

## What is not compared

- **Status codes of REST answers.** An index does not state them. The handler chooses the status, or the server's conventions do (201 for a created object), and
  generated clients accept every status of 2xx. So the schemas cannot show that a status changed.
- **Error codes and texts of REST servers.** An index does not state them either. Faults that a WSDL declares are compared.
- **Whether a server enforces its policies.** A WSDL only states the policies. Assertions of policies, their nesting and their alternatives are compared.
- **Transports other than HTTP.** A SOAP binding for another transport is read as one for HTTP, and \`generate\` warns of it.
- **Limits that WordPress does not list.** The index of an old WordPress lists no limits of arguments, such as \`maximum\`, and generated servers then
  apply those of WordPress 6.1. If an index begins to list limits, they are reported as added, and the others no longer apply.
- **Types that no operation uses.** They are in no message and in no package.
- **Examples and the order of operations, routes and types.** They change no message.
`;

/** Returns the documentation page that lists all rules, in Markdown. */
export function rulesPage(): string {
  const groups = ruleGroups.map(({ title, rules }) => `\n## ${title}\n${rules.map(formatRuleSection).join("")}`);
  return `${introduction}${groups.join("")}`;
}

function formatRuleSection(rule: Rule): string {
  const lines = [
    ["| | old clients | new clients | callers | handlers |", "|---|---|---|---|---|"],
    formatRows(rule, undefined, ""),
    ...Object.entries(rule.variants ?? {}).map(([variant, { when }]) =>
      when === undefined ? [] : formatRows(rule, variant, ` if ${when}`),
    ),
  ].flat();
  const notes = [
    `${rule.title} ${rule.reason}`,
    ...(rule.undecided === undefined ? [] : [`The worst case is reported, because ${rule.undecided}.`]),
    ...(rule.strict === undefined ? [] : [rule.strict]),
    ...(rule.mirror === undefined ? [] : [`The opposite is \`${rule.mirror}\`.`]),
  ];
  return `\n### ${rule.id}\n\n${notes.join(" ")}\n\n${lines.join("\n")}\n`;
}

function formatRows(rule: Rule, variant: string | undefined, condition: string): readonly string[] {
  const onlyDirection = variant === undefined ? undefined : rule.variants?.[variant]?.direction;
  const directionsOfVariant = onlyDirection === undefined ? (["input", "output"] as const) : [onlyDirection];
  const directions: readonly (Direction | undefined)[] = rule.kind === "exchange" ? directionsOfVariant : [undefined];
  return directions.map((direction) => {
    const { oldClients, newClients, callers, handlers } = getConsequences(rule, { variant, direction });
    const cells = [oldClients, newClients, callers, handlers].map((level) => levelWords[level]);
    return `| ${direction ?? "calls"}${condition} | ${cells.join(" | ")} |`;
  });
}
