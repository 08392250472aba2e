/**
 * The errors that `quick-codec-errors.ts` has recorded. They are in a separate module, which is loaded once for all test files of a
 * worker, because a setup file is loaded again for each test file, and the functions it watches are not.
 */
export const unexpectedErrors: unknown[] = [];
