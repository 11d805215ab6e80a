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
import { passOn, type WireReply, type WireRequest } from './harness/proxy.ts'
import { changingProxyTest, replies, withHeader, withText, type Hooks } from './harness/testing/changing-proxy.ts'
import { ownGatewayTest } from './harness/testing/own-gateway-test.ts'
import { runApart, type CheckName } from './parts/apart/apart.ts'
import { declaredPart } from './parts/declared/declared.ts'
import { runInputs, type Section as InputSection } from './parts/inputs/inputs.ts'
import { runLimits, type Section as LimitSection } from './parts/limits/limits.ts'
import { runOptions } from './parts/options/options.ts'
import { REQUESTS, runOutgoing } from './parts/outgoing/outgoing.ts'

// The lines of findings, also those of several requests, OTPs and waits. Those for raw bytes: parts/wire/shell-line.test.ts.

const receiverPort = await freePort()
const { gateway } = await ownGatewayTest({ receiverPort })
let planted: Hooks = {}
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
  readonly plant: Hooks
  readonly run: Run
  /** Expected output beside the status in the finding's text. */
  readonly shows?: RegExp
  readonly hides?: RegExp
}

/** To the gateway, bypassing the fault. */
const send = (request: WireRequest): Promise<WireReply> => passOn(new URL(gateway.url), request)
const withKeys = (request: WireRequest, publicKey: string, secretKey: string): WireRequest =>
  withHeader(withHeader(request, 'public-key', publicKey), 'secret-key', secretKey)
const isFirst = ({ headers }: WireRequest): boolean => headers['public-key']?.[0] === target.publicKey
const accepted = (reply: WireReply): WireReply => ({ ...withText(reply, () => '{"code":202}'), status: 202 })

const ANY = /./
const VERIFY = /\/verify\//
const AUTHORIZE = /\/authorize$/

/** Answers every request with one Idempotency-Key as the first, whoever sends it. */
function replaysToAll(): Hooks {
  const kept = new Map<string, WireReply>()
  return {
    onReply: (reply, { headers }) => {
      const key = headers['idempotency-key']?.[0]
      const first = key === undefined ? undefined : kept.get(key)
      if (key !== undefined && !first) kept.set(key, reply)
      return first ? withHeader(first, 'idempotency-replayed', 'true') : reply
    },
  }
}

const anotherCharge = replies(VERIFY, 200, (reply) =>
  withText(reply, (text) => text.replace(/"transaction_charge":[\d.]+/, '"transaction_charge":987')),
)

const ACCEPTED_TWICE = /^HTTP\/1\.1 202 [^]*^HTTP\/1\.1 202 /m
/** One row per kind of line. */
const SHOWN: readonly RepeatedFault[] = [
  {
    part: 'declared',
    fault: 'a 401 has no WWW-Authenticate',
    plant: replies(ANY, 401, (reply) => withHeader(reply, 'www-authenticate', undefined)),
    run: declared,
    shows: /^HTTP\/1\.1 401 /m,
    hides: /^www-authenticate:/im,
  },
  {
    part: 'declared',
    fault: 'a repeated reply has no Idempotency-Replayed',
    plant: replies(ANY, 202, (reply) => withHeader(reply, 'idempotency-replayed', undefined)),
    run: declared,
    shows: ACCEPTED_TWICE,
    hides: /^idempotency-replayed:/im,
  },
  {
    part: 'apart',
    fault: "verify answers 403 about the first merchant's transaction",
    plant: replies(VERIFY, 404, async (reply, request) => {
      const shown = await send(withKeys(request, target.publicKey, target.secretKey))
      return !isFirst(request) && shown.status === 200 ? { ...reply, status: 403 } : reply
    }),
    run: apart('references'),
  },
  {
    part: 'apart',
    fault: 'an OTP is accepted for the collection of anybody',
    plant: replies(AUTHORIZE, 404, (_, request) =>
      send(withHeader(request, 'public-key', isFirst(request) ? other.publicKey : target.publicKey)),
    ),
    run: apart('references'),
  },
  {
    part: 'apart',
    fault: 'an Idempotency-Key is one of all merchants',
    plant: replaysToAll(),
    run: apart('replays'),
    shows: /^idempotency-replayed:|^HTTP\/1\.1 409 /im,
  },
  {
    part: 'options',
    fault: 'a completed payment has another charge',
    plant: anotherCharge,
    run: options('airtel_rw'),
    shows: /"transaction_charge":987/,
  },
  {
    part: 'options',
    fault: 'a completed payment with an OTP has another charge',
    plant: anotherCharge,
    run: options('airtel_gh'),
    shows: /"transaction_charge":987/,
  },
  {
    part: 'limits',
    fault: 'a daily limit is no limit',
    plant: replies(ANY, 400, (reply) => (reply.body.includes('exceeds the daily limit') ? accepted(reply) : reply)),
    run: limits('dailyLimits'),
  },
  {
    part: 'limits',
    fault: 'OTPs never expire',
    plant: replies(AUTHORIZE, 400, (reply, { body }) => (body.includes('123456') ? accepted(reply) : reply)),
    run: limits('passwords'),
    shows: ACCEPTED_TWICE,
  },
  {
    part: 'limits',
    fault: 'a body of 65536 bytes is too large',
    plant: { onReply: (reply, { body }) => (body.length === 65_536 ? { ...reply, status: 413 } : reply) },
    run: limits('bodySize'),
  },
  {
    part: 'inputs',
    fault: 'keys are found in the query',
    plant: replies(/[?&]public-key=/, 401, (_, request) => send(withKeys(request, target.publicKey, target.secretKey))),
    run: inputs('keys'),
  },
  {
    part: 'inputs',
    fault: 'an account number has a plus sign',
    plant: replies(VERIFY, 200, (reply) =>
      withText(reply, (text) => text.replace(/("transaction_account":")(?=25[0-6]|260|233)/, '$1+')),
    ),
    run: inputs('phones'),
    shows: /"transaction_account":"\+/,
  },
  {
    part: 'outgoing',
    fault: 'metrics are open',
    plant: replies(/^\/metrics/, 404, (reply) => ({ ...withText(reply, () => 'payments_total 7'), status: 200 })),
    run: outgoing('hidden'),
    shows: /^HTTP\/1\.1 200 /m,
  },
]

test.each(
  sampledByDefault(
    'lines',
    SHOWN.map((each, index) => ({ ...each, seed: 2_000 * (index + 1) })),
  ),
)(
  '$part, $fault: each line reproduces it in a shell, the first one twice',
  async ({ plant, run, seed, shows, hides }) => {
    planted = plant
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
