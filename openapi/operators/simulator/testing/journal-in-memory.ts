import type { Entry, Journal } from '../world/journal.ts'

/** A journal that outlives the simulator of a test. @returns a function that opens it for each start */
export function journalInMemory(): () => Journal {
  const kept: string[] = []
  return () => ({
    entries: kept.map((line) => JSON.parse(line) as Entry),
    append: (entry) => void kept.push(JSON.stringify(entry)),
    kept: () => Promise.resolve(),
  })
}
