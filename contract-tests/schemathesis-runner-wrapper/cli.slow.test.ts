import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { testNightly } from '../../server/verification/testing/nightly.ts'
import { temporaryFolder } from '../../server/verification/testing/temporary-folder.ts'
import { runProgram } from '../harness/program.ts'
import { needSchemathesis } from './testing/installed.ts'
import { THINGS_CONTRACT } from './testing/things-server.ts'

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const folder = temporaryFolder()
const contract = folder.written('things.json', JSON.stringify(THINGS_CONTRACT))

/** A server that is not there. */
const AT = ['--contract', contract, '--url', 'http://127.0.0.1:9']

const cli = (args: readonly string[], env: Readonly<Record<string, string | undefined>> = {}) =>
  runProgram(process.execPath, [here('cli.ts'), ...args], {
    env: { ...process.env, ...env },
  })

test('reports missing Python in one line and exits with 2 or the requested code', async () => {
  const out = 'Schemathesis canonical: nothing was tested, no Python 3.10 to 3.14 was found\n'
  expect(await cli(AT, { PATH: folder.path })).toEqual({ code: 2, out, err: '' })
  expect(await cli([...AT, '--without-python', '77'], { PATH: folder.path })).toEqual({ code: 77, out, err: '' })
  expect(await cli([...AT, '--without-python', '0', '--python', '/nowhere/python'])).toMatchObject({
    code: 0,
    out: 'Schemathesis canonical: nothing was tested, /nowhere/python is not Python 3.10 to 3.14\n',
  })
})

describe('with Schemathesis', () => {
  needSchemathesis()

  // pip tries five times.
  testNightly('without network it says so in one plain line', async () => {
    const offline = { PIP_INDEX_URL: 'http://127.0.0.1:9/simple', PIP_FIND_LINKS: '', PIP_CONFIG_FILE: '/dev/null' }
    const { code, out } = await cli([...AT, '--cache-dir', join(folder.path, 'cache')], offline)
    expect(code).toBe(2)
    expect(out).toMatch(/^Schemathesis canonical: nothing was tested, pip could not install it: [^\n]+\n$/)
  })

  test('starts a server, tests chosen operations and phases with hooks, exits with 1', async () => {
    const script = folder.written(
      'server.mjs',
      `const { startThings } = await import(${JSON.stringify(here('testing/things-server.ts'))})
await startThings({ key: process.env.SCHEMATHESIS_KEY_APIKEY, fault: 'many', port: Number(process.env.PORT) })`,
    )
    const hooks = folder.written(
      'hooks.ts',
      `export const beforeRequest = (): Record<string, string> => ({ 'x-from-a-hook': 'yes' })\n`,
    )
    const start = `exec "${process.execPath}" "${script}"`
    const chosen = `--max-examples 5 --phase fuzzing --seed 3 --exclude listThings --hooks ${hooks}`.split(' ')
    const { code, out } = await cli(['--contract', contract, '--start', start, ...chosen])
    expect(code).toBe(1)
    expect(out).toMatch(/canonical: findings, seed 3, \d+ cases of 1 op/)
    // Three phases and an operation were left out.
    expect(out).toMatch(/ 0 warnings, 4 exclusions$/m)
    expect(out).toMatch(/POST \/things negative_data_rejection[\s\S]*-H 'x-from-a-hook: yes'/)
  })
})

test.each<[string, readonly string[], object]>([
  ['no option', [], { err: '--contract, and either --url or --start, are needed. See --help\n' }],
  ['a seed that is no number', [...AT, '--seed', 'x'], { err: 'seed must be a whole number, not x\n' }],
  ['an unknown profile', [...AT, '--profile', 'x'], { err: 'There is no profile x, only canonical, keys\n' }],
])('reports %s in one line and exits with 2', async (_what, args, printed) =>
  expect(await cli(args)).toMatchObject({ code: 2, ...printed }),
)
