export const FAILED = 1
export const USED_WRONGLY = 2
export const NOT_FOUND = 3
/** The change is stored, and a second person must approve it. */
export const WAITS = 4

/** An expected failure of a command: its message is for the person at the terminal. */
export class CliError extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number = FAILED) {
    super(message)
    this.name = 'CliError'
    this.exitCode = exitCode
  }
}

/** Ends the command with exit code 2: wrong usage. */
export const usedWrongly = (message: string): CliError => new CliError(message, USED_WRONGLY)
/** Ends the command with the exit code for "not found". */
export const notFound = (message: string): CliError => new CliError(message, NOT_FOUND)
