import { copyFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** Files that tools would take for a part of this project under their own name. */
const UNDER_ANOTHER_NAME = /\.(ts|go)$/

/** Copies a program of `programs/` to where it finds the generated client. */
export const bring = (program: string, to: string): Promise<void> =>
  copyFile(
    fileURLToPath(
      new URL(`./programs/${UNDER_ANOTHER_NAME.test(program) ? `${program}.txt` : program}`, import.meta.url),
    ),
    to,
  )
