import { exec } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { sampledByDefault } from '../server/verification/testing/nightly.ts'
import { forFile } from '../server/verification/testing/for-file.ts'
import { freePort } from '../server/verification/testing/free-port.ts'
import { withoutKeys } from './harness/curl.ts'
import { freshLine } from './harness/lines/fresh-line.ts'
import { createHistory } from './harness/lines/history.ts'
import { listen } from './harness/listen.ts'
import { present, type PartResult, type RunOptions, type Target } from './harness/part.ts'
import { changingProxyTest } from './harness/testing/changing-proxy.ts'
import { ownGatewayTest } from './harness/testing/own-gateway-test.ts'
import { runApart, type CheckName } from './parts/apart/apart.ts'
import { PLANTED as INPUT_FAULTS } from './parts/inputs/testing/planted.ts'
import { PLANTED as LIMIT_FAULTS } from './parts/limits/testing/planted.ts'
import { runInputs, type Section as InputSection } from './parts/inputs/inputs.ts'
import { runLimits, type Section as LimitSection } from './parts/limits/limits.ts'
import { runOptions } from './parts/options/options.ts'
import { REQUESTS, runOutgoing } from './parts/outgoing/outgoing.ts'
import * as edit from './strength/faults/edit.ts'
import { faultNamed } from './strength/faults/all.ts'
import type { Plant } from './strength/faults/fault.ts'
import { worldAround } from './strength/faults/world.ts'

// Parts whose lines consist of several requests, OTPs and waits of hours. Other lines: reproduction-lines.test.ts.

const receiverPort = await freePort()
const { gateway } = await ownGatewayTest({ receiverPort })
const world = worldAround(() => gateway.url, receiverPort)
let planted: NonNullable<Plant['api']> = {}
let history = createHistory()
const api = await changingProxyTest(gateway.url, () => planted, {
  onExchange: (exchange) => history.record(exchange),
})
const target: Target = { ...gateway, url: api.url }
const other = present(gateway.other, 'second merchant')

/** Waits of a line pass on the gateway's clock: its `sleep` is a program that moves it. */
const clock = await forFile(
  listen(
    createServer((request, response) => {
      // Runs what is due now first: an operator is polled at once, and its answer comes seconds later.
      void gateway.own
        .advance(0)
        .then(() => gateway.own.advance(1_000 * Number(request.url?.slice(1))))
        .then(() => response.end())
    }),
  ),
)
const programs = await mkdtemp(join(tmpdir(), 'malipo-sleep-'))
afterAll(() => rm(programs, { recursive: true, force: true }))
await writeFile(join(programs, 'sleep'), `#!/bin/sh\nexec curl -sS "${clock.url}/$1"\n`)
await chmod(join(programs, 'sleep'), 0o755)

/** Runs a line as a person does, with the keys of both merchants in the environment. @returns its output */
const pasted = (line: string): Promise<string> =>
  new Promise((resolve) => {
    const env = {
      PATH: `${programs}:${process.env.PATH}`,
      PUBLIC_KEY: target.publicKey,
      SECRET_KEY: target.secretKey,
      OTHER_PUBLIC_KEY: other.publicKey,
      OTHER_SECRET_KEY: other.secretKey,
    }
    exec(line, { shell: '/bin/sh', env }, (_error, out, err) => resolve(out + err))
  })

type Run = (options: RunOptions) => Promise<PartResult>
const apart =
  (...only: CheckName[]): Run =>
  (options) =>
    runApart(target, options, only)
const inputs =
  (...sections: InputSection[]): Run =>
  (options) =>
    runInputs(target, options, sections)
const limits =
  (...sections: LimitSection[]): Run =>
  (options) =>
    runLimits(target, options, sections)
const options =
  (...codes: string[]): Run =>
  (settings) =>
    runOptions(target, settings, { codes })
const outgoing =
  (request: keyof typeof REQUESTS): Run =>
  (settings) =>
    runOutgoing(target, settings, [REQUESTS[request]])

interface RepeatedFault {
  readonly part: string
  readonly fault: string
  readonly plant: () => Plant
  readonly run: Run
  /** Expected output beside the status in the finding's text. */
  readonly shows?: RegExp
  /**
   * Whether the last reply is the wrong one; false: any of them, because several requests were sent before one was
   * judged.
   */
  readonly isLast?: false
}

const named = (part: string, fault: string, run: Run, shows?: RegExp): RepeatedFault => ({
  part,
  fault,
  plant: () => faultNamed(fault).plant(world),
  run,
  ...(shows && { shows }),
})
const atLimits = (fault: string, shows?: RegExp): RepeatedFault => {
  const [, sections, plant] = present(
    LIMIT_FAULTS.find(([name]) => name === fault),
    fault,
  )
  return { part: 'limits', fault, plant: () => plant(gateway), run: limits(...sections), ...(shows && { shows }) }
}
const atInputs = (fault: string, shows?: RegExp): RepeatedFault => {
  const [, section, plant] = present(
    INPUT_FAULTS.find(([name]) => name === fault),
    fault,
  )
  return {
    part: 'inputs',
    fault,
    plant: () => ({ api: plant(gateway) }),
    run: inputs(section),
    ...(shows && { shows }),
  }
}

const SHOWN: readonly RepeatedFault[] = [
  named('apart', 'others-transaction-403', apart('references')),
  named('apart', 'others-collection-409', apart('references')),
  named('apart', 'others-collection-authorized', apart('references')),
  named('apart', 'references-of-all-merchants', apart('names')),
  named('apart', 'idempotency-keys-of-all-merchants', apart('replays'), /^idempotency-replayed:|^HTTP\/1\.1 409 /im),
  named('apart', 'secret-key-of-another', apart('keys')),
  named('options', 'airtel-rw-charge-doubled', options('airtel_rw'), /"transaction_status":"COMPLETED"/),
  named('options', 'mtn-zm-maximum-excluded', options('mtn_zm')),
  named('options', 'airtel-ke-listed-twice', options('airtel_ke'), /"airtel_ke"[^]*"airtel_ke"/),
  {
    part: 'options',
    fault: 'a completed payment with an OTP has another message',
    plant: () =>
      edit.replies(edit.VERIFY, 200, (reply) =>
        edit.withBody(reply, reply.body.toString().replace('Transaction Completed Successfully', 'Done')),
      ),
    run: options('airtel_gh'),
    shows: /"status_message":"Done"/,
  },
  atLimits('one unit over the daily limit', /1000001?[^]*^HTTP\/1\.1 202 /m),
  atLimits('a sixth attempt at the OTP', /^HTTP\/1\.1 202 [^]*^HTTP\/1\.1 202 /m),
  atLimits('OTPs that never expire', /^HTTP\/1\.1 202 [^]*^HTTP\/1\.1 202 /m),
  { ...atLimits('Idempotency-Keys of 23 hours'), isLast: false },
  atLimits('late results after 72 hours', /"transaction_status":"COMPLETED"/),
  atLimits('bodies of one byte less'),
  atInputs('a public-key from the query'),
  atInputs('the last of two secret keys'),
  atInputs('names that are composed', /"customer_name"/),
  atInputs('references found in any case', /^HTTP\/1\.1 (404|200) /m),
  atInputs('wrong fields before missing ones'),
  atInputs('a comma too many in JSON'),
  named('outgoing', 'unknown-id-gets-410', outgoing('keys')),
  named('outgoing', 'metrics-open', outgoing('hidden'), /^HTTP\/1\.1 200 /m),
]

test.each(
  sampledByDefault(
    'stories',
    SHOWN.map((each, index) => ({ ...each, seed: 2_000 * (index + 1) })),
  ),
)(
  '$part, $fault: each line reproduces it in a shell, the first one twice',
  { timeout: 120_000 },
  async ({ plant, run, seed, shows, isLast = true }) => {
    planted = plant().api ?? {}
    history = createHistory()
    const { findings } = await run({ seed, size: 'pull-request', log: () => undefined })
    const hide = (text: string, asVariable?: (name: string) => string): string => withoutKeys(text, target, asVariable)
    const lines = findings.flatMap(({ what, curl }) =>
      curl === undefined ? [] : [{ what, line: freshLine(curl, history, { url: target.url, hide }) }],
    )
    expect(lines.length).toBeGreaterThan(0)
    // Answers the merchant's handshakes, as on the machine of whoever runs the line.
    const merchant = await listen(
      createServer((_, response) => response.end()),
      receiverPort,
    )
    onTestFinished(() => merchant.close())
    for (const [index, { what, line }] of lines.entries()) {
      expect(line).not.toContain(target.secretKey)
      for (let times = index === 0 ? 2 : 1; times > 0; times--) {
        const printed = await pasted(line)
        const reported = `${what}\n${line}\n${printed}`
        if (shows) expect(printed, reported).toMatch(shows)
        const status = statusIn(what)
        const came = statusesOf(printed)
        if (status !== undefined) expect(isLast ? came.slice(-1) : came, reported).toContain(status)
      }
    }
  },
)

/** The actual reply in a finding's text: `403 "…", not 404 "…"`, or `404 "…" was expected (…), 403 "…"`. */
const statusIn = (what: string): string | undefined => /\b(\d{3}) "/.exec(what.replace(/^.*was expected/, ''))?.[1]
const statusesOf = (printed: string): string[] =>
  [...printed.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status = '']) => status)
