import type { AnyMessage, Message, Notice, SignedNotice, Subject, TitledNotice } from "removed-members-client/removed-members";

export function titles({ message }: Subject): readonly string[] {
  return message.map((each) => each.title ?? each.text ?? `${each.link}, priority ${each.priority ?? 0}`);
}

export function signature(message: AnyMessage): string | undefined {
  return message.$type === "SignedNotice" ? message.signature : undefined;
}

const message: Message = { title: "Rain", text: "It rains.", priority: 1 };
// @ts-expect-error a message with a title and a priority is not a notice
export const notice: Notice = message;
export const signed: SignedNotice = { text: "It rains.", signature: "M" };
// @ts-expect-error a type derived from a notice has no title either
export const signedWithTitle: SignedNotice = { text: "It rains.", signature: "M", title: "Rain" };
export const titled: TitledNotice = { text: "It rains.", title: "Rain" };
export const any: readonly AnyMessage[] = [message, { $type: "TitledNotice", ...titled }];
