import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, describe, expect } from 'vitest'
import { pack, run, type PackedClient } from '../../../../client/packaging/testing/packed.ts'
import { whereFrom } from '../../../../client/packaging/testing/where-from.ts'
import { isNightly, testNightly, testWithNightlyTool } from '../../../../server/verification/testing/nightly.ts'

// The setup of somebody who installs only the simulators: a folder without the repository, and the tarball.

interface InstalledPackage {
  readonly packed: PackedClient
  /** Of the package. */
  readonly folder: string
  readonly project: string
}

let made: Promise<InstalledPackage> | undefined
/** Packed and installed on first use. */
const installed = (): Promise<InstalledPackage> => (made ??= install())

async function install(): Promise<InstalledPackage> {
  const packed = await pack('openapi/operators/simulator', ['openapi/reading', 'client/packaging'])
  const project = await packed.install('integrator')
  return { packed, project, folder: join(project, 'node_modules', '@malipo', 'operators') }
}
afterAll(async () => (await made)?.packed.remove())

/** The first of them packs and installs. */
const timeout = 600_000

testNightly('the tarball holds what was built, both contracts, the texts, and nothing else', { timeout }, async () => {
  const { packed, project } = await installed()
  const files = (await run('tar', ['tzf', packed.tarball], project)).trim().split('\n')
  const names = files.map((path) => path.replace(/^package\//, ''))
  const built = /^dist\/(openapi\/(operators\/simulator|reading)|server\/domain)\/.+(\.js|\.js\.map|\.d\.ts)$/
  expect(names.filter((name) => !built.test(name)).toSorted()).toEqual([
    'LICENSE',
    'README.md',
    'dist/generated/operators/airtel.d.ts',
    'dist/generated/operators/airtel.json',
    'dist/generated/operators/daraja.d.ts',
    'dist/generated/operators/daraja.json',
    'dist/generated/operators/mtn-momo.d.ts',
    'dist/generated/operators/mtn-momo.json',
    'package.json',
  ])
  expect(names.filter((name) => /test/.test(name.replaceAll('test-numbers', '')))).toEqual([])
})

testNightly('the manifest says where it comes from', { timeout }, async () => {
  const { folder } = await installed()
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  expect(manifest).toMatchObject(whereFrom('openapi/operators/simulator'))
})

testNightly('publint finds nothing', { timeout }, async () => {
  const { folder } = await installed()
  const { messages, pkg } = await publint({ pkgDir: folder, pack: false, strict: true })
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
})

const testTypes = isNightly ? testWithNightlyTool('@arethetypeswrong/cli') : testNightly
testTypes('Are the types wrong? They are not, for a package of ES modules', { timeout }, async () => {
  const { packed, project } = await installed()
  // It fails with a description of the problem.
  const said = await run('attw', [packed.tarball, '--profile', 'esm-only', '--format', 'ascii'], project)
  expect(said).toContain('🟢')
})

const NODES: readonly (readonly [string, string])[] = [
  ['the Node that runs these tests', process.execPath],
  ['the Node of the machine', '/usr/bin/node'],
]

describe.each(NODES.filter(([, node]) => existsSync(node)))('in %s', (_what, node) => {
  testNightly.each(['mtn-momo', 'daraja'])(
    '%s starts by its command, with its contract and its pages',
    async (operator) => {
      const { project } = await installed()
      const command = join(project, 'node_modules', '.bin', 'malipo-operator')
      const running = spawn(node, [command, operator, '--port', '0'], {
        cwd: project,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      try {
        const [greeting] = (await once(running.stdout, 'data')) as [Buffer]
        const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(String(greeting)) ?? []
        const phones = await fetch(`${url}/phone`, { headers: { accept: 'text/html' } })
        expect([phones.status, await phones.text()]).toEqual([200, expect.stringContaining('<!doctype html>')])
        // Its contract refuses the request: it has no credentials.
        const token = operator === 'daraja' ? '/oauth/v1/generate?grant_type=client_credentials' : '/collection/token/'
        const refused = await fetch(`${url}${token}`, { method: operator === 'daraja' ? 'GET' : 'POST' })
        expect([400, 401]).toContain(refused.status)
      } finally {
        running.kill()
      }
    },
    timeout,
  )
})
