import { execFile, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { BUILT_IN_CREDENTIALS } from './mtn-momo/credentials.ts'
import { listening } from '../../../server/verification/testing/listening.ts'
import { temporaryFolder } from '../../../server/verification/testing/temporary-folder.ts'

const cli = fileURLToPath(new URL('cli.ts', import.meta.url))

/** The output of the command until it exits on its own. */
const ended = (...args: string[]): Promise<{ readonly code: number; readonly stderr: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [cli, ...args], (error, _stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stderr }),
    )
  })

const { written } = temporaryFolder()
const scenarioFile = (text: string): string => written('scenario.json', text)

test('prints its addresses, plays the scenarios of a file, and exits on interrupt', async () => {
  const file = scenarioFile('{ "scenarios": [{ "effect": { "do": "html" } }] }')
  const child = spawn(process.execPath, [
    cli,
    'mtn-momo',
    '--port',
    '0',
    '--auto',
    '--currency',
    'UGX',
    '--scenario',
    file,
  ])
  onTestFinished(() => void child.kill('SIGKILL'))
  const ending = new Promise((resolve) => child.once('exit', resolve))
  const greeting = await new Promise<string>((resolve) => {
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      if (text.includes('Ctrl-C')) resolve(text)
    })
  })
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(greeting) ?? []
  for (const { subscriptionKey, apiUser, apiKey } of [
    BUILT_IN_CREDENTIALS.collection,
    BUILT_IN_CREDENTIALS.disbursement,
  ])
    for (const text of [subscriptionKey, apiUser, apiKey]) expect(greeting).toContain(text)
  for (const text of [`${url}/phone`, `mtn-momo --currency UGX --base-url ${url} --from -`])
    expect(greeting).toContain(text)
  const env = await (await fetch(`${url}/simulator/rail.env`)).text()
  expect(env).toContain(`\ncollection_api_key=${BUILT_IN_CREDENTIALS.collection.apiKey}\n`)
  const scenarios = await fetch(`${url}/simulator/scenarios`)
  expect(await scenarios.json()).toMatchObject({ scenarios: [{ scenario: { effect: { do: 'html' } } }] })
  child.kill('SIGINT')
  expect(await ending).toBe(0)
})

test('explains in a sentence what it cannot start with', async () => {
  const { port, close } = await listening(createServer())
  onTestFinished(close)
  expect(await ended('mtn-momo', '--port', String(port))).toEqual({
    code: 1,
    stderr: `malipo-operator: port ${port} is taken; choose another with --port\n`,
  })
  const file = scenarioFile('{"effect":{"do":"explode"}}')
  const wrong = await ended('mtn-momo', '--port', '0', '--scenario', file)
  expect(wrong.code).toBe(1)
  expect(wrong.stderr).toMatch(
    /^malipo-operator: .*scenario\.json: The scenario is wrong: scenarios\[0]\.effect\.do is "explode"/,
  )
  expect((await ended('no-such-operator')).stderr).toContain('Allowed choices are mtn-momo')
  expect((await ended('mtn-momo', '--port', 'x')).stderr).toContain('It is a number from 0 to 65535.')
})

test.each([
  [['--currency', '--auto'], '--auto is an option, and not the value of this one'],
  [['--currency', 'ugx'], 'three capital letters'],
  [['--callback-host', '--auto'], '--auto is an option'],
])('refuses an option without its value: %j', async (options, why) => {
  const { code, stderr } = await ended('mtn-momo', '--port', '0', ...options)
  expect([code, stderr]).toEqual([1, expect.stringContaining(why)])
})
