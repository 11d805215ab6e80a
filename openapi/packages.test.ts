import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { CHART_SETTINGS, deploymentFiles } from './deployment-files.ts'
import { PACKAGES } from './packages.ts'

// In a clone every import is found, because npm installs all packages of all workspaces into one folder.

interface Manifest {
  readonly exports?: Readonly<Record<string, unknown>>
  readonly bin?: Readonly<Record<string, string>>
  readonly dependencies?: object
  readonly peerDependencies?: object
}

/** The others have in their files what they import. */
const withDependencies = PACKAGES.filter(({ name, built }) => !built && name !== '@malipo/rail')
test.each(withDependencies)('$name depends on what it imports', async ({ directory }) => {
  const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest
  const { exports = {}, bin = {}, dependencies, peerDependencies } = manifest
  const sources = [...Object.values(exports), ...Object.values(bin), './index.ts'].filter(
    (path): path is string => typeof path === 'string' && path.endsWith('.ts'),
  )
  const { metafile } = await build({
    entryPoints: [...new Set(sources.map((path) => join(directory, path)))],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    metafile: true,
    write: false,
    outdir: 'dist',
  })
  const imported = Object.values(metafile.inputs).flatMap(({ imports }) =>
    imports.filter(({ external, path }) => external && !isBuiltin(path)).map(({ path }) => path),
  )
  const names = imported.map((path) => /^(@[^/]+\/)?[^/]+/.exec(path)![0])
  const declared = Object.keys({ ...dependencies, ...peerDependencies })
  expect([...new Set(names)].filter((name) => !declared.includes(name))).toEqual([])
})

test('chart and Compose pull a published image only, and no value is a secret', async () => {
  const policies = async (published: boolean) => {
    const files = Object.values(await deploymentFiles(published)).join('\n')
    return [...files.matchAll(/^ {2}(?:pullPolicy|pull_policy): (.*)/gm)].map(([, policy]) => policy)
  }
  expect(await policies(false)).toEqual(['Never', 'never'])
  expect(await policies(true)).toEqual(['IfNotPresent', 'missing'])
  expect(CHART_SETTINGS).toContain('MALIPO_RATE_LIMIT')
  expect(CHART_SETTINGS.filter((name) => /KEY|SECRET|DATABASE_URL/.test(name))).toEqual([])
})
