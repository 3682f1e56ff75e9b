/** What is remembered of a record between polls. */
export interface Remembered {
  readonly revision: number;
  /** 32-bit hash of the watched parts; 0 if none are watched. */
  readonly hash: number;
  /** Values of the watched parts as JSON, one a part, empty if one is not known; absent if none are kept. */
  readonly values?: readonly string[] | undefined;
}
