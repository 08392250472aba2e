import type { Endpoint, Operation, Span } from "@bothends/generator";
import type { RuleId } from "../rules/index.js";
import type { Direction, Occurrence } from "../rules/rule.js";

/** Texts that only the old or only the new version accepts. */
export interface SampleTexts {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** A difference between the two versions, without its consequences. */
export interface Difference extends Occurrence {
  readonly rule: RuleId;
  /** The changed item, as reports name it: `Vehicle.Colour`, `CheckUSA`, `GET /core/v2/blocks`. */
  readonly subject: string;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  /** The position in the old sources. */
  readonly oldSpan?: Span | undefined;
  /** The position in the new sources. */
  readonly newSpan?: Span | undefined;
  /** The position of the old declaration in which the difference is; absent if it is `oldSpan`. */
  readonly oldDeclaration?: Span | undefined;
  /** Whether `levels` are the effects of sample values. */
  readonly isSampled?: boolean | undefined;
  /** Whether the sources do not determine the consequences, although the difference has `levels` or a variant. */
  readonly isUndecided?: boolean | undefined;
  /** Paths of a changed route that only the old or only the new version matches. */
  readonly samplePaths?: SampleTexts | undefined;
  /** The other routes of the old and of the new version that match paths of a removed, added or renamed route. */
  readonly answeringRoutes?: { readonly old?: AnsweringRoute | undefined; readonly new?: AnsweringRoute | undefined };
  /** A path that two routes match. */
  readonly sharedPath?: string | undefined;
  /** Texts that only the old or only the new version of a simple type accepts. */
  readonly sampleTexts?: SampleTexts | undefined;
  /** The option of the client that can replace the changed argument in calls. */
  readonly clientOption?: string | undefined;
  /**
   * The exported types that contain the changed result of calls. Code receives the result without them, but may name
   * them.
   */
  readonly wrapperTypes?: readonly string[] | undefined;
  /** The names of types by which the setting `typeMap` may refer to the changed type. */
  readonly mappedTypes?: readonly string[] | undefined;
  /** Whether one version of an object allows members that its schema does not list. */
  readonly isUnlisted?: boolean | undefined;
  /**
   * The name in messages and the type of an added or removed member, by which members that moved to another type are
   * found.
   */
  readonly member?: string;
  /**
   * The subject of a difference in a member or a header of one operation's messages, without the operation. It replaces
   * the subject if several operations have equal differences, which are then merged.
   */
  readonly sharedSubject?: string | undefined;
  /**
   * The names of the members that moved into an added member or out of a removed one: its type has the members, and the
   * other version has members with these names and types in its place.
   */
  readonly contents?: readonly string[] | undefined;
  /**
   * The values of the argument `context` for which answers contain the changed member; absent if they contain it for
   * all values, or if no call has the argument.
   */
  readonly memberContexts?: readonly string[] | undefined;
  /**
   * Whether clients that check answers accept those of the other version: only the types of certain contexts require
   * the changed member.
   */
  readonly isOnlyInTypes?: boolean | undefined;
  /** Whether answers of endpoints without the argument `context` may contain the changed member. */
  readonly hasOtherAnswers?: boolean | undefined;
  /**
   * The names of the items that belong to a change without being its subject, such as the operation of which a part
   * became another one.
   */
  readonly counterparts?: readonly string[] | undefined;
  /** Further exported names of a renamed or removed declaration that the new packages do not export. */
  readonly otherNames?: readonly string[] | undefined;
  /** Exported names that vanished because of the difference, and that its subject and values do not contain. */
  readonly vanishedNames?: readonly string[] | undefined;
  /** The name of the element that is in the body of one version, but in a header of the other version. */
  readonly bodyHeader?: string | undefined;
  /** The names of the only protocols whose clients a changed SOAPAction affects, if the subject does not name them. */
  readonly onlyProtocols?: readonly string[];
  /** The addresses that clients without options call, if they differ. */
  readonly addresses?: readonly [before: string | undefined, after: string | undefined] | undefined;
  /** The declaration whose move to another namespace changed the name in messages. */
  readonly moved?: MovedDeclaration | undefined;
  /** The target namespaces of the two services between which an operation moved. */
  readonly namespaces?: readonly [before: string, after: string];
  /** The item whose type was replaced with another type, with the names of the types, which differ here. */
  readonly replacedType?: ReportedItem | undefined;
  /** Whether an element has another name and namespace because its operation was renamed and its namespace changed. */
  readonly isRenamedTogether?: boolean;
  /**
   * The direction in which encoded messages contain a changed name of a type. The variant of the
   * difference, or "encoded", applies if an operation has such messages; otherwise, only the name in code matters.
   */
  readonly encodedDirection?: Direction | undefined;
  /**
   * The added operations that are equally likely to be the new version of a removed one, or the removed operations that
   * are equally likely to be the old version of an added one. A single alternative has the same messages, but
   * not a similar name.
   */
  readonly alternatives?: readonly (Operation | Endpoint)[] | undefined;
  /**
   * The endpoints of other routes that have the names in code of removed endpoints in the new version, or had those of
   * added endpoints in the old version.
   */
  readonly endpointsWithNames?: readonly string[] | undefined;
  /** The arguments with limits in the only version that lists limits. */
  readonly limitedArguments?: readonly string[] | undefined;
  /** Whether the endpoint moved to another route, so that calls fail for this reason. */
  readonly isBesideMove?: boolean;
  /** The operations that the difference affects, in the new version; in the old version if they were removed. */
  readonly operations?: readonly (Operation | Endpoint)[];
}

/**
 * The worst consequences of a changed member for code, and the option of the client or the types that are the cause.
 */
export type CodeLimits = Pick<Difference, "codeLimits" | "clientOption" | "wrapperTypes">;

/** A route that matches paths of a route that its version does not have. */
export interface AnsweringRoute {
  readonly route: string;
  /** A path that the route matches; undefined if it matches all paths. */
  readonly path: string | undefined;
}

export type ReportedItem = Pick<Difference, "subject" | "before" | "after" | "oldSpan" | "newSpan">;

/** A declaration that moved to another namespace. The elements of a type move with the type. */
export interface MovedDeclaration {
  readonly kind: "type" | "element" | "attribute";
  readonly name: string;
  readonly oldSpan: Span | undefined;
  readonly newSpan: Span | undefined;
}

/** Rules about names in messages whose namespace changed. */
export const namespaceRules: readonly RuleId[] = ["member-namespace-changed", "declaration-moved"];

/** A difference, and all operations that it affects. */
export interface DifferenceWithOperations extends Difference {
  readonly operations: readonly (Operation | Endpoint)[];
  /**
   * Whether the difference is in a type that only members with different names have. Readers that do not know such a
   * name do not read the type's content.
   */
  readonly isBelowOtherName?: boolean;
  /** Whether the difference replaces equal differences in members of several operations' messages. */
  readonly isShared?: true;
}
