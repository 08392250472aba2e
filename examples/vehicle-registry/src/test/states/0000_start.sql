
CREATE SCHEMA drizzle;

CREATE TABLE drizzle.__drizzle_migrations (
    id integer NOT NULL,
    hash text NOT NULL,
    created_at bigint
);

CREATE SEQUENCE drizzle.__drizzle_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE drizzle.__drizzle_migrations_id_seq OWNED BY drizzle.__drizzle_migrations.id;

CREATE TABLE public.accounts (
    username text NOT NULL,
    is_restricted_account boolean DEFAULT false NOT NULL,
    credits integer,
    CONSTRAINT credits_are_not_negative CHECK ((credits >= 0))
);

CREATE TABLE public.insurance_policies (
    number text NOT NULL,
    policy_number text NOT NULL,
    vehicle text NOT NULL,
    company text NOT NULL,
    address text NOT NULL,
    is_blacklisted boolean DEFAULT false NOT NULL
);

CREATE TABLE public.insured_vehicles (
    number text NOT NULL,
    vehicle_type text NOT NULL,
    make text NOT NULL,
    model text NOT NULL,
    company text,
    expiry timestamp with time zone,
    is_insured boolean NOT NULL,
    region text NOT NULL
);

CREATE TABLE public.lookups (
    id bigint NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    username text,
    operation text NOT NULL,
    number text NOT NULL
);

ALTER TABLE public.lookups ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.lookups_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.taxi_licences (
    number text NOT NULL,
    licence_number text NOT NULL,
    licence_holder text NOT NULL,
    expiry timestamp with time zone NOT NULL
);

CREATE TABLE public.vehicles (
    id bigint NOT NULL,
    country text NOT NULL,
    kind text DEFAULT 'car'::text NOT NULL,
    number text NOT NULL,
    region text DEFAULT ''::text NOT NULL,
    abi_code text,
    description text NOT NULL,
    registration_year integer,
    manufactured_from integer,
    manufactured_to integer,
    make text NOT NULL,
    model text NOT NULL,
    body_style text,
    engine_size integer,
    doors integer,
    transmission text,
    fuel text,
    immobiliser text,
    seats integer,
    value integer,
    driver_side text
);

ALTER TABLE public.vehicles ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.vehicles_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE ONLY drizzle.__drizzle_migrations ALTER COLUMN id SET DEFAULT nextval('drizzle.__drizzle_migrations_id_seq'::regclass);

INSERT INTO drizzle.__drizzle_migrations VALUES (1, 'f992266e15ebecb7972941789f84cfdacd1bff6c64c2a87ed6554c2293b76e6d', 1795353115866);

INSERT INTO public.accounts VALUES ('demo', false, NULL);
INSERT INTO public.accounts VALUES ('restricted', true, NULL);
INSERT INTO public.accounts VALUES ('prepaid', false, 2);

INSERT INTO public.insurance_policies VALUES ('WA12345', 'PL-2026-0001', 'FSO POLONEZ', 'PZU', 'al. Jana Pawła II 24, Warszawa', false);

INSERT INTO public.insured_vehicles VALUES ('AB123CD', 'car', 'FIAT', 'PANDA', 'Assicurazioni Generali', '2027-03-31 00:00:00+00', true, 'Lazio');

INSERT INTO public.lookups OVERRIDING SYSTEM VALUE VALUES (1, '2026-11-22 16:10:33.52843+00', 'prepaid', 'CheckUSA', 'ABC1234');

INSERT INTO public.taxi_licences VALUES ('05D1', 'N12345', 'Áine Ní Bhriain', '2027-05-01 00:00:00+00');

INSERT INTO public.vehicles OVERRIDING SYSTEM VALUE VALUES (1, 'US', 'car', 'ABC1234', 'NY', '32130768', 'FORD FOCUS ZETEC 1.6', 2013, 2011, 2014, 'FORD', 'FOCUS', 'Hatchback', 1596, 5, 'Manual', 'Petrol', 'Thatcham 2', 5, 4250, 'LHS');
INSERT INTO public.vehicles OVERRIDING SYSTEM VALUE VALUES (2, 'PK', 'car', 'LEA1234', 'PUNJAB/LAHORE', '32130768', 'FORD FOCUS ZETEC 1.6', 2013, 2011, 2014, 'FORD', 'FOCUS', 'Hatchback', 1596, 5, 'Manual', 'Petrol', 'Thatcham 2', 5, 4250, 'RHS');
INSERT INTO public.vehicles OVERRIDING SYSTEM VALUE VALUES (3, 'CZ', 'car', '5A12345', '', '32130768', 'FORD FOCUS ZETEC 1.6', 2013, 2011, 2014, 'FORD', 'FOCUS', 'Hatchback', 1596, 5, 'Manual', 'Petrol', 'Thatcham 2', 5, 4250, 'LHS');
INSERT INTO public.vehicles OVERRIDING SYSTEM VALUE VALUES (4, 'IE', 'car', '131D1234', '', '32130768', 'FORD FOCUS ZETEC 1.6', 2013, 2011, 2014, 'FORD', 'FOCUS', 'Hatchback', 1596, 5, 'Manual', 'Petrol', 'Thatcham 2', 5, 4250, 'RHS');
INSERT INTO public.vehicles OVERRIDING SYSTEM VALUE VALUES (5, 'FR', 'car', 'AB123CD', '', '32130768', 'FORD FOCUS ZETEC 1.6', 2013, 2011, 2014, 'FORD', 'FOCUS', 'Hatchback', 1596, 5, 'Manual', 'Petrol', 'Thatcham 2', 5, 4250, 'LHS');
INSERT INTO public.vehicles OVERRIDING SYSTEM VALUE VALUES (6, 'MX', 'car', 'ABC123A', '', '32130768', 'FORD FOCUS ZETEC 1.6', 2013, 2011, 2014, 'FORD', 'FOCUS', 'Hatchback', 1596, 5, 'Manual', 'Petrol', 'Thatcham 2', 5, 4250, 'LHS');
INSERT INTO public.vehicles OVERRIDING SYSTEM VALUE VALUES (7, 'RU', 'car', 'A123BC77', '', '32130768', 'FORD FOCUS ZETEC 1.6', 2013, 2011, 2014, 'FORD', 'FOCUS', 'Hatchback', 1596, 5, 'Manual', 'Petrol', 'Thatcham 2', 5, 4250, 'LHS');
INSERT INTO public.vehicles OVERRIDING SYSTEM VALUE VALUES (8, 'MT', 'car', 'ABC123', '', '32130768', 'FORD FOCUS ZETEC 1.6', 2013, 2011, 2014, 'FORD', 'FOCUS', 'Hatchback', 1596, 5, 'Manual', 'Petrol', 'Thatcham 2', 5, 4250, 'RHS');
INSERT INTO public.vehicles OVERRIDING SYSTEM VALUE VALUES (9, 'PE', 'car', 'ABC123', '', '32130768', 'FORD FOCUS ZETEC 1.6', 2013, 2011, 2014, 'FORD', 'FOCUS', 'Hatchback', 1596, 5, 'Manual', 'Petrol', 'Thatcham 2', 5, 4250, 'LHS');
INSERT INTO public.vehicles OVERRIDING SYSTEM VALUE VALUES (10, 'DE', 'car', '8566AAA', '', '32130768', 'FORD FOCUS ZETEC 1.6', 2013, 2011, 2014, 'FORD', 'FOCUS', 'Hatchback', 1596, 5, 'Manual', 'Petrol', 'Thatcham 2', 5, 4250, 'LHS');
INSERT INTO public.vehicles OVERRIDING SYSTEM VALUE VALUES (11, 'AT', 'car', '123456', '', '32130768', 'FORD FOCUS ZETEC 1.6', 2013, 2011, 2014, 'FORD', 'FOCUS', 'Hatchback', 1596, 5, 'Manual', 'Petrol', 'Thatcham 2', 5, 4250, 'LHS');
INSERT INTO public.vehicles OVERRIDING SYSTEM VALUE VALUES (12, 'IT', 'motorbike', 'AB12345', '', NULL, 'PIAGGIO VESPA GTS 300', 2019, NULL, NULL, 'PIAGGIO', 'VESPA', NULL, 278, NULL, NULL, 'Petrol', NULL, NULL, NULL, NULL);

SELECT pg_catalog.setval('drizzle.__drizzle_migrations_id_seq', 1, true);

SELECT pg_catalog.setval('public.lookups_id_seq', 1, true);

SELECT pg_catalog.setval('public.vehicles_id_seq', 12, true);

ALTER TABLE ONLY drizzle.__drizzle_migrations
    ADD CONSTRAINT __drizzle_migrations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (username);

ALTER TABLE ONLY public.insurance_policies
    ADD CONSTRAINT insurance_policies_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.insured_vehicles
    ADD CONSTRAINT insured_vehicles_number_vehicle_type_pk PRIMARY KEY (number, vehicle_type);

ALTER TABLE ONLY public.lookups
    ADD CONSTRAINT lookups_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.taxi_licences
    ADD CONSTRAINT taxi_licences_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.vehicles
    ADD CONSTRAINT vehicles_pkey PRIMARY KEY (id);

CREATE INDEX lookups_by_account ON public.lookups USING btree (username, at);

CREATE UNIQUE INDEX vehicles_by_number ON public.vehicles USING btree (number, country, kind, region);

ALTER TABLE ONLY public.lookups
    ADD CONSTRAINT lookups_username_accounts_username_fk FOREIGN KEY (username) REFERENCES public.accounts(username);

