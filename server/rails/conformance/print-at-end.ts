import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../../dist/rail-conformance/', import.meta.url))

/**
 * Collects lines to print when all tests have ended.
 * @param name of the file; files print in the order of their names
 */
export function printAtEnd(name: string, lines: readonly string[]): void {
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(join(FOLDER, `${name}.txt`), `${lines.join('\n')}\n`)
}

/** Vitest hook: prints the collected lines of the run last. */
export default function setup(): () => void {
  const startedAt = Date.now()
  return () => {
    for (const name of fileNames()) {
      const path = join(FOLDER, name)
      if (statSync(path).mtimeMs < startedAt) continue
      console.log(`\n${readFileSync(path, 'utf8')}`)
      // Another project of the same run ends as well, and does not print it again.
      utimesSync(path, 0, 0)
    }
  }
}

function fileNames(): readonly string[] {
  try {
    return readdirSync(FOLDER).toSorted()
  } catch {
    return []
  }
}
