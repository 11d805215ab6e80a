import { accessSync, constants, existsSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { didYouMean } from '../did-you-mean.ts'
import { eventOf } from '../events.ts'
import { TIMEOUT_MS } from '../exchange.ts'
import { newInternalReference, newMerchantReference, newWebhookId } from '../references.ts'
import { DEMO_KEYS, type Keys } from '../sign.ts'
import type { Terminal } from '../terminal.ts'
import { readArguments, readNumber, readUrl, UsageError, type Command, type OptionTable } from '../usage.ts'
import { effectsAt } from './effects.ts'
import { GOOD_ROWS } from './good-rows.ts'
import { HANDSHAKE_ROWS } from './handshake-rows.ts'
import { HOSTILE_ROWS } from './hostile-rows.ts'
import type { Outcome } from './judge.ts'
import { REDIRECT_ROWS } from './redirect-rows.ts'
import { jsonReport, junitReport, TextReport } from './report.ts'
import type { RowContext, Order, Row } from './row.ts'
import { runRows, STOPPED, TIME_UP, type ProgressListener, type Plan } from './run-rows.ts'

/** Of `check`; `certify` has some of them. */
export const OPTIONS = {
  'handshake-url': { type: 'string', value: 'URL', help: 'your verification URL; its rows are skipped if absent' },
  'redirect-url': {
    type: 'string',
    value: 'URL',
    help: 'the page that customers come back to; its rows are skipped if absent',
  },
  'effects-url': { type: 'string', value: 'URL', help: 'returns how often each order was fulfilled, see below' },
  'known-reference': {
    type: 'string',
    value: 'TEXT',
    help: 'the merchant_reference of a payout that your verification URL knows',
  },
  secret: { type: 'string', value: 'whsec_…', default: DEMO_KEYS.webhookSecret, help: 'your webhook secret' },
  'signing-key': { type: 'string', value: 'KEY', default: DEMO_KEYS.signingKey, help: 'your signing key' },
  junit: { type: 'string', value: 'FILE', help: 'writes the report as JUnit XML too' },
  json: { type: 'boolean', help: 'prints the report as JSON' },
  only: {
    type: 'string',
    multiple: true,
    value: 'ROW',
    help: 'this row only, by the id in the report; may be given again',
  },
  strict: { type: 'boolean', help: 'warnings and unseen rows count as failures' },
  'timeout-ms': {
    type: 'string',
    value: 'NUMBER',
    default: String(TIMEOUT_MS),
    help: 'longest wait for one reply; Malipo waits 15 seconds',
  },
  'return-ms': {
    type: 'string',
    value: 'NUMBER',
    default: '30000',
    help: 'longest wait for the restart of a receiver that died, each time',
  },
  'allow-remote': { type: 'boolean', help: 'allows addresses other than this machine: check only your own' },
} as const satisfies OptionTable

const ROWS = [...GOOD_ROWS, ...HOSTILE_ROWS, ...HANDSHAKE_ROWS, ...REDIRECT_ROWS] as const
const DEADLINE_MS = 120_000

/** `malipo-dev check`. */
export const checkCommand: Command = {
  name: 'check',
  summary: 'tests your callback URL with valid and hostile messages, for you and for your CI',
  takes: '<callback-url> [--handshake-url URL] [--redirect-url URL]',
  example:
    'malipo-dev check http://localhost:3000/callbacks --handshake-url http://localhost:3000/handshake --effects-url http://localhost:3000/dev/effects --junit check.xml',
  options: OPTIONS,
  notes: [
    'From outside, check cannot see whether an event was handled once. A page of your development mode can show it, and --effects-url names it:',
    '  GET   answers {"<merchant_reference>": <how often its order was fulfilled>}; of a payout 1 while it is booked as paid',
    '  POST  {"merchant_reference", "transaction_type", "amount", "currency"} lets your shop expect that payment, or know that payout',
    'Without it those rows are unseen. rsa-signature is made with a key of this run, so a receiver that requires it refuses everything: use webhook-signature.',
    'A receiver that dies on a row fails that row. check waits for it and runs the other rows when it is back: let a supervisor restart it.',
    'Exit code: 0 nothing is wrong, 1 something is wrong, 2 check could not run.',
  ],
  async run(args, terminal) {
    const {
      values,
      positionals: [callbackUrl = ''],
    } = readArguments(args, OPTIONS, { min: 1, max: 1, name: 'The callback URL' })
    const url = (text: string, name: string): URL =>
      ownUrl(readUrl(text, name, terminal), name, values['allow-remote'] ?? false)
    const urls = {
      callback: url(callbackUrl, 'The callback URL'),
      gateway: undefined,
      handshake: values['handshake-url'] === undefined ? undefined : url(values['handshake-url'], '--handshake-url'),
      redirect: values['redirect-url'] === undefined ? undefined : url(values['redirect-url'], '--redirect-url'),
    }
    const junit = values.junit === undefined ? undefined : reportFile(resolve(terminal.folder, values.junit), '--junit')
    const known = values['known-reference']
    const returnMs = readNumber(values['return-ms'], '--return-ms', { min: 0, max: 600_000 })
    const report = new TextReport(terminal.paint, terminal.columns)
    const plan: Plan = {
      rows: chosenRows(values.only ?? [], urls),
      contextOf: ({ group }) =>
        labAt(
          urls[group] ?? urls.callback,
          { webhookSecret: values.secret, signingKey: values['signing-key'] },
          terminal,
        ),
      newOrder: (row) => newOrder(row, terminal, known),
      effects: values['effects-url'] === undefined ? undefined : effectsAt(url(values['effects-url'], '--effects-url')),
      knowsPayouts: known !== undefined,
      timeoutMs: readNumber(values['timeout-ms'], '--timeout-ms', { min: 100, max: 60_000 }),
      deadlineMs: DEADLINE_MS,
      returnMs,
      ended: terminal.ended,
    }
    const outcomes = await runRows(plan, values.json ? NOBODY : printing(report, returnMs, terminal))
    for (const line of values.json ? [jsonReport(outcomes)] : report.totals(outcomes)) terminal.print(line)
    if (junit !== undefined) mustWrite(() => writeFileSync(junit, junitReport(outcomes)), '--junit')
    return exitCode(outcomes, values.strict ?? false)
  },
}

/** Programs get a single document at the end. */
export const NOBODY: ProgressListener = { judged() {}, corrected() {}, waiting() {} }

/** Prints rows as they are judged. */
export const printing = (report: TextReport, returnMs: number, { print }: Terminal): ProgressListener => ({
  judged: (outcome) => report.judged(outcome).forEach(print),
  corrected: (outcome) => report.corrected(outcome).forEach(print),
  waiting: (row) => report.waiting(row, returnMs).forEach(print),
})

/** Hostile messages are sent only to the user's own machines. */
export function ownUrl(url: URL, name: string, allowRemote: boolean): URL {
  if (allowRemote || /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)) return url
  throw new UsageError(
    `${name} leads to ${url.hostname}, which is not this machine: check only your own, with --allow-remote`,
  )
}

/** Checked before the first row: nobody wants to wait for a report that cannot be written. */
export function reportFile(file: string, name: string): string {
  mustWrite(() => accessSync(existsSync(file) ? file : dirname(file), constants.W_OK), name)
  return file
}

/** @throws UsageError that names the option */
export function mustWrite(write: () => void, name: string): void {
  try {
    write()
  } catch (error) {
    throw new UsageError(`${name} cannot be written: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function chosenRows(only: readonly string[], urls: Readonly<Record<Row['group'], URL | undefined>>): readonly Row[] {
  const unknown = only.find((id) => ROWS.every((row) => row.id !== id))
  if (unknown !== undefined)
    throw new UsageError(
      `there is no row "${unknown}"; choose from ${ROWS.map(({ id }) => id).join(', ')}.${didYouMean(
        unknown,
        ROWS.map(({ id }) => id),
      )}`,
    )
  const chosen = only.length === 0 ? ROWS : ROWS.filter(({ id }) => only.includes(id))
  const without = chosen.find(({ group }) => urls[group] === undefined)
  // If a row requested by name were skipped, it would look like a right one.
  if (without && only.length > 0) throw new UsageError(`row "${without.id}" needs --${without.group}-url`)
  return chosen.filter(({ group }) => urls[group] !== undefined)
}

/** The order of a row, which nobody has used. */
export function newOrder({ group, type }: Row, terminal: Terminal, knownReference: string | undefined): Order {
  const order = { internalReference: newInternalReference(terminal), amount: 5_000, currency: 'UGX' }
  if (type === 'PAYOUT') return { ...order, merchantReference: newMerchantReference(terminal, 'PAYOUT'), type }
  if (type === 'BATCH')
    return { ...order, merchantReference: newMerchantReference(terminal, 'PAYOUT'), type, payouts: 2 }
  if (group === 'handshake')
    return { ...order, merchantReference: knownReference ?? newMerchantReference(terminal, 'PAYOUT'), type: 'PAYOUT' }
  return { ...order, merchantReference: newMerchantReference(terminal, 'ORDER'), type: 'COLLECTION' }
}

/** What rows make their messages with. */
export const labAt = (url: URL, keys: Keys, terminal: Terminal): RowContext => ({
  url,
  keys,
  otherKeys: {
    webhookSecret: `whsec_${Buffer.from(terminal.randomBytes(32)).toString('base64')}`,
    signingKey: newWebhookId(terminal).slice(3, 23),
  },
  now: terminal.now,
  newWebhookId: () => newWebhookId(terminal),
  // Nobody can cancel a payout: for Malipo that is a failure.
  eventOf: ({ type, ...order }, outcome) =>
    eventOf(
      type === 'COLLECTION' ? `collection.${outcome}` : `payout.${outcome === 'completed' ? outcome : 'failed'}`,
      order,
    ),
})

/** Of all rows; `strict`: what was not seen counts as wrong. */
export function exitCode(outcomes: readonly Outcome[], strict: boolean): number {
  const has = (...verdicts: Outcome['verdict'][]) => outcomes.some(({ verdict }) => verdicts.includes(verdict))
  if (has('wrong') || (strict && has('warning', 'unseen'))) return 1
  return outcomes.some(({ did, verdict }) => verdict === 'left_out' && (did === TIME_UP || did === STOPPED)) ? 2 : 0
}
