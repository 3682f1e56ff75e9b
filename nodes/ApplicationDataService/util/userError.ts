/** A failure for a person: `message` says what happened to what, `description` what to do. Others are bugs of ours. */
export class UserError extends Error {
  /** Name of the part that the failure is about. */
  part?: string;

  constructor(
    message: string,
    readonly description: string,
    override readonly cause?: Error,
  ) {
    super(message);
    this.name = new.target.name;
  }

  reworded(message: string, description: string = this.description): UserError {
    return Object.assign(
      new UserError(message, description, this.cause),
      this.part !== undefined && { part: this.part },
    );
  }
}

/** What was caught, if it is one. @throws anything else: a bug of ours */
export function asUserError(thrown: unknown): UserError {
  if (thrown instanceof UserError) return thrown;
  throw thrown;
}

/** Does what may be refused: the refusal then begins with where that was. @param part that it is about, if no other */
export function refusedAt<T>(where: string, act: () => T, part?: string): T {
  try {
    return act();
  } catch (error) {
    const refusal = asUserError(error);
    if (part !== undefined) refusal.part ??= part;
    throw refusal.reworded(`${where}: ${refusal.message}`);
  }
}

/** The message of a failure, whatever was thrown. */
export function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}
