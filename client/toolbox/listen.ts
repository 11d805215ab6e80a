import { setTimeout as sleep } from 'node:timers/promises'
import { callbackUrlsOf, Lease, whereElse } from './callback-url-lease.ts'
import { exchange } from './exchange.ts'
import { GATEWAY_OPTION, gatewayOf } from './gateway-option.ts'
import { forwardedMessage } from './forward.ts'
import { storeMessage } from './stored-messages.ts'
import { readEvents, readHeaders } from './listen-filter.ts'
import { printable } from './paint.ts'
import { InboxError, newestMessages, requestsAfter, type ApiRequest, type InboxMessage } from './sandbox-inbox.ts'
import { MessageTracker } from './message-tracker.ts'
import { showReply } from './show.ts'
import type { Terminal } from './terminal.ts'
import { readArguments, readNumber, readUrl, UsageError, type Command, type OptionTable } from './usage.ts'

const OPTIONS = {
  'forward-to': {
    type: 'string',
    multiple: true,
    value: 'URL',
    help: 'your callback URL, or its path in the shop of this folder (PORT, or 3000); callbacks are only shown if absent; may be given again',
  },
  borrow: {
    type: 'boolean',
    help: 'redirects callbacks that go elsewhere to the inbox while it runs, and restores their URLs at the end',
  },
  'forward-handshakes-to': {
    type: 'string',
    value: 'URL',
    help: 'your verification URL; handshakes are only shown if absent',
  },
  events: {
    type: 'string',
    value: 'NAMES',
    help: 'shows and forwards only these, such as transaction.failed,refund.*,handshake',
  },
  header: {
    type: 'string',
    multiple: true,
    value: "'NAME: VALUE'",
    help: 'a further header of what is forwarded; may be given again',
  },
  'callbacks-only': { type: 'boolean', help: 'does not show requests to the API' },
  gateway: GATEWAY_OPTION,
  'interval-ms': { type: 'string', value: 'NUMBER', default: '500', help: 'how often the sandbox is polled' },
} as const satisfies OptionTable

/** `malipo-dev listen`. */
export const listenCommand: Command = {
  name: 'listen',
  summary: 'shows requests and callbacks of a sandbox live, and forwards callbacks',
  takes: '[--forward-to URL]',
  example: 'malipo-dev listen --forward-to http://localhost:3000/callbacks',
  options: OPTIONS,
  notes: [
    'It reads the inbox of the sandbox, where the callbacks of the demo merchant go, and warns when they go elsewhere. Body and signatures are forwarded unchanged, byte for byte.',
    'Requests to the API are shown as well, if the process that answers the poll received them; --callbacks-only hides them.',
    'The inbox has already answered them with 200: your reply is shown, and Malipo does not retry. To test retries, point the callback URL of the merchant to your receiver: malipo merchant set.',
    '--borrow changes the callback URLs on a lease of 30 seconds and renews it: after a kill they are restored when the lease ends, or at the next start of the sandbox.',
    'Ctrl-C ends it; when the sandbox stops, it waits until it is back.',
  ],
  async run(args, terminal) {
    const { values } = readArguments(args, OPTIONS, { min: 0, max: 0, name: '' })
    const handshakes = values['forward-handshakes-to']
    const targets = {
      callback: (values['forward-to'] ?? []).map((text) => readUrl(text, '--forward-to', terminal)),
      handshake: handshakes === undefined ? [] : [readUrl(handshakes, '--forward-handshakes-to', terminal)],
    }
    const intervalMs = readNumber(values['interval-ms'], '--interval-ms', { min: 50, max: 60_000 })
    const isWanted = readEvents(values.events)
    const headers = readHeaders(values.header ?? [])
    const gateway = gatewayOf(values.gateway, terminal)
    const lease = values.borrow ? new Lease(gateway) : undefined
    try {
      const withRequests = !values['callbacks-only']
      await listen({ gateway, targets, intervalMs, lease, withRequests, isWanted, headers }, terminal)
    } finally {
      await lease?.end()
    }
    return 0
  },
}

type Targets = Readonly<Record<InboxMessage['kind'], readonly URL[]>>

interface ListenOptions {
  readonly gateway: URL
  readonly targets: Targets
  readonly intervalMs: number
  /** Absent: callbacks keep going where they go. */
  readonly lease: Lease | undefined
  readonly withRequests: boolean
  readonly isWanted: (message: InboxMessage) => boolean
  /** Further ones of what is forwarded. */
  readonly headers: Readonly<Record<string, string>>
}

async function listen(listening: ListenOptions, terminal: Terminal): Promise<void> {
  const { gateway, targets, intervalMs, lease, withRequests } = listening
  const { print, paint, ended } = terminal
  let tracker: MessageTracker | undefined
  let lastRequest: number | undefined
  let isAway = false
  while (!ended.aborted) {
    try {
      const newest = await newestMessages(gateway)
      const isNew = isAway || tracker === undefined
      if (isAway) lease?.forget()
      const isLent = await lease?.renew()
      if (isNew) await sayWhere(gateway, targets, isLent, terminal)
      isAway = false
      tracker ??= new MessageTracker(newest)
      // Before the messages: a request precedes its results.
      const requests = withRequests ? await requestsAfter(gateway, lastRequest ?? 0) : []
      if (lastRequest !== undefined) for (const request of requests) showRequest(request, terminal)
      lastRequest = requests.at(-1)?.id ?? lastRequest ?? 0
      for (const message of await tracker.newMessages(gateway, newest))
        if (listening.isWanted(message)) await show(message, listening, terminal)
    } catch (error) {
      if (!(error instanceof InboxError)) throw error
      if (!error.away) throw new UsageError(error.message)
      if (!isAway) print(paint.warn(`${error.message}; waiting for it`))
      isAway = true
    }
    await sleep(intervalMs, undefined, { signal: ended }).catch(() => undefined)
  }
}

/** Where callbacks go now, where they are forwarded to, and what to do when none will arrive. */
async function sayWhere(
  gateway: URL,
  { callback }: Targets,
  isLent: boolean | undefined,
  { print, paint }: Terminal,
): Promise<void> {
  const to = callback.map(({ href }) => href).join(' and ')
  print(paint.soft(`listening to ${gateway.href}${to === '' ? '' : `, forwarding to ${to}`}`))
  if (isLent === false) print(paint.warn('this sandbox is too old to lend its callback URLs'))
  const urls = await callbackUrlsOf(gateway)
  const elsewhere = urls && whereElse(urls)
  if (elsewhere === undefined) return
  print(
    isLent
      ? paint.soft(`${elsewhere}: borrowed, and restored at the end`)
      : paint.warn(`${elsewhere}: none will arrive here; --borrow redirects them here meanwhile`),
  )
}

function showRequest({ at, method, path, status, ms }: ApiRequest, { print, paint }: Terminal): void {
  const answered = status === undefined ? paint.warn('broken off') : paint.status(status)
  print(`${paint.soft(at)} ${printable(`${method} ${path}`)} ${answered} in ${ms} ms`)
}

async function show(
  message: InboxMessage,
  { targets, headers }: Pick<ListenOptions, 'targets' | 'headers'>,
  terminal: Terminal,
): Promise<void> {
  const { print, paint } = terminal
  const words = [
    message.kind === 'handshake' ? 'handshake' : (message.event ?? 'no event'),
    message.merchantReference ?? 'no reference',
    message.status ?? '',
    message.webhookId ?? '',
  ]
  print(`${paint.soft(message.receivedAt)} ${paint.strong(printable(words.filter((word) => word !== '').join('  ')))}`)
  for (const [index, url] of targets[message.kind].entries()) {
    const outgoing = forwardedMessage(message, url, headers)
    // One message, one webhook-id: it is resent to the first.
    if (index === 0) storeMessage(terminal, message.webhookId ?? '', outgoing)
    if (targets[message.kind].length > 1) print(paint.soft(`  → ${url.href}`))
    showReply(await exchange(outgoing), terminal)
  }
}
