/** The end of a switch over a union: a new member fails to compile here. */
export function unreachable(value: never): never {
  throw new Error(`Not foreseen: ${JSON.stringify(value)}`);
}
