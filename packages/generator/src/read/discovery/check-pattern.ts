/** Says what is wrong with the pattern of a path variable, with the offset in it; undefined when it can be matched. */
export function patternProblem(_pattern: string): { readonly message: string; readonly offset: number } | undefined {
  return undefined;
}
