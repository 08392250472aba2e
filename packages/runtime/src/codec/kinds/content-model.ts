import type { GroupField, KindCodec, ModelGroup, Particle } from "../../descriptor.js";
import { ConfigError, LexicalError } from "../../errors.js";
import {
  type DecodeContent,
  type DecodeFieldContext,
  type DecodeGroup,
  type DecodeMember,
  type DecodeModel,
  type DecodeStep,
  hasMember,
  type ReadRecord,
  requireMember,
} from "../decode-table.js";
import {
  type EncodeContent,
  type EncodeFieldContext,
  type EncodeMember,
  type EncodeModel,
  type EncodeRepeated,
  findRequiredReason,
  getMember,
  listItems,
  type Members,
  writeItems,
  writeMember,
} from "../encode-table.js";
import { resolveRecord } from "../resolve-type.js";
import {
  type ContentMember,
  createOnFirstUse,
  getMemberAt,
  getOccurrences,
  isEmptiable,
  isModel,
  listMembers,
  type Model,
  type ResolvedRecord,
} from "../resolved-types.js";

/** Reads and writes content models other than a plain sequence of members. Exported as `xs.content`. */
export const content: KindCodec<"content"> = {
  kind: "content",
  decode(record: ResolvedRecord, members: ReadonlyMap<string, DecodeMember>): DecodeContent {
    const steps = compileContent<DecodeMember, DecodeModel>(record, members, (model) => model);
    return {
      steps,
      members: [...new Set(steps.flatMap(listMembers<DecodeMember>))],
      checkPresence: (result) => checkSteps(steps, result),
    };
  },
  encode(record: ResolvedRecord, members: ReadonlyMap<string, EncodeMember>): EncodeContent {
    return {
      steps: compileContent<EncodeMember, EncodeModel>(record, members, (model) => ({
        ...model,
        write(context, values) {
          const isMemberPresent = (member: EncodeMember): boolean => isPresent(values, member);
          if (model.kind === "choice") {
            const alternative = findChosenAlternative(model, isMemberPresent);
            return alternative === undefined ? "" : context.writeSteps([alternative], values);
          }
          return model.optional && !model.members.some(isMemberPresent) ? "" : context.writeSteps(model.steps, values);
        },
      })),
    };
  },
};

/** Reads and writes repeated groups. Exported as `xs.group`. */
export const group: KindCodec<"group"> = {
  kind: "group",
  decode(field: GroupField<unknown>, fieldContext: DecodeFieldContext): DecodeGroup {
    return {
      ...createGroupMember(field, fieldContext),
      table: createOnFirstUse(() => fieldContext.tables.table(resolveRecord(field.record))),
    };
  },
  encode(field: GroupField<unknown>, fieldContext: EncodeFieldContext): EncodeRepeated {
    const member = createGroupMember(field, fieldContext);
    const table = createOnFirstUse(() =>
      fieldContext.tables.table(resolveRecord(field.record), fieldContext.defaultNamespace),
    );
    return {
      ...member,
      table,
      write(context, members) {
        const { steps } = table();
        const min = steps.every(isEmptiable) ? 0 : member.min;
        return writeMember(
          context,
          { member, members, requiredReason: findRequiredReason({ min }), siblings: fieldContext.record.fields },
          (value) =>
            writeItems(listItems(value, { min, max: member.max }), (item) => context.writeContent(table(), item)),
        );
      },
    };
  },
};

function createGroupMember(field: GroupField<unknown>, fieldContext: DecodeFieldContext | EncodeFieldContext) {
  return {
    kind: "group",
    ...getMemberAt(fieldContext),
    ...getOccurrences(field),
    array: true,
    nillable: false,
  } as const;
}

/** A model group that is not compiled yet. The groups inside it are already compiled. */
interface UncompiledModel<M, Compiled> {
  readonly kind: Model<M>["kind"];
  readonly optional: boolean;
  readonly steps: readonly (M | Compiled)[];
  readonly members: readonly M[];
}

/** Compiles the content model of a record. Merges required sequences into the enclosing sequence. */
function compileContent<M extends ContentMember, Compiled extends Model<M>>(
  { name, content: particles = [] }: ResolvedRecord,
  members: ReadonlyMap<string, M>,
  compile: (model: UncompiledModel<M, Compiled>) => Compiled,
): readonly (M | Compiled)[] {
  type Step = M | Compiled;
  const usedKeys = new Set<string>();
  const compileParticles = (particleList: readonly Particle[]): readonly Step[] =>
    particleList.flatMap(compileParticle);
  const compileModel = (kind: Model<M>["kind"], optional: boolean, steps: readonly Step[]): Step =>
    compile({ kind, optional, steps, members: steps.flatMap(listMembers<M>) });
  const compileParticle = (particle: Particle): readonly Step[] => {
    if (typeof particle !== "string") {
      return compileGroup(particle);
    }
    const member = members.get(particle);
    if (member === undefined) {
      throw new ConfigError(`The content of ${name} refers to "${particle}", which is not one of its fields.`);
    }
    usedKeys.add(particle);
    return [member];
  };
  const compileGroup = (particle: ModelGroup): readonly Step[] => {
    const optional = particle.optional === true;
    if ("choice" in particle) {
      return [compileModel("choice", optional, particle.choice.map(compileAlternative))];
    }
    if ("all" in particle) {
      return [compileModel("all", optional, compileParticles(particle.all))];
    }
    const steps = compileParticles(particle.sequence);
    return optional ? [compileModel("sequence", optional, steps)] : steps;
  };
  const compileAlternative = (particle: Particle): Step => {
    const steps = compileParticle(particle);
    const [onlyStep] = steps;
    return onlyStep !== undefined && steps.length === 1 ? onlyStep : compileModel("sequence", false, steps);
  };
  const steps = compileParticles(particles);
  for (const key of members.keys()) {
    if (!usedKeys.has(key)) {
      throw new ConfigError(`The content of ${name} must contain its field "${key}".`);
    }
  }
  return steps;
}

/** Checks that a record has a member for each required step of its content model. */
function checkSteps(steps: readonly DecodeStep[], result: ReadRecord): void {
  const isMemberPresent = (member: DecodeMember): boolean => hasMember(result, member);
  for (const step of steps) {
    if (!isModel(step)) {
      if (step.min > 0 && !isMemberPresent(step)) {
        requireMember(step, result);
      }
    } else if (step.kind === "choice") {
      const alternative = findChosenAlternative(step, isMemberPresent);
      if (alternative !== undefined) {
        checkSteps([alternative], result);
      }
    } else if (!step.optional || step.members.some(isMemberPresent)) {
      checkSteps(step.steps, result);
    }
  }
}

/** Whether a member has a value to write. */
function isPresent(values: Members, member: EncodeMember): boolean {
  const value = getMember(values, member);
  if (value === undefined) {
    return false;
  }
  if (value === null) {
    return member.nillable && !member.array;
  }
  return !(Array.isArray(value) && value.length === 0 && member.array);
}

/** Whether a record has the member. The record was read, or is about to be written. */
type IsPresent<M> = (member: M) => boolean;

/**
 * Returns the chosen alternative of a choice: the one whose members are present in a value. Returns undefined for an
 * absent optional choice.
 */
function findChosenAlternative<M extends ContentMember, Compiled extends Model<M>>(
  model: UncompiledModel<M, Compiled>,
  isMemberPresent: IsPresent<M>,
): M | Compiled | undefined {
  const presentKeys = [...new Set(model.members.filter(isMemberPresent).map(({ key }) => key))];
  if (presentKeys.length === 0) {
    if (isEmptiable(model)) {
      return undefined;
    }
    if (model.steps.length === 1) {
      return model.steps[0];
    }
    throw new LexicalError(`One of the members ${joinKeys(model.members.map(({ key }) => key))} is required.`);
  }
  const matchingAlternatives = model.steps.filter((step) => {
    const keys = listMembers<M>(step).map(({ key }) => key);
    return presentKeys.every((key) => keys.includes(key));
  });
  if (matchingAlternatives.length === 0) {
    throw new LexicalError(`The members ${joinKeys(presentKeys)} must not be present together.`);
  }
  // If several alternatives have the same members in a different order, the first complete one is used.
  return matchingAlternatives.find((step) => isComplete(step, isMemberPresent)) ?? matchingAlternatives[0];
}

function isComplete<M extends ContentMember>(step: M | Model<M>, isMemberPresent: IsPresent<M>): boolean {
  if (!isModel(step)) {
    return step.min === 0 || isMemberPresent(step) || (step.nillable && !step.array);
  }
  if (step.kind !== "choice") {
    return (
      (step.optional && !step.members.some(isMemberPresent)) ||
      step.steps.every((innerStep) => isComplete(innerStep, isMemberPresent))
    );
  }
  return (
    isEmptiable(step) ||
    step.steps.some(
      (innerStep) => listMembers<M>(innerStep).some(isMemberPresent) && isComplete(innerStep, isMemberPresent),
    )
  );
}

function joinKeys(keys: readonly string[]): string {
  const names = keys.map((key) => `"${key}"`);
  const shownNames = names.length > 8 ? [...names.slice(0, 8), "…"] : names;
  return shownNames.length < 2 ? shownNames.join("") : `${shownNames.slice(0, -1).join(", ")} and ${shownNames.at(-1)}`;
}
