import { resolve } from 'node:path'
import { writeFileSync } from 'node:fs'
import {
  exitCode,
  labAt,
  mustWrite,
  newOrder,
  NOBODY,
  OPTIONS as CHECK_OPTIONS,
  ownUrl,
  printing,
  reportFile,
} from '../check/command.ts'
import { effectsAt } from '../check/effects.ts'
import { jsonReport, TextReport } from '../check/report.ts'
import type { Row } from '../check/row.ts'
import { runRows, type Plan } from '../check/run-rows.ts'
import { didYouMean } from '../did-you-mean.ts'
import { GATEWAY_OPTION, gatewayOf } from '../gateway-option.ts'
import { readArguments, readNumber, readUrl, UsageError, type Command, type OptionTable } from '../usage.ts'
import type { CertifyStage } from './acts.ts'
import { badgeOf, certificateOf } from './certificate.ts'
import { LIVES } from './lives.ts'
import { StandInGateway } from './stand-in-gateway.ts'

const { secret, 'signing-key': signingKey, json, only, 'timeout-ms': timeoutMs, 'return-ms': returnMs } = CHECK_OPTIONS
const path = (value: string, help: string) => ({ type: 'string', value: 'PATH', default: value, help }) as const
const OPTIONS = {
  'callback-path': path('/callbacks', 'your callback URL, from <url>'),
  'payout-path': { type: 'string', value: 'PATH', help: 'your callback URL of payouts, if it is another' },
  'handshake-path': path('/handshake', 'your verification URL'),
  'redirect-path': path('/paid', 'the page that customers come back to'),
  'effects-path': path('/dev/effects', 'the page that drives your shop, see below'),
  gateway: {
    ...GATEWAY_OPTION,
    help: GATEWAY_OPTION.help.replace('the running sandbox', 'where your shop calls Malipo'),
  },
  report: { type: 'string', value: 'FILE', help: 'writes the report: .html, .md or .json' },
  badge: { type: 'string', value: 'FILE', help: 'writes the badge: .svg, or .json for shields.io' },
  secret,
  'signing-key': signingKey,
  json,
  only: { ...only, help: only.help.replace('this row', 'this life') },
  'timeout-ms': timeoutMs,
  'return-ms': returnMs,
  'allow-remote': CHECK_OPTIONS['allow-remote'],
} as const satisfies OptionTable

/** Time limit of all lives together. */
const DEADLINE_MS = 300_000

/** `malipo-dev certify`. */
export const certifyCommand: Command = {
  name: 'certify',
  summary: `plays ${LIVES.length} lives of payments with your whole integration, and writes a report and a badge`,
  takes: '<url> [--report FILE] [--badge FILE]',
  example: 'malipo-dev certify http://localhost:3000 --report certificate.html --badge certificate.svg',
  options: OPTIONS,
  notes: [
    'check tests what you receive; certify also what you send. It stands in for Malipo at the address of your MALIPO_URL, so no sandbox may run there, and loses, doubles and delays messages. Use a test database.',
    'A page of your development mode drives your shop (--effects-path), with JSON as for check:',
    '  GET   answers {"<merchant_reference>": <how often its order was fulfilled>}; of a payout 1 while it is booked as paid',
    '  POST  {"merchant_reference", "transaction_type", "amount", "currency"} lets it expect a payment (COLLECTION), or know a payout (PAYOUT) or a batch (BATCH, with "payouts")',
    '  POST  the same with "action": "start" starts the payment at Malipo under that reference, as your checkout does, and keeps the order',
    '  POST  {"action": "catch_up"} reads the missed events from GET /data/events',
    'Exit code: 0 every life was right, 1 some was not, 2 certify could not run.',
  ],
  async run(args, terminal) {
    const { values, positionals } = readArguments(args, OPTIONS, { min: 1, max: 1, name: 'The URL' })
    const base = ownUrl(readUrl(positionals[0] ?? '', 'The URL', terminal), 'The URL', values['allow-remote'] ?? false)
    const at = (name: 'callback' | 'payout' | 'handshake' | 'redirect' | 'effects') =>
      ownUrl(
        new URL(values[`${name}-path`] ?? values['callback-path'], base),
        `--${name}-path`,
        values['allow-remote'] ?? false,
      )
    const urls = { callback: at('callback'), handshake: at('handshake'), redirect: at('redirect') }
    const reportAt = fileOf(values.report, '--report', ['.html', '.md', '.json'], terminal.folder)
    const badgeAt = fileOf(values.badge, '--badge', ['.svg', '.json'], terminal.folder)
    const keys = { webhookSecret: values.secret, signingKey: values['signing-key'] }
    const gateway = new StandInGateway(keys.webhookSecret, terminal.now)
    const effects = effectsAt(at('effects'), '--effects-path')
    const payoutUrl = at('payout')
    const urlOf = ({ group, type }: Row) => {
      if (group === 'callback' && type === 'PAYOUT') return payoutUrl
      return group === 'gateway' ? urls.callback : urls[group]
    }
    const contextOf = (row: Row) => labAt(urlOf(row), keys, terminal)
    const plan: Plan = {
      rows: chosenLives(values.only ?? []),
      contextOf,
      newOrder: (row) => newOrder(row, terminal, undefined),
      stageOf: (row, order): Omit<CertifyStage, 'send'> => {
        gateway.begin({ internalReference: order.internalReference })
        return {
          order,
          gateway,
          // The callbacks of a life whose group has another URL.
          context: row.group === 'handshake' ? contextOf(row) : labAt(urls.callback, keys, terminal),
          redirectUrl: urls.redirect,
          expect: effects.announce,
          start: () => effects.start(order),
          catchUp: effects.catchUp,
          newOrder: () => newOrder(row, terminal, undefined),
        }
      },
      effects,
      knowsPayouts: false,
      timeoutMs: readNumber(values['timeout-ms'], '--timeout-ms', { min: 100, max: 60_000 }),
      deadlineMs: DEADLINE_MS,
      returnMs: readNumber(values['return-ms'], '--return-ms', { min: 0, max: 600_000 }),
      ended: terminal.ended,
    }
    const report = new TextReport(terminal.paint, terminal.columns, true)
    await gateway.open(gatewayOf(values.gateway, terminal))
    const listener = values.json ? NOBODY : printing(report, plan.returnMs, terminal)
    const outcomes = await runRows(plan, listener).finally(gateway.close)
    for (const line of values.json ? [jsonReport(outcomes)] : report.totals(outcomes)) terminal.print(line)
    const certificate = { outcomes, url: base.href, at: terminal.now(), of: LIVES.length }
    for (const [file, textOf] of [
      [reportAt, certificateOf],
      [badgeAt, badgeOf],
    ] as const)
      if (file !== undefined) mustWrite(() => writeFileSync(file, textOf(certificate, file)), file)
    // A life that was not played is no part of a certificate.
    return outcomes.every(({ verdict }) => verdict === 'ok') ? 0 : exitCode(outcomes, true) || 1
  },
}

function fileOf(given: string | undefined, name: string, endings: readonly string[], folder: string) {
  if (given === undefined) return undefined
  if (endings.some((ending) => given.endsWith(ending))) return reportFile(resolve(folder, given), name)
  throw new UsageError(`${name} must end in ${endings.join(' or ')}; "${given}" does not`)
}

function chosenLives(only: readonly string[]): readonly Row[] {
  const ids = LIVES.map(({ id }) => id)
  const unknown = only.find((id) => !ids.includes(id))
  if (unknown !== undefined)
    throw new UsageError(`there is no life "${unknown}"; choose from ${ids.join(', ')}.${didYouMean(unknown, ids)}`)
  return only.length === 0 ? LIVES : LIVES.filter(({ id }) => only.includes(id))
}
