import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../../../../client/packaging/testing/packed.ts'

export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const HOME = join('contract-tests', 'schemathesis-runner-wrapper')

/** The packed package, in a folder of its own. */
export interface PackedRunner {
  readonly tarball: string
  /** An empty project of a user. */
  readonly project: string
  readonly remove: () => Promise<void>
}

/** Packs a copy with `npm pack`, so that concurrent tests do not see the build. */
export async function packRunner(): Promise<PackedRunner> {
  const folder = await mkdtemp(join(tmpdir(), 'schemathesis-runner-package-'))
  const [copy, project] = [join(folder, 'copy'), join(folder, 'project')]
  await mkdir(join(copy, HOME), { recursive: true })
  await cp(join(ROOT, HOME), join(copy, HOME), { recursive: true, filter: (path) => !path.endsWith('/dist') })
  await cp(join(ROOT, 'tsconfig.json'), join(copy, 'tsconfig.json'))
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  const pack = ['pack', '--json', '--loglevel=error', '--pack-destination', folder]
  const [{ filename }] = JSON.parse(await run('npm', pack, join(copy, HOME))) as [{ readonly filename: string }]
  await mkdir(project)
  await writeFile(join(project, 'package.json'), '{ "name": "user-project", "private": true, "type": "module" }')
  return { tarball: join(folder, filename), project, remove: () => rm(folder, { recursive: true, force: true }) }
}
