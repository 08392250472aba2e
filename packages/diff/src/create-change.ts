import {
  type Endpoint,
  getPosition,
  type Interface,
  listOperationPaths,
  type Operation,
  type Span,
} from "@bothends/generator";
import type { Change, SourcePosition } from "./change.js";
import type { Difference, DifferenceWithOperations } from "./compare/difference.js";
import type { Side } from "./compare/side.js";
import { computeFingerprint } from "./fingerprint.js";
import { formatMessage } from "./format-message.js";
import { mergedRules } from "./merge-differences.js";
import { formatDetails } from "./message-details.js";
import { findPartSpans } from "./part-spans.js";
import { getRule } from "./rules/index.js";
import {
  checkedAnswersText,
  explainEffects,
  faultTexts,
  findLevelOfConsequences,
  getConsequences,
  movedEndpointText,
  sampledText,
  typeUsesText,
  unlistedMembersTexts,
} from "./rules/rule.js";

/** The names of the operations of both versions. */
export interface OperationNames {
  /** Returns the path of an operation in generated code. */
  readonly getPath: (operation: Operation | Endpoint) => string | undefined;
  /** Returns the name of an operation with its service: `Reg.CheckUSA`. */
  readonly getNameWithService: (operation: Operation | Endpoint) => string;
}

export function createOperationNames(sides: readonly Side[]): OperationNames {
  const paths = new Map(
    sides.flatMap(({ plan }) =>
      (plan?.interfaces ?? []).flatMap((contractInterface) => [...listOperationPaths(contractInterface)]),
    ),
  );
  const services = new Map<Operation | Endpoint, string>();
  for (const contractInterface of sides.flatMap(({ contract }) => contract.interfaces)) {
    for (const { name, operations } of contractInterface.kind === "soap" ? contractInterface.services : []) {
      for (const operation of operations) {
        services.set(operation, name);
      }
    }
  }
  return {
    getPath: (operation) => paths.get(operation)?.join("."),
    getNameWithService: (operation) => `${services.get(operation) ?? ""}.${getOperationName(operation)}`,
  };
}

/** Returns the name of an operation in its interface: `CheckUSA`, `core.blocks.list`. */
export function getOperationName(operation: Operation | Endpoint): string {
  return "route" in operation ? operation.operation.join(".") : operation.uniqueName;
}

/** Creates the change that reports show for a difference in an interface. */
export function createChange(
  { name: interfaceName, kind }: Pick<Interface, "name" | "kind">,
  difference: DifferenceWithOperations,
  names: OperationNames,
): Change {
  const { rule: ruleId, direction, subject, operations, isShared } = difference;
  const rule = getRule(ruleId);
  const variant = rule.variants?.[difference.variant ?? ""];
  const texts = kind === "rest" ? { ...rule, ...rule.rest } : rule;
  const consequences = getConsequences(rule, difference);
  const level = findLevelOfConsequences(consequences);
  const before = difference.before === "" ? undefined : difference.before;
  const after = difference.after === "" ? undefined : difference.after;
  const { oldSpan, newSpan } = findPartSpans(difference);
  const isAccepted = difference.levels?.every((effect) => effect === "none") === true;
  return {
    rule: ruleId,
    direction,
    interface: interfaceName,
    subject,
    before,
    after,
    oldPosition: getSourcePosition(oldSpan),
    newPosition: getSourcePosition(newSpan),
    consequences,
    level,
    message:
      formatMessage(ruleId, { subject, before, after, title: variant?.title ?? texts.title }) +
      formatDetails(difference, consequences),
    reason: [
      ...explainEffects(rule, texts.reason, difference),
      ...(difference.affectsTypeUses === true && difference.sameCode !== true ? [typeUsesText] : []),
      ...(difference.isUnlisted === true ? [unlistedMembersTexts[isAccepted ? "accepted" : "other"]] : []),
      ...(difference.isSampled === true ? [sampledText] : []),
      ...(difference.isBesideMove === true ? [movedEndpointText] : []),
      ...(difference.faultPart === undefined ? [] : [faultTexts[difference.faultPart]]),
      ...(difference.isRestAnswer === true &&
      difference.isOnlyInTypes !== true &&
      [consequences.oldClients, consequences.newClients].includes("some")
        ? [checkedAnswersText]
        : []),
    ].join(" "),
    strictPeers: texts.strictPeers,
    undecided: isDecided(difference) ? undefined : rule.undecided,
    operations: operations.map(getOperationName),
    members: operations.flatMap((operation) => names.getPath(operation) ?? []),
    ...(difference.vanishedNames && { vanishedNames: difference.vanishedNames }),
    // A change that was accepted must be accepted again if it becomes worse or affects additional operations.
    fingerprint: computeFingerprint(
      [ruleId, direction ?? "", interfaceName, subject],
      [
        before ?? "",
        after ?? "",
        consequences.oldClients,
        consequences.newClients,
        consequences.callers,
        consequences.handlers,
        ...(mergedRules.includes(ruleId) || isShared === true ? operations.map(names.getNameWithService).sort() : []),
      ],
    ),
  };
}

/** Whether the undecided verdict of a rule does not apply to a difference. */
function isDecided({ rule, variant, levels: determined, isUndecided = false }: Difference): boolean {
  return !isUndecided && (determined !== undefined || (variant !== undefined && rule === "format-changed"));
}

function getSourcePosition(span: Span | undefined): SourcePosition | undefined {
  return span === undefined ? undefined : { path: span.source.path, ...getPosition(span.source, span.start) };
}
