/** The answers of the server, as far as this extension reads them; the whole shape is `schemas/decision.schema.json`. */

export type Operation = 'read' | 'write' | 'create' | 'delete' | 'rename';

export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

export interface Place {
  readonly uri: string;
  readonly range: Range;
}

/** What decided: an entry of a list, or a whole list, whose `index` and `pattern` are null. */
export interface Rule extends Place {
  readonly list: string;
  readonly index: number | null;
  readonly pattern: string | null;
}

export interface Decision {
  readonly allowed: boolean;
  /** Such as `included` or `excluded`. */
  readonly code: string;
  /** One plain sentence. */
  readonly reason: string;
  readonly rule: Rule | null;
}

/** A decision with its steps, for a person. */
export interface Explanation extends Decision {
  readonly markdown: string;
}

/** The answer where nobody could be asked: a denial. */
export function refused(reason: string): Explanation {
  return { allowed: false, code: 'policy-error', reason, rule: null, markdown: `**denied**: ${reason}\n` };
}

/** Whether an answer allows; anything that is no clear yes does not. */
export function allows(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && (answer as { allowed?: unknown }).allowed === true;
}
