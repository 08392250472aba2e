import { type ContentHandlers, type RestContext, RestError, restAnswer } from "@bothends/server/content";
import { desc, eq } from "drizzle-orm";
import { bodyFields, textField } from "../../body-fields.js";
import { languageOf } from "../../posts/list-posts.js";
import { dateText } from "../../posts/objects.js";
import { database } from "../../store.js";
import { feedback, forms } from "../../tables.js";

export const contactForms: ContentHandlers["forms"]["contactForms"] = {
  list: async (_input, context) => {
    const found = await database
      .select()
      .from(forms)
      .where(eq(forms.language, languageOf(context)))
      .orderBy(desc(forms.id));
    return restAnswer({ status: 200, headers: { "X-WP-Total": String(found.length) }, body: found.map(shown) });
  },
  create: async (_input, context) => {
    const { title, fields } = formFields(context);
    const [form] = await database
      .insert(forms)
      .values({ title: title ?? "Untitled", language: languageOf(context), fields })
      .returning();
    return restAnswer({ status: 201, headers: {}, body: shown(found(form)) });
  },
  get: async ({ id }) => shown(await findForm(id)),
  update: async ({ id }, context) => {
    const { title, fields } = formFields(context);
    return database.transaction(async (transaction) => {
      const [before] = await transaction.select().from(forms).where(eq(forms.id, id)).for("update");
      const changed = { ...found(before).fields, ...fields };
      const [form] = await transaction
        .update(forms)
        .set({ title, fields: changed, modified: new Date() })
        .where(eq(forms.id, id))
        .returning();
      return shown(found(form));
    });
  },
  delete: async ({ id }) => {
    const [form] = await database.delete(forms).where(eq(forms.id, id)).returning();
    return { deleted: true, previous: shown(found(form)) };
  },
  feedback: {
    create: async ({ id }, context) => {
      const message = bodyFields(context);
      const [sent] = await database.transaction(async (transaction) => {
        // Locks the form so that it cannot be deleted before the message is stored.
        const [form] = await transaction.select().from(forms).where(eq(forms.id, id)).for("key share");
        return transaction
          .insert(feedback)
          .values({ formId: found(form).id, fields: message })
          .returning();
      });
      return {
        contact_form_id: id,
        status: "mail_sent",
        message: "Thank you for your message.",
        feedback_id: sent?.id ?? 0,
      };
    },
  },
  refill: { list: async ({ id }) => ({ contact_form_id: (await findForm(id)).id, captcha: null }) },
};

type Form = typeof forms.$inferSelect;

function formFields(context: RestContext) {
  const { title, ...fields } = bodyFields(context);
  return { title: textField({ title }, "title"), fields };
}

async function findForm(id: number): Promise<Form> {
  const [form] = await database.select().from(forms).where(eq(forms.id, id));
  return found(form);
}

function found(form: Form | undefined): Form {
  if (form === undefined) {
    throw new RestError({ code: "forms_not_found", message: "The requested contact form was not found.", status: 404 });
  }
  return form;
}

function shown({ id, title, language, fields, modified }: Form) {
  return { ...fields, id, title, locale: language, modified: dateText(modified) };
}
