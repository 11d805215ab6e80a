import { readdirSync, readFileSync } from 'node:fs'

const PATHS = new URL('../paths/', import.meta.url)

/**
 * Every operation that merchants call, from the files of paths: the bundle and everything generated from it are compared
 * with these, so that no operation is lost and no test has to name them. Sorted: `sendFunds`.
 */
export const writtenOperations: readonly string[] = readdirSync(PATHS)
  .flatMap((file) => [...readFileSync(new URL(file, PATHS), 'utf8').matchAll(/^  operationId: (\w+)$/gm)])
  .map(([, id = '']) => id)
  .toSorted()

/** The same in kebab-case: `send-funds`. */
export const writtenPages: readonly string[] = writtenOperations.map((id) =>
  id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
)
