import { anyCharacterOf, character } from "./character-class.js";
import { createTextMachine, type TextMachine } from "./text-search.js";

// Combines machines that read texts.

/** Creates a machine that accepts the texts that all machines accept. */
export function acceptAll(machines: readonly TextMachine[]): TextMachine {
  const [only] = machines;
  return only !== undefined && machines.length === 1
    ? only
    : runTogether(machines, {
        isEnd: (test) => machines.every(test),
        isDead: (test) => machines.some(test),
      });
}

/** Creates a machine that accepts the texts that at least one of the machines accepts. */
export function acceptAny(machines: readonly TextMachine[]): TextMachine {
  const [only] = machines;
  return only !== undefined && machines.length === 1
    ? only
    : runTogether(machines, {
        isEnd: (test) => machines.some(test),
        isDead: (test) => machines.every(test),
      });
}

/** Creates a machine that accepts the texts that another one does not accept. */
export function acceptOthers(machine: TextMachine): TextMachine {
  return { ...machine, isEnd: (state) => !machine.isEnd(state), isDead: () => false };
}

type Test = (machine: TextMachine, index: number) => boolean;

function runTogether(
  machines: readonly TextMachine[],
  rules: { readonly isEnd: (test: Test) => boolean; readonly isDead: (test: Test) => boolean },
): TextMachine {
  return createTextMachine<readonly number[]>({
    classes: machines.flatMap(({ classes }) => classes),
    start: machines.map(({ start }) => start),
    getKey: (states) => states.join(),
    step: (states, codePoint) => machines.map((machine, index) => machine.step(states[index] ?? 0, codePoint)),
    isEnd: (states) => rules.isEnd((machine, index) => machine.isEnd(states[index] ?? 0)),
    isDead: (states) => rules.isDead((machine, index) => machine.isDead(states[index] ?? 0)),
  });
}

const space = 0x20;
const breaks: readonly number[] = [0x9, 0xa, 0xd];
const spaceClasses = [character(space), anyCharacterOf("\t\n\r")];

/** How white space is normalized before a machine reads a text: the value of the facet whiteSpace. */
export type WhiteSpaceRule = "preserve" | "replace" | "collapse";

/** Creates a machine that reads a text after its white space was normalized. */
export function normalizeSpaces(machine: TextMachine, whiteSpace: WhiteSpaceRule): TextMachine {
  switch (whiteSpace) {
    case "preserve":
      return machine;
    case "replace":
      return {
        ...machine,
        classes: [...spaceClasses, ...machine.classes],
        step: (state, codePoint) => machine.step(state, breaks.includes(codePoint) ? space : codePoint),
      };
    case "collapse":
      return collapseSpaces(machine);
  }
}

/** The position in a text whose white space is collapsed: before its first word, in a word, or after a word. */
type Position = "beforeWords" | "inWord" | "afterWord";

/** Creates a machine that reads white space between words as one space, and no other white space. */
function collapseSpaces(machine: TextMachine): TextMachine {
  return createTextMachine<readonly [Position, number]>({
    classes: [...spaceClasses, ...machine.classes],
    start: ["beforeWords", machine.start],
    getKey: ([position, state]) => `${position} ${state}`,
    step([position, state], codePoint) {
      if (codePoint === space || breaks.includes(codePoint)) {
        return [position === "beforeWords" ? position : "afterWord", state];
      }
      return ["inWord", machine.step(position === "afterWord" ? machine.step(state, space) : state, codePoint)];
    },
    isEnd: ([, state]) => machine.isEnd(state),
    isDead: ([, state]) => machine.isDead(state),
  });
}

/** The numbers of items that a list may have. */
export interface ItemCounts {
  readonly least: number;
  readonly greatest: number | undefined;
}

/** The number of items before the current one, and the state of the current item; undefined before its start. */
type ListState = readonly [count: number, item: number | undefined];

/** Creates a machine that accepts lists: items that a machine accepts, separated by single spaces. */
export function acceptList(item: TextMachine, { least, greatest }: ItemCounts): TextMachine {
  // Larger numbers of items are all the same.
  const lastCount = greatest === undefined ? least : greatest + 1;
  const end = ([count, state]: ListState): ListState =>
    state !== undefined && item.isEnd(state) ? [Math.min(count + 1, lastCount), undefined] : [lastCount + 1, undefined];
  return createTextMachine<ListState>({
    classes: [...spaceClasses, ...item.classes],
    start: [0, undefined],
    getKey: ([count, state]) => `${count} ${state ?? ""}`,
    step: (state, codePoint) =>
      codePoint === space ? end(state) : [state[0], item.step(state[1] ?? item.start, codePoint)],
    isEnd(state) {
      const [count] = state[1] === undefined ? state : end(state);
      const isAtSpace = state[1] === undefined && count > 0;
      return !isAtSpace && count >= least && count <= (greatest ?? lastCount);
    },
    isDead: ([count, state]) =>
      count > lastCount ||
      (greatest !== undefined && count >= greatest && count > 0) ||
      (state !== undefined && item.isDead(state)),
  });
}
