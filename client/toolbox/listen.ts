import { setTimeout as sleep } from 'node:timers/promises'
import { exchange } from './exchange.ts'
import { forwardedMessage } from './forward.ts'
import { keepMessage } from './kept-messages.ts'
import { printable } from './paint.ts'
import { InboxError, messageOf, newestMessages, type InboxMessage } from './sandbox-inbox.ts'
import { showReply } from './show.ts'
import type { Terminal } from './terminal.ts'
import { readArguments, readNumber, readUrl, UsageError, type Command, type OptionTable } from './usage.ts'

/** Where a sandbox is unless it is told otherwise. */
export const GATEWAY = 'http://127.0.0.1:8080'

const OPTIONS = {
  'forward-to': { type: 'string', value: 'URL', help: 'your callback URL; callbacks are only shown if absent' },
  'forward-handshakes-to': {
    type: 'string',
    value: 'URL',
    help: 'your verification URL; handshakes are only shown if absent',
  },
  gateway: { type: 'string', value: 'URL', default: GATEWAY, help: 'the running sandbox' },
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
    'It reads the inbox of the sandbox, where the callbacks of the demo merchant go. Body and signatures are forwarded as they came, byte for byte.',
    'The inbox has already answered them with 200: your answer is shown, and Malipo does not try again. To rehearse that, let the callback URL of',
    'the merchant point to you: malipo merchant set. Ctrl-C ends it; when the sandbox goes away, it waits until it is back.',
  ],
  async run(args, terminal) {
    const { values } = readArguments(args, OPTIONS, { min: 0, max: 0, name: '' })
    const targets = {
      callback: optionalUrl(values, 'forward-to'),
      handshake: optionalUrl(values, 'forward-handshakes-to'),
    }
    const intervalMs = readNumber(values['interval-ms'], '--interval-ms', { min: 50, max: 60_000 })
    await listen(readUrl(values.gateway, '--gateway'), targets, intervalMs, terminal)
    return 0
  },
}

type ForwardOption = 'forward-to' | 'forward-handshakes-to'
const optionalUrl = (
  values: Readonly<Partial<Record<ForwardOption, string>>>,
  name: ForwardOption,
): URL | undefined => {
  const text = values[name]
  return text === undefined ? undefined : readUrl(text, `--${name}`)
}

type Targets = Readonly<Record<InboxMessage['kind'], URL | undefined>>

async function listen(gateway: URL, targets: Targets, intervalMs: number, terminal: Terminal): Promise<void> {
  const { print, paint, ended } = terminal
  let seen: Seen | undefined
  let isAway = false
  while (!ended.aborted) {
    try {
      const newest = await newestMessages(gateway)
      if (isAway || seen === undefined)
        print(
          paint.soft(
            `listening to ${gateway.href}${targets.callback ? `, forwarding to ${targets.callback.href}` : ''}`,
          ),
        )
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
  const url = targets[message.kind]
  if (!url) return
  const outgoing = forwardedMessage(message, url)
  keepMessage(terminal.folder, message.webhookId ?? '', outgoing)
  showReply(await exchange(outgoing), terminal)
}
