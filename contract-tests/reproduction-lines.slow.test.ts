import { exec } from 'node:child_process'
import { chmod } from 'node:fs/promises'
import { createServer } from 'node:http'
import { temporaryFolder } from '../server/verification/testing/temporary-folder.ts'
import { expect, onTestFinished, test } from 'vitest'
import { sampledByDefault } from '../server/verification/testing/nightly.ts'
import { forFile } from '../server/verification/testing/for-file.ts'
import { freePort } from '../server/verification/testing/free-port.ts'
import { withoutKeys } from './harness/curl.ts'
import { freshLine } from './harness/lines/fresh-line.ts'
import { createHistory } from './harness/lines/history.ts'
import { listen } from './harness/listen.ts'
import { present, type PartResult, type RunOptions, type Target } from './harness/part.ts'
import type { WireReply } from './harness/proxy.ts'
import { changingProxyTest } from './harness/testing/changing-proxy.ts'
import { ownGatewayTest } from './harness/testing/own-gateway-test.ts'
import { runApart, type CheckName } from './parts/apart/apart.ts'
import { declaredPart } from './parts/declared/declared.ts'
import { runInputs, type Section as InputSection } from './parts/inputs/inputs.ts'
import { runLimits, type Section as LimitSection } from './parts/limits/limits.ts'
import { runOptions } from './parts/options/options.ts'
import { REQUESTS, runOutgoing } from './parts/outgoing/outgoing.ts'
import * as edit from './strength/faults/edit.ts'
import { faultNamed } from './strength/faults/all.ts'
import type { Plant } from './strength/faults/fault.ts'
import { worldAround } from './strength/faults/world.ts'

// The lines of findings, also those of several requests, OTPs and waits. Those for raw bytes: parts/wire/shell-line.test.ts.

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
const { path: programs, written } = temporaryFolder()
await chmod(written('sleep', `#!/bin/sh\nexec curl -sS "${clock.url}/$1"\n`), 0o755)

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
const declared: Run = (options) => declaredPart.run(target, { ...options, operations: ['initializeCollection'] })
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
  readonly hides?: RegExp
}

type More = Pick<RepeatedFault, 'shows' | 'hides'>
const named = (part: string, fault: string, run: Run, more: More = {}): RepeatedFault => ({
  part,
  fault,
  plant: () => faultNamed(fault).plant(world),
  run,
  ...more,
})
const edited = (part: string, fault: string, plant: Plant, run: Run, more: More = {}): RepeatedFault => ({
  part,
  fault,
  plant: () => plant,
  run,
  ...more,
})

/** Answers every request with one Idempotency-Key as the first, whoever sends it. */
function replaysToAll(): Plant {
  const kept = new Map<string, WireReply>()
  return edit.replies(edit.POSTS, 'any', (reply, request) => {
    const key = edit.header(request, 'idempotency-key')
    const first = key === undefined ? undefined : kept.get(key)
    if (key !== undefined && !first) kept.set(key, reply)
    return first ? edit.withHeader(first, 'idempotency-replayed', 'true') : reply
  })
}

const ACCEPTED_TWICE = /^HTTP\/1\.1 202 [^]*^HTTP\/1\.1 202 /m
/** One row per kind of line. */
const SHOWN: readonly RepeatedFault[] = [
  named('declared', 'www-authenticate-missing', declared, {
    shows: /^HTTP\/1\.1 401 /m,
    hides: /^www-authenticate:/im,
  }),
  named('declared', 'replay-not-reported', declared, { shows: ACCEPTED_TWICE, hides: /^idempotency-replayed:/im }),
  named('apart', 'others-transaction-403', apart('references')),
  edited(
    'apart',
    'an OTP is accepted for the collection of anybody',
    edit.replies(edit.AUTHORIZE, 404, (_, request) => {
      const { publicKey } = edit.header(request, 'public-key') === other.publicKey ? target : other
      return world.send(edit.withHeader(request, 'public-key', publicKey))
    }),
    apart('references'),
  ),
  edited('apart', 'an Idempotency-Key is one of all merchants', replaysToAll(), apart('replays'), {
    shows: /^idempotency-replayed:|^HTTP\/1\.1 409 /im,
  }),
  named('options', 'airtel-rw-charge-doubled', options('airtel_rw'), { shows: /"transaction_status":"COMPLETED"/ }),
  edited(
    'options',
    'a completed payment with an OTP has another charge',
    edit.replies(edit.VERIFY, 200, (reply) =>
      edit.withBody(reply, reply.body.toString().replace(/"transaction_charge":[\d.]+/, '"transaction_charge":987')),
    ),
    options('airtel_gh'),
    { shows: /"transaction_charge":987/ },
  ),
  named('limits', 'daily-limit-of-each-spelling', limits('dailyLimits')),
  edited(
    'limits',
    'OTPs never expire',
    edit.replies(edit.AUTHORIZE, 400, (reply, request) =>
      edit.fieldsOf(request)?.['otp'] === 123_456 ? { ...edit.withBody(reply, '{"code":202}'), status: 202 } : reply,
    ),
    limits('passwords'),
    { shows: ACCEPTED_TWICE },
  ),
  named('limits', 'largest-body-refused', limits('bodySize')),
  named('inputs', 'keys-from-query', inputs('keys')),
  named('inputs', 'plus-kept-in-account', inputs('phones'), { shows: /"transaction_account":"\+/ }),
  named('outgoing', 'metrics-open', outgoing('hidden'), { shows: /^HTTP\/1\.1 200 /m }),
]

test.each(
  sampledByDefault(
    'lines',
    SHOWN.map((each, index) => ({ ...each, seed: 2_000 * (index + 1) })),
  ),
)(
  '$part, $fault: each line reproduces it in a shell, the first one twice',
  async ({ plant, run, seed, shows, hides }) => {
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
        if (hides) expect(printed, reported).not.toMatch(hides)
        const status = statusIn(what)
        // A line that compares two replies prints both.
        if (status !== undefined) expect(statusesOf(printed), reported).toContain(status)
      }
    }
  },
)

/** The actual reply in a finding's text: `403 "…", not 404 "…"`, or `404 "…" was expected (…), 403 "…"`. */
const statusIn = (what: string): string | undefined => /\b(\d{3}) "/.exec(what.replace(/^.*was expected/, ''))?.[1]
const statusesOf = (printed: string): string[] =>
  [...printed.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status = '']) => status)
