/**
 * Settings of `pnpm migrations`, which compares `src/tables.ts` with the last migration and writes the differences as a new one.
 */
export default { dialect: "postgresql", schema: "./src/tables.ts", out: "./migrations" };
