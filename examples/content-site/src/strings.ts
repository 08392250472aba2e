import type { TranslationStStringsList } from "@bothends/server/content";
import { and, asc, eq, ilike, inArray, type SQL } from "drizzle-orm";
import { database } from "./store.js";
import { strings } from "./tables.js";

export type StringFilter = Omit<TranslationStStringsList, "translation_language">;

export function listStrings(filter: StringFilter) {
  return database
    .select()
    .from(strings)
    .where(createCondition(filter))
    .orderBy(asc(strings.id))
    .limit(filter.limit ?? 10)
    .offset(filter.offset ?? 0);
}

export function countStrings(filter: StringFilter): Promise<number> {
  return database.$count(strings, createCondition(filter));
}

function createCondition(filter: StringFilter): SQL | undefined {
  const statuses = (filter.translationStatuses ?? []).map(Number).filter(Number.isInteger);
  return and(
    filter.kind === undefined ? undefined : eq(strings.kind, filter.kind),
    filter.type === undefined ? undefined : eq(strings.type, filter.type),
    filter.source === undefined ? undefined : eq(strings.source, filter.source),
    filter.domain === undefined ? undefined : eq(strings.domain, filter.domain),
    filter.translationPriority === undefined ? undefined : eq(strings.priority, filter.translationPriority),
    filter.title === undefined ? undefined : ilike(strings.title, `%${filter.title.replaceAll(/[%_\\]/g, "\\$&")}%`),
    filter.sourceLanguageCode === undefined ? undefined : eq(strings.language, filter.sourceLanguageCode),
    statuses.length === 0 ? undefined : inArray(strings.status, statuses),
  );
}
