CREATE TABLE "accounts" (
	"username" text PRIMARY KEY NOT NULL,
	"is_restricted_account" boolean DEFAULT false NOT NULL,
	"credits" integer,
	CONSTRAINT "credits_are_not_negative" CHECK ("accounts"."credits" >= 0)
);
--> statement-breakpoint
CREATE TABLE "insurance_policies" (
	"number" text PRIMARY KEY NOT NULL,
	"policy_number" text NOT NULL,
	"vehicle" text NOT NULL,
	"company" text NOT NULL,
	"address" text NOT NULL,
	"is_blacklisted" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "insured_vehicles" (
	"number" text NOT NULL,
	"vehicle_type" text NOT NULL,
	"make" text NOT NULL,
	"model" text NOT NULL,
	"company" text,
	"expiry" timestamp with time zone,
	"is_insured" boolean NOT NULL,
	"region" text NOT NULL,
	CONSTRAINT "insured_vehicles_number_vehicle_type_pk" PRIMARY KEY("number","vehicle_type")
);
--> statement-breakpoint
CREATE TABLE "lookups" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "lookups_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"username" text,
	"operation" text NOT NULL,
	"number" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "taxi_licences" (
	"number" text PRIMARY KEY NOT NULL,
	"licence_number" text NOT NULL,
	"licence_holder" text NOT NULL,
	"expiry" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "vehicles" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "vehicles_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"country" text NOT NULL,
	"kind" text DEFAULT 'car' NOT NULL,
	"number" text NOT NULL,
	"region" text DEFAULT '' NOT NULL,
	"abi_code" text,
	"description" text NOT NULL,
	"registration_year" integer,
	"manufactured_from" integer,
	"manufactured_to" integer,
	"make" text NOT NULL,
	"model" text NOT NULL,
	"body_style" text,
	"engine_size" integer,
	"doors" integer,
	"transmission" text,
	"fuel" text,
	"immobiliser" text,
	"seats" integer,
	"value" integer,
	"driver_side" text
);
--> statement-breakpoint
ALTER TABLE "lookups" ADD CONSTRAINT "lookups_username_accounts_username_fk" FOREIGN KEY ("username") REFERENCES "public"."accounts"("username") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "lookups_by_account" ON "lookups" USING btree ("username","at");--> statement-breakpoint
CREATE UNIQUE INDEX "vehicles_by_number" ON "vehicles" USING btree ("number","country","kind","region");