/** A step of a process that reaches the database. */
export interface Step {
  readonly what: string
  readonly kind: 'read' | 'lock' | 'write' | 'commit' | 'commit_answer' | 'claim'
}
