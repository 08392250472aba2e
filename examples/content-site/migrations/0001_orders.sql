DROP INDEX "posts_by_date";--> statement-breakpoint
DROP INDEX "posts_by_title";--> statement-breakpoint
DROP INDEX "posts_by_modified";--> statement-breakpoint
DROP INDEX "posts_by_author";--> statement-breakpoint
DROP INDEX "posts_by_words";--> statement-breakpoint
DROP INDEX "feedback_by_form";--> statement-breakpoint
DROP INDEX "revisions_by_post";--> statement-breakpoint
ALTER TABLE "posts" drop column "searched";--> statement-breakpoint
ALTER TABLE "posts" ADD COLUMN "searched" "tsvector" GENERATED ALWAYS AS (to_tsvector('simple', left("posts"."title" || ' ' || "posts"."excerpt" || ' ' || "posts"."content", 150000))) STORED;--> statement-breakpoint
ALTER TABLE "posts" ADD COLUMN "title_start" text GENERATED ALWAYS AS (left("posts"."title", 200)) STORED;--> statement-breakpoint
CREATE INDEX "posts_in_order_of_date" ON "posts" USING btree ("type","language","status","date","id");--> statement-breakpoint
CREATE INDEX "posts_in_order_of_modified" ON "posts" USING btree ("type","language","status","modified","id");--> statement-breakpoint
CREATE INDEX "posts_in_order_of_title" ON "posts" USING btree ("type","language","status","title_start","id");--> statement-breakpoint
CREATE INDEX "posts_in_order_of_slug" ON "posts" USING btree ("type","language","status","slug","id");--> statement-breakpoint
CREATE INDEX "posts_in_order_of_author" ON "posts" USING btree ("type","language","status","author","id");--> statement-breakpoint
CREATE INDEX "posts_in_order_of_id" ON "posts" USING btree ("type","language","status","id");--> statement-breakpoint
CREATE INDEX "posts_of_any_status" ON "posts" USING btree ("type","language","date","id");--> statement-breakpoint
CREATE INDEX "posts_by_parent" ON "posts" USING btree ("parent","id");--> statement-breakpoint
CREATE INDEX "posts_with_words" ON "posts" USING gin ("searched");--> statement-breakpoint
CREATE INDEX "feedback_by_form" ON "feedback" USING btree ("form_id","date");--> statement-breakpoint
CREATE INDEX "revisions_by_post" ON "revisions" USING btree ("post_id","kind","date");