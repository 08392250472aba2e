/** For `pnpm migrations`, which writes the difference between the last migration and `src/tables.ts` as a new one. */
export default { dialect: "postgresql", schema: "./src/tables.ts", out: "./migrations" };
