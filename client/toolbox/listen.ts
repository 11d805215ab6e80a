import { setTimeout as sleep } from 'node:timers/promises'
import { callbackUrlsOf, Lease, whereElse } from './borrowed-urls.ts'
import { exchange } from './exchange.ts'
import { GATEWAY_OPTION, gatewayOf } from './gateway-option.ts'
import { forwardedMessage } from './forward.ts'
import { keepMessage } from './kept-messages.ts'
import { printable } from './paint.ts'
import { InboxError, messageOf, newestMessages, type InboxMessage } from './sandbox-inbox.ts'
import { showReply } from './show.ts'
import type { Terminal } from './terminal.ts'
import { readArguments, readNumber, readUrl, UsageError, type Command, type OptionTable } from './usage.ts'

const OPTIONS = {
  'forward-to': {
    type: 'string',
    multiple: true,
    value: 'URL',
    help: 'your callback URL; callbacks are only shown if absent; may be given again',
  },
  borrow: {
    type: 'boolean',
    help: 'while it runs, callbacks that go elsewhere come here; afterwards they go where they went before',
  },
  'forward-handshakes-to': {
    type: 'string',
    value: 'URL',
    help: 'your verification URL; handshakes are only shown if absent',
  },
  gateway: GATEWAY_OPTION,
  'interval-ms': { type: 'string', value: 'NUMBER', default: '500', help: 'how often the sandbox is asked' },
} as const satisfies OptionTable

/** `malipo-dev listen`. */
export const listenCommand: Command = {
  name: 'listen',
  summary: 'shows the callbacks of a running sandbox live, and forwards them to you',
  takes: '[--forward-to URL]',
  example: 'malipo-dev listen --forward-to http://localhost:3000/callbacks',
  options: OPTIONS,
  notes: [
    'It reads the inbox of the sandbox, where the callbacks of the demo merchant go, and says so when they go elsewhere. Body and signatures are forwarded as they came, byte for byte.',
    'The inbox has already answered them with 200: your answer is shown, and Malipo does not try again. To rehearse that, let the callback URL of the merchant point to you: malipo merchant set.',
    '--borrow takes the callback URLs on a lease of 30 seconds, again and again: after a kill they are back where they were when it has ended, or at the next start of the sandbox.',
    'Ctrl-C ends it; when the sandbox goes away, it waits until it is back.',
  ],
  async run(args, terminal) {
    const { values } = readArguments(args, OPTIONS, { min: 0, max: 0, name: '' })
    const handshakes = values['forward-handshakes-to']
    const targets = {
      callback: (values['forward-to'] ?? []).map((text) => readUrl(text, '--forward-to')),
      handshake: handshakes === undefined ? [] : [readUrl(handshakes, '--forward-handshakes-to')],
    }
    const intervalMs = readNumber(values['interval-ms'], '--interval-ms', { min: 50, max: 60_000 })
    const gateway = gatewayOf(values.gateway, terminal)
    const lease = values.borrow ? new Lease(gateway) : undefined
    try {
      await listen({ gateway, targets, intervalMs, lease }, terminal)
    } finally {
      await lease?.end()
    }
    return 0
  },
}

type Targets = Readonly<Record<InboxMessage['kind'], readonly URL[]>>

interface Listening {
  readonly gateway: URL
  readonly targets: Targets
  readonly intervalMs: number
  /** Absent: callbacks go where they go. */
  readonly lease: Lease | undefined
}

async function listen({ gateway, targets, intervalMs, lease }: Listening, terminal: Terminal): Promise<void> {
  const { print, paint, ended } = terminal
  let seen: Seen | undefined
  let isAway = false
  while (!ended.aborted) {
    try {
      const newest = await newestMessages(gateway)
      const isNew = isAway || seen === undefined
      if (isAway) lease?.forget()
      const isLent = await lease?.renew()
      if (isNew) await sayWhere(gateway, targets, isLent, terminal)
      isAway = false
      seen ??= new Seen(newest)
      for (const message of await seen.unseen(gateway, newest)) await show(message, targets, terminal)
    } catch (error) {
      if (!(error instanceof InboxError)) throw error
      if (!error.away) throw new UsageError(error.message)
      if (!isAway) print(paint.warn(`${error.message}; waiting for it`))
      isAway = true
    }
    await sleep(intervalMs, undefined, { signal: ended }).catch(() => undefined)
  }
}

/** Where callbacks go now, whom they are forwarded to, and what to do when none will come. */
async function sayWhere(
  gateway: URL,
  { callback }: Targets,
  isLent: boolean | undefined,
  { print, paint }: Terminal,
): Promise<void> {
  const to = callback.map(({ href }) => href).join(' and ')
  print(paint.soft(`listening to ${gateway.href}${to === '' ? '' : `, forwarding to ${to}`}`))
  if (isLent === false) print(paint.warn('this sandbox lends no callback URLs: it is an older one'))
  const urls = await callbackUrlsOf(gateway)
  const elsewhere = urls && whereElse(urls)
  if (elsewhere === undefined) return
  print(
    isLent
      ? paint.soft(`${elsewhere}: borrowed, and given back at the end`)
      : paint.warn(`${elsewhere}: nothing will be seen here; --borrow lets them come here meanwhile`),
  )
}

/** As many messages does the list of the inbox show. */
const LIST_MAX = 100
/** More than a busy second brings; whoever wants more wants a receiver of their own. */
const CAUGHT_UP_MAX = 400

/**
 * Which messages have been shown. Messages are stored side by side, so ids can appear out of order: single ids are
 * remembered, not only the highest.
 */
class Seen {
  readonly #ids: Set<number>
  #highest: number

  constructor(atStart: readonly InboxMessage[]) {
    this.#ids = new Set(atStart.map(({ id }) => id))
    this.#highest = atStart.at(-1)?.id ?? 0
  }

  /**
   * New ones, oldest first, each with its whole body; those that a full list no longer shows are asked for one by one.
   */
  async unseen(gateway: URL, newest: readonly InboxMessage[]): Promise<InboxMessage[]> {
    const highest = newest.at(-1)?.id
    // Ids only grow, even when the inbox is emptied: lower ones are those of a sandbox that was started anew.
    if (highest !== undefined && highest < this.#highest) this.#forget()
    const oldestShown = newest[0]?.id ?? 0
    const messages: InboxMessage[] = []
    for (
      let id = Math.max(this.#highest + 1, oldestShown - CAUGHT_UP_MAX);
      newest.length >= LIST_MAX && id < oldestShown;
      id++
    ) {
      const missed = await messageOf(gateway, id)
      if (missed) messages.push(missed)
    }
    for (const message of newest.filter(({ id }) => !this.#ids.has(id))) {
      messages.push(message.bodyComplete ? message : ((await messageOf(gateway, message.id)) ?? message))
    }
    for (const { id } of messages) this.#ids.add(id)
    this.#highest = Math.max(this.#highest, highest ?? 0)
    return messages
  }

  #forget(): void {
    this.#ids.clear()
    this.#highest = 0
  }
}

async function show(message: InboxMessage, targets: Targets, terminal: Terminal): Promise<void> {
  const { print, paint } = terminal
  const words = [
    message.kind === 'handshake' ? 'handshake' : (message.event ?? 'no event'),
    message.merchantReference ?? 'no reference',
    message.status ?? '',
    message.webhookId ?? '',
  ]
  print(`${paint.soft(message.receivedAt)} ${paint.strong(printable(words.filter((word) => word !== '').join('  ')))}`)
  for (const [index, url] of targets[message.kind].entries()) {
    const outgoing = forwardedMessage(message, url)
    // One message, one webhook-id: it is resent to the first.
    if (index === 0) keepMessage(terminal.folder, message.webhookId ?? '', outgoing)
    if (targets[message.kind].length > 1) print(paint.soft(`  → ${url.href}`))
    showReply(await exchange(outgoing), terminal)
  }
}
