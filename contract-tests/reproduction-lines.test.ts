import { exec } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { oneOfByDefault } from '../server/verification/testing/nightly.ts'
import type { Part } from './harness/part.ts'
import { WATCH } from './harness/watch/watch.ts'
import { declaredPart } from './parts/declared/declared.ts'
import { headerCases } from './parts/wire/cases/headers.ts'
import { runWire } from './parts/wire/wire.ts'
import { KEYS, startWrongServer } from './strength/wrong-server/wrong-server.ts'
import { WRONG_THINGS } from './strength/wrong-server/defects.ts'
import { runSuite } from './suite.ts'

const contract = fileURLToPath(new URL('../generated/openapi.json', import.meta.url))
const SMALL = { atOnce: 4, caseMs: 5_000, slowMs: 5_000, halfOpen: 0, ofEachSlowKind: 0 }
const OPERATIONS = ['initializeCollection', 'authorizeCollection', 'verifyTransaction']
/** The part wire, on a small table. */
const wire: Part = {
  name: 'wire',
  what: 'a few cases',
  byOperation: true,
  run: (target, options) =>
    runWire(target, options, { ...SMALL, casesOf: (writer) => headerCases(writer).slice(0, 40) }),
}

/** Runs a line as a person does. @returns its output */
const pasted = (line: string): Promise<string> =>
  new Promise((resolve) => {
    const env = { PATH: process.env.PATH, PUBLIC_KEY: KEYS['public-key'], SECRET_KEY: KEYS['secret-key'] }
    exec(line, { shell: '/bin/sh', env }, (_error, out) => resolve(out))
  })

/** Faults, and what the reply to their line must contain. */
const SHOWN: readonly { readonly name: string; readonly shows: RegExp; readonly hides?: RegExp }[] = [
  { name: 'a collection is created, not accepted', shows: /^HTTP\/1\.1 201 /m },
  { name: 'a missing key is forbidden', shows: /^HTTP\/1\.1 403 /m },
  { name: '401 does not say how to log in', shows: /^HTTP\/1\.1 401 /m, hides: /^www-authenticate:/im },
  {
    name: 'a replay does not say that it is one',
    shows: /^HTTP\/1\.1 202 [^]*^HTTP\/1\.1 202 /m,
    hides: /^idempotency-replayed:/im,
  },
  { name: 'unknown fields are accepted', shows: /^HTTP\/1\.1 202 /m },
]

test.each(oneOfByDefault('wrong things')(SHOWN))(
  '$name: each line reproduces it in a shell, twice',
  { timeout: 120_000 },
  async ({ name, shows, hides }) => {
    const server = await startWrongServer(
      contract,
      WRONG_THINGS.filter((thing) => thing.name === name),
    )
    onTestFinished(() => server.close())
    const given = {
      url: server.url,
      publicKey: KEYS['public-key'],
      secretKey: KEYS['secret-key'],
      sandbox: false,
      contract,
    }
    const parts = name.startsWith('401') ? [declaredPart, wire] : [declaredPart]
    const { results } = await runSuite({
      given,
      contract,
      seed: 1,
      size: 'pull-request',
      parts,
      operations: OPERATIONS,
      log: () => undefined,
    })
    // Other wire findings about this server were not planted, and the watch has tests of its own.
    const reported = results.flatMap(({ part, findings: own }) => (part === WATCH ? [] : own))
    const findings = reported.filter(({ about, what }) => OPERATIONS.includes(about) || /WWW-Authenticate/i.test(what))
    expect(findings.length).toBeGreaterThanOrEqual(parts.length)
    for (const { curl = '' } of findings)
      for (let again = 0; again < 2; again++) {
        const printed = await pasted(curl)
        expect(printed, curl).toMatch(shows)
        if (hides) expect(printed, curl).not.toMatch(hides)
      }
  },
)
