import { existsSync } from "node:fs";
import { tmpdir } from "node:os";

/**
 * The folder for temporary projects. On Linux it is in memory: the command line waits until each file is on the disk, which takes
 * longer than generating a small project.
 */
export const temporaryFolder = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
