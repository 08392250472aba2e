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
  itemsOf,
  type Members,
  memberOf,
  requiredMember,
  writeItems,
  writeMember,
} from "../encode-table.js";
import {
  type ContentMember,
  isEmptiable,
  isModel,
  lazy,
  type Model,
  memberAt,
  membersOf,
  occurrencesOf,
  type ResolvedRecord,
  resolveRecord,
} from "../types.js";

/** Reads and writes content models other than a plain sequence of members: `xs.content`. */
export const content: KindCodec<"content"> = {
  kind: "content",
  decode(record: ResolvedRecord, members: ReadonlyMap<string, DecodeMember>): DecodeContent {
    const steps = modelOf<DecodeMember, DecodeModel>(record, members, (model) => model);
    return {
      steps,
      members: [...new Set(steps.flatMap(membersOf<DecodeMember>))],
      checkPresence: (result) => checkSteps(steps, result),
    };
  },
  encode(record: ResolvedRecord, members: ReadonlyMap<string, EncodeMember>): EncodeContent {
    return {
      steps: modelOf<EncodeMember, EncodeModel>(record, members, (model) => ({
        ...model,
        write(context, values) {
          const has = (member: EncodeMember): boolean => isPresent(values, member);
          if (model.kind === "choice") {
            const alternative = chosenAlternative(model, has);
            return alternative === undefined ? "" : context.steps([alternative], values);
          }
          return model.optional && !model.members.some(has) ? "" : context.steps(model.steps, values);
        },
      })),
    };
  },
};

/** Reads and writes repeated groups: `xs.group`. */
export const group: KindCodec<"group"> = {
  kind: "group",
  decode(field: GroupField<unknown>, fieldContext: DecodeFieldContext): DecodeGroup {
    return {
      ...groupMember(field, fieldContext),
      table: lazy(() => fieldContext.tables.table(resolveRecord(field.record))),
    };
  },
  encode(field: GroupField<unknown>, fieldContext: EncodeFieldContext): EncodeRepeated {
    const member = groupMember(field, fieldContext);
    const table = lazy(() => fieldContext.tables.table(resolveRecord(field.record), fieldContext.scope));
    return {
      ...member,
      table,
      write(context, members) {
        const { steps } = table();
        const min = steps.every(isEmptiable) ? 0 : member.min;
        return writeMember(context, { member, members, required: requiredMember({ min }) }, (value) =>
          writeItems(itemsOf(value, { min, max: member.max }), (item) => context.content(table(), item)),
        );
      },
    };
  },
};

function groupMember(field: GroupField<unknown>, fieldContext: DecodeFieldContext | EncodeFieldContext) {
  return { kind: "group", ...memberAt(fieldContext), ...occurrencesOf(field), array: true, nillable: false } as const;
}

/** A model group that is not compiled yet, with compiled steps. */
interface Uncompiled<M, Compiled> {
  readonly kind: Model<M>["kind"];
  readonly optional: boolean;
  readonly steps: readonly (M | Compiled)[];
  readonly members: readonly M[];
}

/** Resolves the content model to members. Merges required sequences into the enclosing sequence. */
function modelOf<M extends ContentMember, Compiled extends Model<M>>(
  { name, content: particles = [] }: ResolvedRecord,
  members: ReadonlyMap<string, M>,
  compile: (model: Uncompiled<M, Compiled>) => Compiled,
): readonly (M | Compiled)[] {
  type Step = M | Compiled;
  const used = new Set<string>();
  const stepsOf = (list: readonly Particle[]): readonly Step[] => list.flatMap(step);
  const model = (kind: Model<M>["kind"], optional: boolean, steps: readonly Step[]): Step =>
    compile({ kind, optional, steps, members: steps.flatMap(membersOf<M>) });
  const step = (particle: Particle): readonly Step[] => {
    if (typeof particle !== "string") {
      return groupOf(particle);
    }
    const member = members.get(particle);
    if (member === undefined) {
      throw new ConfigError(`The content of ${name} refers to "${particle}", which is not one of its fields.`);
    }
    used.add(particle);
    return [member];
  };
  const groupOf = (particle: ModelGroup): readonly Step[] => {
    const optional = particle.optional === true;
    if ("choice" in particle) {
      return [model("choice", optional, particle.choice.map(single))];
    }
    if ("all" in particle) {
      return [model("all", optional, stepsOf(particle.all))];
    }
    const steps = stepsOf(particle.sequence);
    return optional ? [model("sequence", optional, steps)] : steps;
  };
  const single = (particle: Particle): Step => {
    const steps = step(particle);
    const [only] = steps;
    return only !== undefined && steps.length === 1 ? only : model("sequence", false, steps);
  };
  const steps = stepsOf(particles);
  for (const key of members.keys()) {
    if (!used.has(key)) {
      throw new ConfigError(`The content of ${name} must contain its field "${key}".`);
    }
  }
  return steps;
}

/** Checks that everything the steps require is present. */
function checkSteps(steps: readonly DecodeStep[], result: ReadRecord): void {
  const present = (member: DecodeMember): boolean => hasMember(result, member);
  for (const step of steps) {
    if (!isModel(step)) {
      if (step.min > 0 && !present(step)) {
        requireMember(step, result);
      }
    } else if (step.kind === "choice") {
      const alternative = chosenAlternative(step, present);
      if (alternative !== undefined) {
        checkSteps([alternative], result);
      }
    } else if (!step.optional || step.members.some(present)) {
      checkSteps(step.steps, result);
    }
  }
}

/** Whether a member has a value to write. */
function isPresent(values: Members, member: EncodeMember): boolean {
  const value = memberOf(values, member);
  if (value === undefined) {
    return false;
  }
  if (value === null) {
    return member.nillable && !member.array;
  }
  return !(Array.isArray(value) && value.length === 0 && member.array);
}

/** Whether a value has the member. */
type Presence<M> = (member: M) => boolean;

/** The alternative of a choice for which a value has members; undefined for an absent optional choice. */
function chosenAlternative<M extends ContentMember, Compiled extends Model<M>>(
  model: Uncompiled<M, Compiled>,
  has: Presence<M>,
): M | Compiled | undefined {
  const present = [...new Set(model.members.filter(has).map(({ key }) => key))];
  if (present.length === 0) {
    if (isEmptiable(model)) {
      return undefined;
    }
    if (model.steps.length === 1) {
      return model.steps[0];
    }
    throw new LexicalError(`One of ${listed(model.members.map(({ key }) => key))} is required.`);
  }
  const matching = model.steps.filter((step) => {
    const keys = membersOf<M>(step).map(({ key }) => key);
    return present.every((key) => keys.includes(key));
  });
  if (matching.length === 0) {
    throw new LexicalError(`${listed(present)} must not be present together.`);
  }
  // If several alternatives have the same members in a different order, the first complete one is used.
  return matching.find((step) => isComplete(step, has)) ?? matching[0];
}

function isComplete<M extends ContentMember>(step: M | Model<M>, has: Presence<M>): boolean {
  if (!isModel(step)) {
    return step.min === 0 || has(step) || (step.nillable && !step.array);
  }
  if (step.kind !== "choice") {
    return (step.optional && !step.members.some(has)) || step.steps.every((inner) => isComplete(inner, has));
  }
  return isEmptiable(step) || step.steps.some((inner) => membersOf<M>(inner).some(has) && isComplete(inner, has));
}

function listed(keys: readonly string[]): string {
  const names = keys.map((key) => `"${key}"`);
  const shown = names.length > 8 ? [...names.slice(0, 8), "…"] : names;
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}
