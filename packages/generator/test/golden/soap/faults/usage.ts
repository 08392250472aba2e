import { PortClient, NotFound as ReceivedNotFound } from "faults-client/faults";
import { Busy, type PortHandlers, NotFound } from "faults-server/faults";

export const handlers: PortHandlers = {
  find(id) {
    const reason = `There is no ${id}.`;
    const detail = { id };
    throw id === 0 ? new Busy({ reason, detail: "PT1S" }) : new NotFound({ reason, detail });
  },
};

// @ts-expect-error the detail has another member
export const wrong: NotFound = new NotFound({ reason: "", detail: { number: 1 } });

export async function findOr(id: number, missing: (id: number | undefined) => string): Promise<string> {
  try {
    return await new PortClient({ baseUrl: "http://service.example" }).find(id);
  } catch (error) {
    if (error instanceof ReceivedNotFound) {
      return missing(error.detail?.id);
    }
    throw error;
  }
}
