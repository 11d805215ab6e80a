// Builds dist/: JavaScript, types and source maps of everything that the command and the entry import, and the
// contracts, in the folders of the repository. Run by `npm pack` and `npm run build -w @malipo/operators`.
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { publishTypes } from '../../../../client/packaging/publish-types.ts'

const simulator = fileURLToPath(new URL('..', import.meta.url))
const dist = join(simulator, 'dist')

/** Rebuilds dist/. @throws Error with the compiler's messages */
export function build(): void {
  rmSync(dist, { recursive: true, force: true })
  const { status, stdout, error } = spawnSync('tsc', ['-p', join(simulator, 'tsconfig.build.json')], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The build fails:\n${stdout}`, { cause: error })
  cpSync(join(simulator, '../../../generated/operators'), join(dist, 'generated/operators'), { recursive: true })
  for (const file of globSync('**/*.d.ts', { cwd: dist })) publishTypes(join(dist, file))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) build()
