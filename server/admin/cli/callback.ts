import type { Command } from 'commander'
import type { CallbackStatus } from '../../domain/deliveries.ts'
import { maskUrl } from '../../domain/mask-url.ts'
import { callbackAttempts, countWithoutUrl, listCallbacks, type CallbackView } from '../queries/callbacks.ts'
import { toRecord, waitsForUrl } from '../queries/callback-record.ts'
import { MALIPO } from './called-as.ts'
import { addExamples, addLeaf, LIMIT_MAX, parseLimit, parseOneOf, parseSince, type RelativeTime } from './command.ts'
import { merchantNamed } from '../operations/merchant-named.ts'
import { callbackNamed, callbacksMeant, resendCallbacks, type ResendInput } from '../operations/resend-callbacks.ts'
import { withDatabase, type Context } from './database.ts'
import { usedWrongly, type CliError } from './errors.ts'
import { print, printable, printFields, printJson, printTable, shortTime } from './output.ts'
import { runAddition } from './run-change.ts'
import { addRecordedAction, type RecordedOptions } from './staff-action.ts'
import { transactionNamed } from '../operations/transaction-named.ts'

const STATUSES = ['PENDING', 'DELIVERED', 'STOPPED'] as const satisfies readonly CallbackStatus[]

interface ListOptions {
  readonly failed?: true
  readonly retrying?: true
  readonly transaction?: string
  readonly merchant?: string
  readonly status?: CallbackStatus
  readonly limit: number
  readonly json?: true
}

export function define(group: Command): void {
  addExamples(group, `${MALIPO} callback list --status STOPPED`)
  addLeaf(
    group,
    'list',
    'list callbacks, the newest first',
    `${MALIPO} callback list --failed`,
    `${MALIPO} callback list --transaction ORDER-2026-0001 --json`,
  )
    .option('--transaction <reference>', 'only of this transaction (merchant reference, internal reference or id)')
    .option('--merchant <merchant>', 'only of this merchant (public key or id)')
    .option('--status <status>', `only ${STATUSES.join(', ')}`, parseOneOf(STATUSES))
    .option('--failed', 'only those that every attempt failed for, and that are not attempted again by themselves')
    .option('--retrying', 'only those that failed and wait for their next attempt')
    .option('--limit <count>', `at most this many, up to ${LIMIT_MAX}`, parseLimit, 50)
    .action(list)
  addLeaf(
    group,
    'show',
    'show a callback with every attempt: URL, status, duration, error, reply',
    `${MALIPO} callback show 17`,
  )
    .argument('<callback>', 'id or webhook-id')
    .action(show)
  addRecordedAction(
    group,
    'resend',
    "resend callbacks now, under their webhook-ids, to the merchant's present URL",
    `${MALIPO} callback resend 17`,
    `${MALIPO} callback resend --transaction ORDER-2026-0001`,
    `${MALIPO} callback resend --since 2026-11-20T08:00:00Z --until 2026-11-20T11:30:00Z --merchant 2 --yes`,
  )
    .argument('[callback]', 'id or webhook-id')
    .option(
      '--transaction <reference>',
      'all callbacks of this transaction (merchant reference, internal reference or id)',
    )
    .option(
      '--since <time>',
      'all created since then that were attempted or wait for a URL: 90s, 15m, 1h, 7d, or a moment in ISO 8601',
      parseSince,
    )
    .option('--until <time>', 'with --since: only made before then', parseSince)
    .option('--status <status>', `with --since: only ${STATUSES.join(', ')}`, parseOneOf(STATUSES))
    .option('--merchant <merchant>', 'only of this merchant (public key or id)')
    .option('--yes', `send also when it is more than ${RESEND_UNASKED_MAX}`)
    .action(resend)
}

/** Resending more callbacks than this needs a confirmation: they go to a merchant's server, which may be small. */
const RESEND_UNASKED_MAX = 100

async function list({
  transaction,
  merchant,
  status: named,
  failed,
  retrying,
  limit,
  json,
}: ListOptions): Promise<void> {
  if ([named, failed, retrying].filter((option) => option !== undefined).length > 1)
    throw usedWrongly('malipo: set one of --status, --failed and --retrying')
  const isAttempted = failed ?? retrying ?? false
  const attempted = retrying ? 'PENDING' : 'STOPPED'
  const status = isAttempted ? attempted : named
  const { callbacks, attempts } = await withDatabase(async (context) => {
    const transactionIds =
      transaction === undefined ? undefined : [(await transactionNamed(context, transaction, merchant)).id]
    const merchantId = merchant === undefined ? undefined : (await merchantNamed(context, merchant)).id
    const callbacks = await listCallbacks(context.pool, { transactionIds, merchantId, status, isAttempted, limit })
    return {
      callbacks,
      attempts: json
        ? await callbackAttempts(
            context.pool,
            callbacks.map(({ id }) => id),
          )
        : [],
    }
  })
  if (json) return printJson(callbacks.map((callback) => toRecord(callback, attempts)))
  printTable(
    callbacks,
    [
      { title: 'ID', of: ({ id }) => id, align: 'right' },
      { title: 'CREATED', of: ({ created_at }) => shortTime(created_at) },
      { title: 'REFERENCE', of: ({ merchant_reference }) => merchant_reference },
      { title: 'EVENT', of: ({ event }) => event },
      { title: 'STATUS', of: shownStatus },
      { title: 'ATTEMPTS', of: (row) => row.attempts, align: 'right' },
      { title: 'NEXT ATTEMPT', of: ({ next_attempt_at }) => next_attempt_at && shortTime(next_attempt_at) },
      { title: 'URL', of: ({ url }) => shownUrl(url), cut: true },
    ],
    'No callback.',
  )
}

const shownStatus = (callback: CallbackView): string =>
  callback.url === '' && waitsForUrl(callback) ? `${callback.status} (no URL is set)` : callback.status
const shownUrl = (url: string): string => (url === '' ? '(none)' : maskUrl(url))

async function show(name: string, { json }: { json?: true }): Promise<void> {
  const { callback, attempts } = await withDatabase(async (context) => {
    const callback = await callbackNamed(context, name)
    return { callback, attempts: await callbackAttempts(context.pool, [callback.id]) }
  })
  if (json) return printJson(toRecord(callback, attempts))
  printFields([
    ['id', callback.id],
    ['webhook-id', callback.webhook_id],
    ['event', callback.event],
    ['merchant', callback.merchant_public_key],
    ['merchant reference', callback.merchant_reference],
    ['url', shownUrl(callback.url)],
    ['status', shownStatus(callback)],
    ['created', callback.created_at.toISOString()],
    ['next attempt', callback.next_attempt_at?.toISOString()],
    ['ended', callback.finished_at?.toISOString()],
    ['waits', waitsForUrl(callback) ? waitingFor(callback) : undefined],
  ])
  print('')
  printTable(
    attempts,
    [
      { title: 'ATTEMPT', of: ({ attempt }) => attempt, align: 'right' },
      { title: 'AT', of: ({ at }) => at.toISOString() },
      { title: 'MS', of: ({ duration_ms }) => duration_ms, align: 'right' },
      { title: 'HTTP', of: ({ http_status }) => http_status, align: 'right' },
      { title: 'URL', of: ({ url }) => url, cut: true },
      { title: 'ERROR', of: ({ error }) => error, cut: true },
      { title: 'REPLY', of: ({ reply_excerpt }) => reply_excerpt && cutAt(printable(reply_excerpt), 200), cut: true },
    ],
    'No attempt yet.',
  )
}

const waitingFor = ({ id, url }: CallbackView): string =>
  `${url === '' ? `for the merchant to have a URL: set one with ${MALIPO} merchant set, then` : 'to be sent to the URL that the merchant has now:'} ${MALIPO} callback resend ${id}`

const cutAt = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length - 1)}…` : text)

interface ResendOptions extends RecordedOptions {
  readonly transaction?: string
  readonly since?: RelativeTime
  readonly until?: RelativeTime
  readonly status?: CallbackStatus
  readonly merchant?: string
  readonly yes?: true
}

const whichIsUnsaid = (): CliError =>
  usedWrongly(
    'malipo: say which: a callback, --transaction <reference>, or --since <time>.\nAdd --help to see what it takes, with an example.',
  )

async function resend(name: string | undefined, options: ResendOptions): Promise<void> {
  const { transaction, since, until, status, merchant, json } = options
  if ([name, transaction, since].filter((way) => way !== undefined).length !== 1) throw whichIsUnsaid()
  if (since === undefined && (until !== undefined || status !== undefined))
    throw usedWrongly('malipo: --until and --status go with --since')
  if (name === undefined) return resendMany(options)
  if (merchant !== undefined) throw usedWrongly('malipo: --merchant goes with --transaction or --since')
  const callback = await withDatabase(async (context) => {
    await runAddition(context, resendCallbacks, { which: { callback: name } }, options)
    return callbackNamed(context, name)
  })
  if (json) printJson(toRecord(callback, undefined))
  else if (callback.url === '')
    print(
      `The merchant has no URL for callback ${callback.id} (${callback.webhook_id}): it keeps waiting.\nSet one with ${MALIPO} merchant set, then send it again.`,
    )
  else
    print(
      `Callback ${callback.id} (${callback.webhook_id}) is sent within seconds, to ${printable(maskUrl(callback.url))}.\nWatch it: ${MALIPO} callback show ${callback.id}`,
    )
}

async function resendMany(options: ResendOptions): Promise<void> {
  const { ids, withoutUrl } = await withDatabase(async (context) => {
    const which = whichOf(context, options)
    const { ids } = await callbacksMeant(context, which)
    if (ids.length > RESEND_UNASKED_MAX && !options.yes)
      throw usedWrongly(`malipo: that is ${ids.length} callbacks; nothing was sent.\nAdd --yes to send them all.`)
    for (let after: string | undefined, more = ids.length > 0; more;)
      ({ last: after, more } = await runAddition(context, resendCallbacks, { which, after }, options))
    return { ids, withoutUrl: await countWithoutUrl(context.pool, ids) }
  })
  if (options.json) return printJson({ resent: ids.length, without_url: withoutUrl, callbacks: ids })
  if (ids.length === 0) return print('No callback to send again.')
  if (withoutUrl > 0)
    print(
      `${withoutUrl} of ${ids.length} ${withoutUrl === 1 ? 'keeps' : 'keep'} waiting: the merchant has no URL for ${withoutUrl === 1 ? 'it' : 'them'}. Set one with ${MALIPO} merchant set, then send again.`,
    )
  const going = ids.length - withoutUrl
  if (going > 0)
    print(
      `${going} ${going === 1 ? 'callback goes' : 'callbacks go'} out within seconds.\nWatch: ${MALIPO} callback list${options.transaction === undefined ? '' : ` --transaction ${options.transaction}`}`,
    )
}

function whichOf({ clock }: Context, { transaction, since, until, status, merchant }: ResendOptions): ResendInput {
  if (transaction !== undefined) return { transaction, merchant }
  if (since === undefined) throw whichIsUnsaid()
  const now = clock.now()
  return { since: since(now).toISOString(), until: (until?.(now) ?? now).toISOString(), status, merchant }
}
