// Builds dist/: JavaScript, types and source maps of everything that the command and the entry import, and the
// contracts, in the folders of the repository. Run by `npm pack` and `npm run build -w @malipo/operators`.
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile, publishAllTypes } from '../../../../client/packaging/compile.ts'

const simulator = fileURLToPath(new URL('..', import.meta.url))
const dist = join(simulator, 'dist')

/** Rebuilds dist/. @throws Error with the compiler's messages */
export function build(): void {
  rmSync(dist, { recursive: true, force: true })
  compile(join(simulator, 'tsconfig.build.json'))
  cpSync(join(simulator, '../../../generated/operators'), join(dist, 'generated/operators'), { recursive: true })
  publishAllTypes(dist)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) build()
