/** 0: done. 1: the input is refused, or `check` found a difference. 2: usage, disk, or a mistake of ours. */
export type ExitCode = 0 | 1 | 2;
