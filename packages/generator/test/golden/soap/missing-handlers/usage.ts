import {
  type ListHandlers,
  listRoutes,
  missingHandlersRoutes,
  type MissingHandlersServerOptions,
  type Routes,
} from "missing-handlers-server/missing-handlers";

export const some: Routes = listRoutes({ add: ({ Name }) => Name.length }, { missing: "fault" });
export const services: Routes = missingHandlersRoutes({ list: { add: () => 1 }, trash: {} }, { missing: "fault" });
export const guarded: Routes = listRoutes(
  { add: ({ Name }, { headers }) => Name.length + headers.size },
  { authorize: ({ operation }) => operation !== "Remove", missing: "fault" },
);

// @ts-expect-error without the option, each operation needs a handler
export const incomplete: Routes = listRoutes({ add: ({ Name }) => Name.length });

declare const options: MissingHandlersServerOptions;
// @ts-expect-error other options do not change that
export const withOptions: Routes = listRoutes({ add: ({ Name }) => Name.length }, options);

// @ts-expect-error a service has members even if it has no handlers
export const without: Routes = missingHandlersRoutes({ list: {} }, { missing: "fault" });

// @ts-expect-error a handler of no operation
export const misspelled: Routes = listRoutes({ ad: () => 1 }, { missing: "fault" });

// @ts-expect-error a wrong answer
export const wrong: Routes = listRoutes({ add: () => "1" }, { missing: "fault" });

declare const handlers: ListHandlers;
export const all: Routes = listRoutes(handlers);
