import { freePort } from '../../server/verification/testing/free-port.ts'
import { execFileSync } from 'node:child_process'
import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packOnce, run, type PackedClient } from '../packaging/testing/packed.ts'
import { startShopIn } from './testing/shop.ts'
import { skipReason } from '../../server/verification/testing/skip-reason.ts'

// The setup of a merchant's developer: a folder outside the project that has installed the packed tarball, without the
// repository.

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The machine's own Node, if it is an older one that the toolbox promises to support. */
const OLD_NODE = ['/usr/bin/node', '/usr/local/bin/node'].find(
  (path) => existsSync(path) && /^v2[0-3]\./.test(execFileSync(path, ['--version'], { encoding: 'utf8' })),
)
if (OLD_NODE === undefined) skipReason('no Node 20 to 23 is installed', 'the toolbox on it')

let packed: PackedClient
let project: string
beforeAll(async () => {
  packed = await packOnce()
  project = await packed.install('merchant')
}, 300_000)
afterAll(() => packed?.remove())

test('the packed toolbox writes a shop with the packed client that passes check', async () => {
  await run('npx', ['malipo-dev', 'new', 'shop', 'coffee'], project)
  symlinkSync(join(ROOT, 'node_modules', 'fastify'), join(project, 'node_modules', 'fastify'))
  const shop = await startShopIn(join(project, 'coffee'), { port: await freePort(), gatewayUrl: 'http://127.0.0.1:1' })
  try {
    expect(await run('npx', ['malipo-dev', ...shop.checkArguments, '--strict'], project)).toMatch(
      /^33 right, 0 wrong$/m,
    )
  } finally {
    await shop.stop()
  }
})

test.skipIf(OLD_NODE === undefined)('the packed toolbox runs on an older Node', async () => {
  const tool = join(project, 'node_modules', '@malipo', 'client', 'dist', 'client', 'toolbox', 'malipo-dev.js')
  expect(await run(OLD_NODE!, [tool, '--help'], project)).toContain('new shop')
  await run(OLD_NODE!, [tool, 'new', 'shop', 'old', '--framework', 'php'], project)
  expect(existsSync(join(project, 'old', 'web', 'index.php'))).toBe(true)
  await expect(run(OLD_NODE!, [tool, 'check', 'http://127.0.0.1:1/callbacks'], project)).rejects.toThrow(
    'nothing listens there',
  )
})
