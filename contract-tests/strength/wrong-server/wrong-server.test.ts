import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import type { Finding } from '../../harness/part.ts'
import { runProgram } from '../../harness/program.ts'
import { KEYS, startWrongServer } from './wrong-server.ts'
import { WRONG_THINGS, type ServerDefect } from './defects.ts'

const contract = new URL('../../../generated/openapi.json', import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'malipo-wrong-server-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const env = { ...process.env, PUBLIC_KEY: KEYS['public-key'], SECRET_KEY: KEYS['secret-key'] }
const run = (program: string, args: readonly string[]) => runProgram(program, args, { env })

/** The command line as a third party would use it, pointed at the second server. */
async function testServer(wrongThings: readonly ServerDefect[], name: string) {
  const server = await startWrongServer(contract, wrongThings)
  const reports = join(folder, name)
  const { code, out, err } = await run(process.execPath, [
    fileURLToPath(new URL('../../cli.ts', import.meta.url)),
    '--url',
    server.url,
    '--only',
    'declared',
    '--report-dir',
    reports,
  ])
  const read = (file: string) => readFileSync(join(reports, file), 'utf8')
  const { findings } = JSON.parse(read('results.json')) as { readonly findings: readonly Finding[] }
  return { server, code, out, err, read, findings }
}

test('passes a second server that keeps the contract', async () => {
  const { server, code, out, findings } = await testServer([], 'right')
  await server.close()
  expect({ code, findings }).toEqual({ code: 0, findings: [] })
  expect(out).toMatch(/0 findings, 0 warnings, \d+ exclusions/)
})

test('reports each fault of a wrong server once, with a curl line', async () => {
  expect(WRONG_THINGS.length).toBeGreaterThanOrEqual(12)
  const { server, code, out, err, read, findings } = await testServer(WRONG_THINGS, 'wrong')
  try {
    expect(code).toBe(1)
    const shown = Object.fromEntries(
      WRONG_THINGS.map(({ name, shows }) => [name, findings.filter(({ what }) => shows.test(what)).length]),
    )
    expect(shown).toEqual(Object.fromEntries(WRONG_THINGS.map(({ name }) => [name, 1])))
    expect(
      findings.map(({ what }) => what).filter((what) => !WRONG_THINGS.some(({ shows }) => shows.test(what))),
    ).toEqual([])
    for (const text of [
      out,
      err,
      read('results.json'),
      read('junit.xml'),
      read('coverage.html'),
      read('coverage.json'),
    ]) {
      expect(text).not.toContain(KEYS['public-key'])
      expect(text).not.toContain(KEYS['secret-key'])
    }
    // A case per rule; some rules are broken in more than one way.
    const cases = read('junit.xml').match(/<failure /g)?.length ?? 0
    expect(cases).toBeGreaterThanOrEqual(10)
    expect(cases).toBeLessThanOrEqual(findings.length)

    const lineOf = (shows: RegExp) => findings.find(({ what }) => shows.test(what))!.curl!
    const statusOf = async (line: string) => /^HTTP\/1\.1 (\d+)/.exec((await run('sh', ['-c', line])).out)?.[1]
    if ((await run('sh', ['-c', 'command -v curl'])).code !== 0)
      return console.log('curl is not here: the lines were not run')
    expect(await statusOf(lineOf(/wrong secret-key/))).toBe('202')
    expect(await statusOf(lineOf(/answered 201/))).toBe('201')
    expect(await statusOf(lineOf(/answered 404, not 405/))).toBe('404')
  } finally {
    await server.close()
  }
})
