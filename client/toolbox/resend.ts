import type { OutgoingRequest } from './exchange.ts'
import { forwardedMessage } from './forward.ts'
import { findMessage } from './stored-messages.ts'
import { GATEWAY_OPTION, gatewayOf } from './gateway-option.ts'
import { withQuery } from './messages.ts'
import { InboxError, messageOf, newestMessages } from './sandbox-inbox.ts'
import { DEMO_KEYS, webhookHeaders } from './sign.ts'
import type { Terminal } from './terminal.ts'
import { deliver } from './trigger.ts'
import { readArguments, readUrl, UsageError, type Command, type OptionTable } from './usage.ts'

const OPTIONS = {
  to: {
    type: 'string',
    value: 'URL',
    help: 'another URL than the first time; required for a message that only the inbox has',
  },
  'as-recorded': {
    type: 'boolean',
    help: 'keeps the old time and signature: after 5 minutes a correct receiver refuses it',
  },
  secret: { type: 'string', value: 'whsec_…', default: DEMO_KEYS.webhookSecret, help: 'webhook secret to sign with' },
  gateway: { ...GATEWAY_OPTION, help: `${GATEWAY_OPTION.help}; its inbox has what is not stored here` },
} as const satisfies OptionTable

/** `malipo-dev resend`. */
export const resendCommand: Command = {
  name: 'resend',
  summary: 'resends a message of listen or trigger, as a retry of Malipo does',
  takes: '<webhook-id> [--to URL]',
  example: 'malipo-dev resend cb_PAE2D5PFHP6N04YVJW8NMN7KQ3',
  options: OPTIONS,
  notes: [
    'As Malipo does, it keeps webhook-id and body, and signs with the time of now.',
    'A callback that never came to your server: malipo.events.replay of @malipo/client reads it from Malipo.',
  ],
  async run(args, terminal) {
    const {
      values,
      positionals: [webhookId = ''],
    } = readArguments(args, OPTIONS, { min: 1, max: 1, name: 'The webhook-id' })
    const to = values.to === undefined ? undefined : readUrl(values.to, '--to', terminal)
    const outgoing =
      keptMessage(webhookId, to, terminal) ?? (await inboxMessage(webhookId, to, gatewayOf(values.gateway, terminal)))
    const { body = new Uint8Array() } = outgoing
    const headers = values['as-recorded'] ? {} : webhookHeaders({ webhookId, at: terminal.now(), body }, values.secret)
    return deliver({ ...outgoing, headers: { ...outgoing.headers, ...headers } }, terminal)
  },
}

/** A handshake's reference is in its URL, which --to replaces. */
const addressAt = (to: URL, method: OutgoingRequest['method'], first: URL): URL =>
  method === 'GET' ? withQuery(to, { reference: first.searchParams.get('reference') ?? '' }) : to

function keptMessage(webhookId: string, to: URL | undefined, { folder }: Terminal): OutgoingRequest | undefined {
  const kept = findMessage(folder, webhookId)
  if (!kept) return undefined
  const first = new URL(kept.url)
  const url = to === undefined ? first : addressAt(to, kept.method, first)
  return { method: kept.method, url, headers: kept.headers, body: Buffer.from(kept.bodyBase64, 'base64') }
}

async function inboxMessage(webhookId: string, to: URL | undefined, gateway: URL): Promise<OutgoingRequest> {
  const found = await newestMessages(gateway).then(
    (messages) => messages.find((message) => message.webhookId === webhookId),
    (error: unknown) => {
      if (error instanceof InboxError)
        throw new UsageError(
          `${webhookId} is not stored in this folder, and the inbox does not answer: ${error.message}`,
        )
      throw error
    },
  )
  if (!found)
    throw new UsageError(
      `${webhookId} is neither stored in this folder nor among the newest messages of ${gateway.href}: ` +
        'malipo.events.replay of @malipo/client reads it from Malipo',
    )
  if (!to) throw new UsageError('--to is missing: the inbox does not know where your receiver is')
  return forwardedMessage(found.bodyComplete ? found : ((await messageOf(gateway, found.id)) ?? found), to)
}
