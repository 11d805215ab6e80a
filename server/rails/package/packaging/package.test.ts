import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { pack, run, type PackedClient } from '../../../../client/packaging/testing/packed.ts'
import { childEnv } from '../../../verification/testing/child-env.ts'
import { testNightly } from '../../../verification/testing/nightly.ts'
import { runCommand } from '../../../verification/testing/run-command.ts'

// The setup of somebody who has the tarball and an empty folder: what the README says, and nothing else.

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const [, commands = ''] = /```sh\n(npm init[^`]*)```/.exec(readme) ?? []

let packed: PackedClient | undefined
afterAll(() => packed?.remove())

testNightly('the README leads from the tarball to a rail that a gateway lists', { timeout: 900_000 }, async () => {
  packed = await pack('server/rails/package', ['server', 'openapi', 'client'])
  const folder = join(packed.tarball, '../own-rail')
  mkdirSync(folder)
  cpSync(packed.tarball, join(folder, basename(packed.tarball)))
  expect(commands.split('\n').filter(Boolean)).toHaveLength(6)
  const said = await run('bash', ['-euc', commands], folder)
  expect(said).not.toContain('✗')
  expect(said).toMatch(/kiosk payout \(\d\d of \d\d\)/)

  const setting = /^(MALIPO_RAIL_PACKAGES)=(.*)$/m.exec(said)?.[2] ?? ''
  const { out, err } = await runCommand(['rail', 'kinds'], { ...childEnv(), MALIPO_RAIL_PACKAGES: setting })
  expect([out, err]).toEqual([
    expect.stringMatching(/^kiosk +Kiosk Pay +payouts +\S+kiosk\.mjs, SHA-256 [0-9a-f]{64}$/m),
    '',
  ])

  // A rail that loses money is found: it calls what is unknown refused.
  const rail = readFileSync(join(folder, 'rail.ts'), 'utf8')
  const wrong = rail.replace(
    "? 'not_sent' : 'unreachable', error: messageOf",
    "? 'not_sent' : 'refused', reason: messageOf",
  )
  expect(wrong).not.toBe(rail)
  writeFileSync(join(folder, 'wrong.ts'), wrong)
  const held = run('npx', ['--no', '--', 'malipo-rail', 'test', 'wrong.ts', 'counterparts.ts'], folder)
  await expect(held).rejects.toThrow('✗ kiosk payout: silence: unknown, in bounded time')

  // Its types need nothing but Node's.
  const types = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--allowImportingTsExtensions']
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '@types/node@24.19.2'], folder)
  await run('tsc', [...types, '--resolveJsonModule', '--types', 'node', 'rail.ts', 'counterparts.ts'], folder)
})
