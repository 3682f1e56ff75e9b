/** A query that cannot be asked as it was entered; nothing was sent. `description` says how to put it right. */
export class QueryError extends Error {
  constructor(
    message: string,
    readonly description: string,
  ) {
    super(message);
    this.name = 'QueryError';
  }
}
