import { consequenceColumns, describeRule, listConsequenceRows } from "./describe-rule.js";
import { ruleGroups } from "./index.js";
import { checkedAnswersText, type Rule } from "./rule.js";

const introduction = `# The rules of the diff

\`bothends diff\` compares two versions of your schemas and reports each change by a rule. This page is generated from the rules.

Each rule says whom the change affects:

- **Old clients**: clients generated from the old schemas that call a server generated from the new schemas.
- **New clients**: clients generated from the new schemas that call a server generated from the old schemas.
- **Callers**: TypeScript code that calls the generated client and is compiled again.
- **Handlers**: TypeScript code of the handlers that is compiled again.

and how:

- **breaks**: every affected call or use fails. Code that does not use the changed item is not affected.
- **may break**: some values or uses fail, or a reader loses a part of a list.
- **tolerated**: no generated code fails, but a value is lost, or a peer that is stricter than generated code refuses the message.
- **–**: nothing happens.

If a changed type is sent in both directions, a report has one entry for the change, with a fingerprint for each direction; \`--format json\` has an
object for each direction. *Input* means requests, *output* means answers.

The reasons for the consequences are below the title of a rule. Bold words before a reason say when it applies: if the level is \`tolerated\`,
only in SOAP interfaces or only in REST interfaces, or under a condition of the table.

Clients tolerate each change that only the details of faults contain: a client that cannot read the detail of a fault throws a general \`SoapFault\` with
the same reason.

${checkedAnswersText} Therefore no change of such an answer breaks
every use: if a table says **breaks** for the clients that read a changed item, the report says **may break**.

Handlers of REST interfaces may return members that the type of the answer does not contain: TypeScript accepts them in the result of a function expression. Only
objects whose type is named no longer compile. Therefore, if a table says **breaks** for handlers that write a removed member, the report says **may break**.

If the schema of an object in an index lists no members, or allows further ones, clients and servers may already use a member that the other version
adds or removes, with another type. For such a member, the report shows the consequences of its type and of the type that the other version has for further
members, not those of the rule.

Code can also use a type apart from its values: it extends the type of an object with \`extends\` or \`implements\`, or lists every value of an enumeration in a
\`switch\` or a \`Record\`. The packages of both sides export all types. Therefore, if an enumeration has more values or none any more, or the type of an object became a union, the
report says **may break** for callers and for handlers, in requests and in answers.

## Accept changes

\`--allow\` names the worst level to accept: \`none\`, \`tolerated\` (the default), \`some\` (may break) or \`breaks\`. A change that is worse ends
\`bothends diff\` with exit code 1. \`--allow accepted.json\` accepts single changes by their fingerprints, each with a reason:

\`\`\`json
{ "allow": [{ "fingerprint": "d53fa3bc7841", "reason": "No client sends it." }] }
\`\`\`

A fingerprint depends on the rule, the subject, the values and the consequences, so it stays the same when lines move. If several operations share
a change, for example of a header, a fault, a namespace or a member that all their messages have, the fingerprint also depends on the names of these
operations. Therefore an entry no longer accepts a change that gets different values, becomes worse, or affects different operations: replace its fingerprint then. The first four digits depend
only on the rule and the subject, so for an entry that matches no change, the report names the new fingerprint of the same change.

If at least three changes differ only in their subjects and positions, for example because a plugin was removed with all its routes, the report
has one entry for all of them: a group, with its own fingerprint. An entry of an allow list with this fingerprint accepts the whole group. The
fingerprints of the single changes, which \`--verbose\` and \`--format json\` show, remain valid. If a change joins or leaves the group, the group gets
another fingerprint.

## What is not compared

- **Status codes of REST answers.** An index does not contain them. The handler or the server's conventions choose the status (201 for a created object), and
  generated clients accept every 2xx status. So the schemas cannot show that a status changed.
- **Error codes and texts of REST servers.** An index does not contain them either. The diff compares the faults that a WSDL declares.
- **Whether a server enforces its policies.** A WSDL only declares policies. The diff compares policy assertions, their nesting and their alternatives.
- **Transports other than HTTP.** A SOAP binding for another transport is read as a binding for HTTP, and \`generate\` warns about it.
- **WS-Addressing actions without WS-Addressing.** If neither the binding nor the port declares WS-Addressing, no message contains the actions that a port type
  declares.
- **Types that no operation uses.** No message and no generated package contains them.
- **Combinations of elements that are too many or unknown.** If a member enters or leaves a repeated group while other members are added or removed, or if
  content models contain wildcards or have too many combinations, \`content-model-changed\` reports the worst case and says so.
- **Declared elements and attributes in wildcards.** If a type has a wildcard, such as \`xs:any\`, that allows an element or an attribute that only the other
  version declares, clients and servers may already send it in the wildcard. A reader that declares it refuses content that the declared type does not allow.
- **Elements that a wildcard takes from their declaration.** If an element matches a wildcard before it as well as its own declaration, the schema is
  ambiguous, which XSD does not allow and \`generate\` warns about (XSD050). In content with repeated groups, and in types derived from a type that ends in
  a wildcard, a reader may then miss the declared element. The diff judges such messages as if the wildcard left the element to its declaration.
- **The name and the description of a site, and the links of its routes.** A generated server takes the name and the description from its options, and
  the only link of a route that it serves is \`self\`.
- **Examples and the order of operations, routes and types.** They affect no message.
`;

/** Returns the documentation page that lists all rules, in Markdown. */
export function renderRulesPage(): string {
  const groups = ruleGroups.map(({ title, rules }) => `\n## ${title}\n${rules.map(formatRuleSection).join("")}`);
  return `${introduction}${groups.join("")}`;
}

function formatRuleSection(rule: Rule): string {
  const rows = [consequenceColumns, consequenceColumns.map(() => "---"), ...listConsequenceRows(rule)];
  return `\n### ${rule.id}\n\n${describeRule(rule)}\n\n${rows.map((row) => `| ${row.join(" | ")} |`).join("\n")}\n`;
}
