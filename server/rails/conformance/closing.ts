/** What a rule works with, and ends. */
export type Closing<Stage> = Stage & { close(): Promise<void> }
