/** Type tests: the result of `authenticate` is the principal of handlers, of `authorize` and of middleware. */
import {
  type CallEvent,
  type CallToAuthenticate,
  type OperationContext,
  type RestContext,
  wordpressAuthentication,
} from "@bothends/runtime/server";
import { listen } from "@bothends/runtime/server/node";
import { type ContentHandlers, contentRoutes } from "@bothends/server/content";
import { type RegHandlers, regRoutes, type VehicleHandlers, vehicleRoutes } from "@bothends/server/vehicle";

interface User {
  readonly name: string;
}
const userOf = (call: { readonly headers: ReadonlyMap<string, string> }): User => ({
  name: call.headers.get("x-user") ?? "",
});

// In handlers, `authorize` and middleware, the type of the principal follows from `authenticate`.
regRoutes(
  {
    checkUSA(_, { principal }) {
      void (principal satisfies User);
      // @ts-expect-error a user has no age
      void principal.age;
      return null;
    },
  },
  {
    missing: "fault",
    authenticate: userOf,
    authorize: ({ principal }) => principal.name !== "",
    use: async ({ context }, next) => {
      void (context.principal satisfies User);
      return next();
    },
  },
);

regRoutes(
  {
    checkUSA(_, { principal }) {
      void (principal satisfies User | undefined);
      return null;
    },
  },
  {
    missing: "fault",
    authenticate: async ({ headers }: CallToAuthenticate): Promise<User | undefined> =>
      headers.has("x-user") ? userOf({ headers }) : undefined,
    // @ts-expect-error nobody is undefined
    authorize: ({ principal }) => principal.name !== "",
  },
);

contentRoutes(
  { core: { blocks: { list: (_, { principal }) => [{ title: principal.name }] as never } } },
  { missing: "error", authenticate: userOf, authorize: ({ principal }) => principal.name !== "" },
);

// The option `authenticate` from `wordpressAuthentication` has the type of the site's users.
contentRoutes(
  { core: { blocks: { list: (_, { principal }) => [{ title: principal?.name }] as never } } },
  {
    missing: "error",
    ...wordpressAuthentication({ applicationPassword: (name): User | undefined => ({ name }) }),
    authorize: ({ principal }) => principal?.name !== "",
  },
);

// A database returns null for an unknown user, which `authorize` might take for a user.
const findOrNull = async (name: string): Promise<User | null> => (name === "ada" ? { name } : null);
regRoutes(
  { checkUSA: () => null },
  {
    missing: "fault",
    // @ts-expect-error null
    authenticate: ({ headers }: CallToAuthenticate) => findOrNull(headers.get("x-user") ?? ""),
  },
);
// @ts-expect-error null
contentRoutes({}, { missing: "error", authenticate: () => findOrNull("ada") });
contentRoutes({}, { missing: "error", authenticate: async () => (await findOrNull("ada")) ?? undefined });
contentRoutes({}, { missing: "error", ...wordpressAuthentication({ applicationPassword: findOrNull }) });

// Handlers in a separate module declare the type of the principal, which `authenticate` must return.
declare const reg: RegHandlers<User>;
declare const vehicle: VehicleHandlers<User>;
declare const content: ContentHandlers<User>;
regRoutes(reg, { authenticate: userOf });
vehicleRoutes(vehicle, { authenticate: userOf });
contentRoutes(content, { authenticate: userOf });
// @ts-expect-error not a user
regRoutes<User>(reg, { authenticate: () => "ada" });
// @ts-expect-error not a user
contentRoutes<User>(content, { authenticate: () => "ada" });

// A function with a context as a parameter declares the type of its principal.
export const audit = ({ principal, requestId }: OperationContext<User>): string => principal.name + requestId;
export const auditRest = ({ principal }: RestContext<User>): string => principal.name;

// Without `authenticate`, the type of the principal is unknown.
export const anybody = (context: OperationContext): string => {
  // @ts-expect-error unknown
  return context.principal.name;
};

// A copy of a context is a context.
export const copied = (context: OperationContext<User>): OperationContext<User> => ({ ...context });

// Events of calls have the principal too.
void listen([regRoutes(reg, { authenticate: userOf })], {
  onCall: ({ principal, status }: CallEvent<User>) => console.log(principal?.name, status),
});
