import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

interface TemporaryFolder {
  readonly path: string
  /** Writes a file. @returns its path */
  written(name: string, content: string | Uint8Array): string
}

/** A folder that is removed after the last test of the file. Called where the tests are declared. */
export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'malipo-test-'))
  afterAll(() => rmSync(path, { recursive: true, force: true }))
  return {
    path,
    written(name, content) {
      const file = join(path, name)
      writeFileSync(file, content)
      return file
    },
  }
}
