import { type ContentHandlers, type RestContext, RestError, restAnswer } from "@bothends/server/content";
import { desc, eq } from "drizzle-orm";
import { readBodyFields, readTextField } from "../../body-fields.js";
import { getLanguage } from "../../posts/list-posts.js";
import { formatDate } from "../../posts/objects.js";
import { database } from "../../store.js";
import { feedback, forms } from "../../tables.js";

export const contactForms: ContentHandlers["forms"]["contactForms"] = {
  list: async (_input, context) => {
    const rows = await database
      .select()
      .from(forms)
      .where(eq(forms.language, getLanguage(context)))
      .orderBy(desc(forms.id));
    return restAnswer({
      status: 200,
      headers: { "X-WP-Total": String(rows.length) },
      body: rows.map(createFormAnswer),
    });
  },
  create: async (_input, context) => {
    const { title, fields } = listFormFields(context);
    const [form] = await database
      .insert(forms)
      .values({ title: title ?? "Untitled", language: getLanguage(context), fields })
      .returning();
    return restAnswer({ status: 201, headers: {}, body: createFormAnswer(requireForm(form)) });
  },
  get: async ({ id }) => createFormAnswer(await findForm(id)),
  update: async ({ id }, context) => {
    const { title, fields } = listFormFields(context);
    return database.transaction(async (transaction) => {
      const [currentForm] = await transaction.select().from(forms).where(eq(forms.id, id)).for("update");
      const newFields = { ...requireForm(currentForm).fields, ...fields };
      const [form] = await transaction
        .update(forms)
        .set({ title, fields: newFields, modified: new Date() })
        .where(eq(forms.id, id))
        .returning();
      return createFormAnswer(requireForm(form));
    });
  },
  delete: async ({ id }) => {
    const [form] = await database.delete(forms).where(eq(forms.id, id)).returning();
    return { deleted: true, previous: createFormAnswer(requireForm(form)) };
  },
  feedback: {
    create: async ({ id }, context) => {
      const message = readBodyFields(context);
      const [saved] = await database.transaction(async (transaction) => {
        // Locks the form so that it cannot be deleted before the message is stored.
        const [form] = await transaction.select().from(forms).where(eq(forms.id, id)).for("key share");
        return transaction
          .insert(feedback)
          .values({ formId: requireForm(form).id, fields: message })
          .returning();
      });
      return {
        contact_form_id: id,
        status: "mail_sent",
        message: "Thank you for your message.",
        feedback_id: saved?.id ?? 0,
      };
    },
  },
  refill: { list: async ({ id }) => ({ contact_form_id: (await findForm(id)).id, captcha: null }) },
};

type Form = typeof forms.$inferSelect;

function listFormFields(context: RestContext) {
  const { title, ...fields } = readBodyFields(context);
  return { title: readTextField({ title }, "title"), fields };
}

async function findForm(id: number): Promise<Form> {
  const [form] = await database.select().from(forms).where(eq(forms.id, id));
  return requireForm(form);
}

function requireForm(form: Form | undefined): Form {
  if (form === undefined) {
    throw new RestError({ code: "forms_not_found", message: "The requested contact form was not found.", status: 404 });
  }
  return form;
}

function createFormAnswer({ id, title, language, fields, modified }: Form) {
  return { ...fields, id, title, locale: language, modified: formatDate(modified) };
}
