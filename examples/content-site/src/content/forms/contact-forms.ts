import { type ContentHandlers, type RestContext, RestError, restAnswer } from "@bothends/server/content";
import { desc, eq } from "drizzle-orm";
import { bodyFields, textField } from "../../body-fields.js";
import { languageOf } from "../../posts/list-posts.js";
import { dateText } from "../../posts/objects.js";
import { database } from "../../store.js";
import { feedback, forms } from "../../tables.js";

export const contactForms: ContentHandlers["forms"]["contactForms"] = {
  list: async (_input, context) => {
    const rows = await database
      .select()
      .from(forms)
      .where(eq(forms.language, languageOf(context)))
      .orderBy(desc(forms.id));
    return restAnswer({ status: 200, headers: { "X-WP-Total": String(rows.length) }, body: rows.map(formAnswer) });
  },
  create: async (_input, context) => {
    const { title, fields } = formFields(context);
    const [form] = await database
      .insert(forms)
      .values({ title: title ?? "Untitled", language: languageOf(context), fields })
      .returning();
    return restAnswer({ status: 201, headers: {}, body: formAnswer(requireForm(form)) });
  },
  get: async ({ id }) => formAnswer(await findForm(id)),
  update: async ({ id }, context) => {
    const { title, fields } = formFields(context);
    return database.transaction(async (transaction) => {
      const [currentForm] = await transaction.select().from(forms).where(eq(forms.id, id)).for("update");
      const newFields = { ...requireForm(currentForm).fields, ...fields };
      const [form] = await transaction
        .update(forms)
        .set({ title, fields: newFields, modified: new Date() })
        .where(eq(forms.id, id))
        .returning();
      return formAnswer(requireForm(form));
    });
  },
  delete: async ({ id }) => {
    const [form] = await database.delete(forms).where(eq(forms.id, id)).returning();
    return { deleted: true, previous: formAnswer(requireForm(form)) };
  },
  feedback: {
    create: async ({ id }, context) => {
      const message = bodyFields(context);
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

function formFields(context: RestContext) {
  const { title, ...fields } = bodyFields(context);
  return { title: textField({ title }, "title"), fields };
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

function formAnswer({ id, title, language, fields, modified }: Form) {
  return { ...fields, id, title, locale: language, modified: dateText(modified) };
}
