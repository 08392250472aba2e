/** Something to be measured against others of its group. */
export interface Subject {
  readonly name: string;
  /** One round. */
  measure(): Promise<Sample> | Sample;
}

/** What one round of a subject came to. */
export interface Sample {
  /** What is compared: microseconds of processor time for one operation, or bytes. */
  readonly cost: number;
  /** Operations a second by the clock, where that says something. */
  readonly rate?: number;
}

/** Subjects that do the same work. The first is the limit: the least that any program could do. */
export interface Group {
  readonly title: string;
  readonly unit: string;
  readonly subjects: readonly Subject[];
  /** Measuring again gives the same. */
  readonly exact?: boolean;
  close?(): Promise<void> | void;
}
