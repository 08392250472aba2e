/** Type tests: a middleware of one operation has the types of its input and answer. */
import { coreBlocksList } from "@bothends/contract/content/operations";
import { checkIrishTaxi } from "@bothends/contract/vehicle/operations";
import { middlewareFor, restAnswer } from "@bothends/runtime/server";
import { type ContentHandlers, contentRoutes } from "@bothends/server/content";
import { type BespokeapiHandlers, bespokeapiRoutes } from "@bothends/server/vehicle";

interface User {
  readonly name: string;
}
const authenticate = (): User => ({ name: "Ada" });
declare const soap: BespokeapiHandlers<User>;
declare const rest: ContentHandlers<User>;

bespokeapiRoutes(soap, {
  authenticate,
  use: [
    middlewareFor(checkIrishTaxi, async (call, next) => {
      void (call.input.regNumber satisfies string);
      void (call.context.principal satisfies User);
      const answer = await next({ regNumber: call.input.regNumber.trim() });
      void (answer?.LicenceNumber satisfies string | undefined);
      // @ts-expect-error the answer has no such member
      void answer?.Wrong;
      return answer ?? { LicenceNumber: "" };
    }),
    // @ts-expect-error the number is a text
    middlewareFor(checkIrishTaxi, (_, next) => next({ regNumber: 5 })),
    // @ts-expect-error an answer has no such member
    middlewareFor(checkIrishTaxi, () => ({ Wrong: 5 })),
    // @ts-expect-error an answer must be returned
    middlewareFor(checkIrishTaxi, async (_, next) => {
      await next();
    }),
    async (call, next) => {
      call.report({ message: call.context.principal.name });
      return next();
    },
  ],
});

contentRoutes(rest, {
  authenticate,
  use: middlewareFor(coreBlocksList, async (call, next) => {
    void (call.input.per_page satisfies number | undefined);
    void (call.context.route satisfies string);
    // @ts-expect-error the argument is a number
    void next({ per_page: "all" });
    void (await next());
    return call.context.principal.name === "" ? restAnswer({ body: [], total: 0 }) : next();
  }),
});
