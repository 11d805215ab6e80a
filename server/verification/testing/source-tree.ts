import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

// The sources as text, for tests of the whole tree. Paths are relative to the root of the repository.

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** The text of a file. */
export const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

/** Files by glob. */
export const filesOf = (patterns: string | readonly string[]): string[] =>
  globSync([patterns].flat(), { cwd: ROOT }).filter((file) => !/node_modules|\/dist\//.test(file))

/** The files of the tree that a text imports, including type imports. */
export const importsIn = (file: string, text: string): string[] =>
  [...text.matchAll(/(?:from|import\(|import)\s*'(\.[^']+)'/g)].map(([, path = '']) =>
    normalize(join(dirname(file), path)),
  )
