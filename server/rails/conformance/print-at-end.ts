import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../../dist/rail-conformance/', import.meta.url))

/** Keeps lines that the run shows when all tests are over. @param name of the file; later ones come after earlier ones */
export function printAtEnd(name: string, lines: readonly string[]): void {
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(join(FOLDER, `${name}.txt`), `${lines.join('\n')}\n`)
}

/** For Vitest: shows what the tests of this run have kept, as the last lines of it. */
export default function setup(): () => void {
  const startedAt = Date.now()
  return () => {
    for (const name of fileNames()) {
      const path = join(FOLDER, name)
      if (statSync(path).mtimeMs >= startedAt) console.log(`\n${readFileSync(path, 'utf8')}`)
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
