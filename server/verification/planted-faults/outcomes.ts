import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface Outcome {
  readonly name: string
  /** The test that found it; absent: none. */
  readonly by?: string
  readonly says?: string
  readonly seconds: number
}

const ROOT = new URL('../../../', import.meta.url)
const FOLDER = new URL('dist/planted-faults/', ROOT)
const FILE = new URL('outcomes.json', FOLDER)

/** A digest of everything that an outcome depends on. */
function sourcesDigest(): string {
  const cwd = fileURLToPath(ROOT)
  const files = globSync('{server,client,contract-tests,openapi,generated}/**/*.{ts,json,py,sql,txt}', { cwd }).filter(
    (file) => !/node_modules|\/dist\//.test(file),
  )
  const hash = createHash('sha256')
  for (const file of files.toSorted()) hash.update(`${file}\n`).update(readFileSync(new URL(file, ROOT)))
  return hash.digest('hex')
}

interface StoredOutcomes {
  readonly sources: string
  readonly seed: number
  readonly outcomes: readonly Outcome[]
}

/** The outcomes of this drill, stored after each one. */
export function createOutcomes(seed: number, { resumes }: { readonly resumes: boolean }) {
  const sources = sourcesDigest()
  const found = new Map((resumes ? storedFor(sources, seed) : []).map((outcome) => [outcome.name, outcome]))
  return {
    of: (name: string): Outcome | undefined => found.get(name),
    add(outcome: Outcome): void {
      found.set(outcome.name, outcome)
      mkdirSync(FOLDER, { recursive: true })
      const stored: StoredOutcomes = { sources, seed, outcomes: [...found.values()] }
      // Atomic: a drill may be killed while it writes.
      const draft = new URL('outcomes.json.new', FOLDER)
      writeFileSync(draft, `${JSON.stringify(stored, undefined, 2)}\n`)
      renameSync(draft, FILE)
    },
  }
}

/** What a stopped drill has found: valid while the sources and the seed are the same. */
function storedFor(sources: string, seed: number): readonly Outcome[] {
  try {
    const stored = JSON.parse(readFileSync(FILE, 'utf8')) as StoredOutcomes
    if (stored.sources !== sources || stored.seed !== seed) return []
    return stored.outcomes.filter(({ by }) => by !== undefined)
  } catch (error) {
    // No earlier drill.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
