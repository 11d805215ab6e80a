import { readdirSync } from 'node:fs'

/**
 * Every operation that merchants call, from the code samples: the bundle and everything generated from it are compared
 * with these, so that no operation is lost and no test has to name them. Sorted, in kebab-case: `send-funds`.
 */
export const sampleNames: readonly string[] = readdirSync(new URL('../code-samples/curl/', import.meta.url))
  .map((file) => file.replace(/\.sh$/, ''))
  .toSorted()

/** The same as `operationId`s: `sendFunds`. */
export const sampledOperations: readonly string[] = sampleNames.map((name) =>
  name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
)
